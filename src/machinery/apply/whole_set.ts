// The fields of a whole value: all there is in one that is new, or those that a configuration names.
import type { TypeModel } from "../schema/model.ts";
import type { Json, JsonObject } from "../types.ts";
import { EMPTY, type FieldSet, LEAF, NodeBuilder } from "./field_set.ts";
import { compareListed, elementOf } from "./path_element.ts";
import { asList, asObject, formOf, isNothing, type Member, memberOf, type Shape, shapeOf } from "./typed.ts";

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
  const members = membersInOrder(shape, object), node = new NodeBuilder(own);
  for (let i = 0; i < members.length; i++) {
    const { name, element, rank, shape: inner } = members[i];
    node.add(element, valueNode(inner, object[name]!, every ? EVERY : rank < 0 ? NAMED_ITSELF : NAMED));
  }
  return node.build();
}

/** A list whose elements are all new, as a node of a set. */
export function newElements(list: Shape, values: readonly Json[], own: boolean): FieldSet | undefined {
  return elementsNode(list, values, own ? EVERY : EVERY_BELOW);
}

/** Of elements that are there more than once only that they are there. */
function elementsNode(list: Shape, values: readonly Json[], { every, own }: Naming): FieldSet | undefined {
  const listed = elementsInOrder(list, values), node = new NodeBuilder(own);
  for (let i = 0; i < listed.length; i++) {
    const { element, value } = listed[i], again = i > 0 && listed[i - 1].element === element;
    node.add(element, again ? LEAF : valueNode(list.element!, value, every ? EVERY : NAMED_ITSELF));
  }
  return node.build();
}

/** The members that are there, in the order in which a set has them. */
export function membersInOrder(shape: Shape, object: JsonObject): readonly Member[] {
  const members: Member[] = [];
  for (const name in object) {
    if (object[name] !== undefined) members.push(memberOf(shape, name));
  }
  return inOrder(members, compareMembers);
}

/** Declared members need not be compared by name. */
function compareMembers(a: Member, b: Member): number {
  return a.rank < 0 || b.rank < 0 ? (a.name < b.name ? -1 : 1) : a.rank - b.rank;
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

/** Up to so many are put in order one by one, which is faster than to ask for it. */
const FEW = 16;

/** Sorts in place. What is in order already, as most is, is only looked at. */
function inOrder<T>(list: T[], compare: (a: T, b: T) => number): T[] {
  for (let i = 1; i < list.length; i++) {
    const one = list[i];
    if (compare(list[i - 1], one) <= 0) continue;
    if (list.length > FEW) return list.sort(compare);
    let at = i;
    do list[at] = list[--at]; while (at > 0 && compare(list[at - 1], one) > 0);
    list[at] = one;
  }
  return list;
}
