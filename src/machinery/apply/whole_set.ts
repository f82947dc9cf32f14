// The fields of a whole value: all there is in one that is new, or those that a configuration names.
import type { ListType } from "../schema/model.ts";
import type { Json, JsonObject } from "../types.ts";
import { EMPTY, type FieldSet, LEAF, nodeOf } from "./field_set.ts";
import { compareElements, elementOf } from "./path_element.ts";
import { asList, asObject, declaredMember, formOf, isNothing, memberShape, type Shape } from "./typed.ts";

/** A value that is new: it and everything in it, as a node of a set. Throws FieldPathError. */
export function wholeSet(shape: Shape, value: Json): FieldSet {
  return valueNode(shape, value, EVERY)!;
}

/**
 * The fields that a configuration names: values without members, elements of lists, and members of maps. Declared
 * members that have more below them are named by what is below. Throws FieldPathError.
 */
export function namedSet(shape: Shape, object: JsonObject): FieldSet {
  return nodeOf(false, memberNodes(shape, object, NAMED)) ?? EMPTY;
}

interface Naming {
  /** Whether every value is in the set, or only those that are named. */
  every: boolean;
  /** Whether the value itself is in the set, whatever it is. */
  own: boolean;
}

const EVERY: Naming = { every: true, own: true };
const NAMED: Naming = { every: false, own: false };
const NAMED_ITSELF: Naming = { every: false, own: true };

/** Undefined when nothing of the value is in the set. */
function valueNode(shape: Shape, value: Json, naming: Naming): FieldSet | undefined {
  switch (formOf(shape, value)) {
    case "piece":
      return LEAF;
    case "elements":
      return nodeOf(naming.own || value === null, elementNodes(shape as ListType, asList(value), naming));
    case "members":
      return nodeOf(naming.own || isNothing(value), memberNodes(shape, asObject(value), naming));
  }
}

interface Entry {
  element: string;
  /** Declared members only: they need not be compared by name. */
  rank?: number;
  node: FieldSet;
}

function memberNodes(shape: Shape, object: JsonObject, { every }: Naming): JsonObject {
  const found: Entry[] = [];
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    const declared = declaredMember(shape, name);
    const naming = every ? EVERY : declared === undefined ? NAMED_ITSELF : NAMED;
    const node = valueNode(declared?.shape ?? memberShape(shape, name), value, naming);
    if (node !== undefined) found.push({ element: declared?.element ?? `f:${name}`, rank: declared?.rank, node });
  }
  return inOrder(found);
}

/** Of elements that are there more than once only that they are there. */
function elementNodes(list: ListType, values: readonly Json[], { every }: Naming): JsonObject {
  const found = new Map<string, Entry>();
  for (const value of values) {
    const element = elementOf(list, value), known = found.get(element);
    if (known !== undefined) known.node = LEAF;
    else found.set(element, { element, node: valueNode(list.element, value, every ? EVERY : NAMED_ITSELF)! });
  }
  return inOrder([...found.values()]);
}

function inOrder(entries: Entry[]): JsonObject {
  for (let i = 1; i < entries.length; i++) {
    if (compareEntries(entries[i - 1], entries[i]) > 0) {
      entries.sort(compareEntries);
      break;
    }
  }
  const nodes: JsonObject = {};
  for (let i = 0; i < entries.length; i++) nodes[entries[i].element] = entries[i].node as JsonObject;
  return nodes;
}

function compareEntries(a: Entry, b: Entry): number {
  return a.rank === undefined || b.rank === undefined ? compareElements(a.element, b.element) : a.rank - b.rank;
}
