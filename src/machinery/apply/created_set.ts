// What a create owns: all that its object sets beyond what every object of its type has.
import type { StructType } from "../schema/model.ts";
import type { Json, JsonObject } from "../types.ts";
import { emptyOf, type Paths, setOf } from "./changes.ts";
import { descend, EMPTY, type FieldSet, isEmptySet, NodeBuilder, recursiveDifference, union } from "./field_set.ts";
import { UNOWNED } from "./ownership.ts";
import { asList, asObject, formOf, isNothing, sameJson, type Shape, shapeOf } from "./typed.ts";
import { membersInOrder, newElements, wholeSet } from "./whole_set.ts";

const NO_PATHS: Paths = [];

/** The set of a new object, without fields that nobody owns or that the write resets. Throws FieldPathError. */
export function createdSet(type: StructType, object: JsonObject, resetFields: Paths = NO_PATHS): FieldSet {
  const node = new NodeBuilder(false);
  addMembers(node, { shape: shapeOf(type), was: emptyOf(type), is: object, withheld: withheldBy(resetFields) });
  return node.build() ?? EMPTY;
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
  shape: Shape;
  /** Of the type's empty object. */
  was: JsonObject;
  is: JsonObject;
  withheld: FieldSet;
}

function addMembers(node: NodeBuilder, { shape, was, is, withheld }: Members): void {
  for (const member of membersInOrder(shape, is)) {
    const { name, element } = member, held = descend(withheld, element);
    const found = held === undefined && was[name] === undefined
      ? wholeSet(member.shape, is[name]!)
      : beyond(member.shape, was[name], is[name]!, held);
    // What is withheld is looked at all the same: where elements cannot be told apart nothing is tracked.
    if (held === undefined || !isEmptySet(held.below)) node.add(element, found);
  }
}

/** What a value sets beyond what it is in an empty object, where lists are null. */
function beyond(shape: Shape, was: Json | undefined, is: Json, held: ReturnType<typeof descend>): FieldSet | undefined {
  if (was === is) return undefined;
  const form = formOf(shape, is);
  const replaced = was === undefined || form === "piece" || formOf(shape, was) === "piece" ||
    isNothing(was) && isNothing(is);
  const own = replaced && !sameJson(was, is) && !held?.member;
  if (form === "elements") return newElements(shape, asList(is), own);
  const node = new NodeBuilder(own);
  if (form === "members") {
    addMembers(node, { shape, was: asObject(was ?? null), is: asObject(is), withheld: held?.below ?? EMPTY });
  }
  return node.build();
}
