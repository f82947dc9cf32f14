// What a create owns: all that its object sets beyond what every object of its type has.
import type { StructType } from "../schema/model.ts";
import type { Json, JsonObject } from "../types.ts";
import { emptyOf, type Paths, setOf } from "./changes.ts";
import {
  child,
  EMPTY,
  type FieldSet,
  finishNode,
  isEmptySet,
  isMember,
  LEAF,
  recursiveDifference,
  startNode,
  union,
} from "./field_set.ts";
import { membersInOrder } from "./layouts.ts";
import { UNOWNED } from "./ownership.ts";
import { asList, asObject, formOf, isNothing, memberValue, sameJson, type Shape, shapeOf } from "./typed.ts";
import { newElements, wholeSet } from "./whole_set.ts";

const NO_PATHS: Paths = [];

/** The set of a new object, without fields that nobody owns or that the write resets. Throws FieldPathError. */
export function createdSet(type: StructType, object: JsonObject, resetFields: Paths = NO_PATHS): FieldSet {
  const members = { was: emptyOf(type), is: object, withheld: withheldBy(resetFields) };
  return membersBeyond(shapeOf(type), members, false) ?? EMPTY;
}

const withheldSets = new WeakMap<Paths, FieldSet>();

/** Fields that a create cannot own. Those of the set that have nothing below them go with all that they have. */
function withheldBy(resetFields: Paths): FieldSet {
  let set = withheldSets.get(resetFields);
  if (set === undefined) {
    const reset = setOf(resetFields);
    withheldSets.set(resetFields, set = union(recursiveDifference(UNOWNED, reset), reset));
  }
  return set;
}

interface Members {
  /** Those of the type's empty object. */
  was: JsonObject;
  is: JsonObject;
  withheld: FieldSet;
}

function membersBeyond(shape: Shape, { was, is, withheld }: Members, own: boolean): FieldSet | undefined {
  const members = membersInOrder(shape, is), node = startNode(own);
  let added = false;
  for (let i = 0; i < members.length; i++) {
    const { name, element, shape: inner } = members[i], held = child(withheld, element);
    const before = memberValue(was, name);
    const below = held === undefined && before === undefined
      ? wholeSet(inner, is[name]!)
      : valueBeyond(inner, before, is[name]!, held);
    // What is withheld is looked at all the same: where elements cannot be told apart nothing is tracked.
    if (below === undefined || held !== undefined && isEmptySet(held)) continue;
    node[element] = below as JsonObject;
    added = true;
  }
  return finishNode(node, own, added);
}

/** What a value sets beyond what it is in an empty object, where lists are null. */
function valueBeyond(shape: Shape, was: Json | undefined, is: Json, held: FieldSet = EMPTY): FieldSet | undefined {
  if (was === is) return undefined;
  const form = formOf(shape, is);
  const replaced = was === undefined || form === "piece" || formOf(shape, was) === "piece" ||
    isNothing(was) && isNothing(is);
  const own = replaced && !sameJson(was, is) && !(held !== EMPTY && isMember(held));
  switch (form) {
    case "piece":
      return own ? LEAF : undefined;
    case "elements":
      return newElements(shape, asList(is), own);
    case "members":
      return membersBeyond(shape, { was: asObject(was ?? null), is: asObject(is), withheld: held }, own);
  }
}
