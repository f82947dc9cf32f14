// The fields of a whole value: all there is in one that is new, or those that a configuration names.
import type { TypeModel } from "../schema/model.ts";
import type { Json, JsonObject } from "../types.ts";
import { EMPTY, type FieldSet, finishNode, LEAF, startNode } from "./field_set.ts";
import { inOrder } from "./in_order.ts";
import { membersInOrder } from "./layouts.ts";
import { compareListed, elementOf } from "./path_element.ts";
import { asList, asObject, formOf, isNothing, type Shape, shapeOf } from "./typed.ts";

/** A value that is new: it and everything in it, as a node of a set. Throws FieldPathError. */
export function wholeSet(shape: Shape, value: Json): FieldSet {
  return valueNode(shape, value, EVERY)!;
}

/**
 * The fields that a configuration names: values without members, elements of lists, and members of maps. Declared
 * members that have more below them are named by what is below. Throws FieldPathError.
 */
export function namedSet(type: TypeModel, object: JsonObject): FieldSet {
  return membersNode(shapeOf(type), object, NAMED) ?? EMPTY;
}

interface Naming {
  /** Whether every value is in the set, or only those that are named. */
  every: boolean;
  /** Whether the value itself is in the set, whatever it is. */
  own: boolean;
}

const EVERY: Naming = { every: true, own: true };
const EVERY_BELOW: Naming = { every: true, own: false };
const NAMED: Naming = { every: false, own: false };
const NAMED_ITSELF: Naming = { every: false, own: true };

/** Undefined when nothing of the value is in the set. */
function valueNode(shape: Shape, value: Json, naming: Naming): FieldSet | undefined {
  switch (formOf(shape, value)) {
    case "piece":
      return LEAF;
    case "elements":
      return elementsNode(shape, asList(value), naming) ?? (value === null ? LEAF : undefined);
    case "members":
      return membersNode(shape, asObject(value), naming) ?? (isNothing(value) ? LEAF : undefined);
  }
}

function membersNode(shape: Shape, object: JsonObject, { every, own }: Naming): FieldSet | undefined {
  const members = membersInOrder(shape, object);
  if (members.length === 0) return own ? LEAF : undefined;
  const node = startNode(own);
  let added = false;
  for (let i = 0; i < members.length; i++) {
    const { name, element, rank, shape: inner } = members[i];
    const below = valueNode(inner, object[name]!, every ? EVERY : rank < 0 ? NAMED_ITSELF : NAMED);
    if (below === undefined) continue;
    node[element] = below as JsonObject;
    added = true;
  }
  return finishNode(node, own, added);
}

/** A list whose elements are all new, as a node of a set. */
export function newElements(list: Shape, values: readonly Json[], own: boolean): FieldSet | undefined {
  return elementsNode(list, values, own ? EVERY : EVERY_BELOW);
}

/** Of elements that are there more than once only that they are there. */
function elementsNode(list: Shape, values: readonly Json[], { every, own }: Naming): FieldSet | undefined {
  if (values.length === 0) return own ? LEAF : undefined;
  const listed = elementsInOrder(list, values), node = startNode(own);
  for (let i = 0; i < listed.length; i++) {
    const { element, value } = listed[i], again = i > 0 && listed[i - 1].element === element;
    node[element] = (again ? LEAF : valueNode(list.element!, value, every ? EVERY : NAMED_ITSELF)!) as JsonObject;
  }
  return node;
}

/** The element of a list and what it is called in a set. */
interface Listed {
  element: string;
  value: Json;
}

function elementsInOrder(list: Shape, values: readonly Json[]): readonly Listed[] {
  const named: Listed[] = [];
  for (let i = 0; i < values.length; i++) named.push({ element: elementOf(list, values[i]), value: values[i] });
  return inOrder(named, (a, b) => compareListed(list, a.value, b.value));
}
