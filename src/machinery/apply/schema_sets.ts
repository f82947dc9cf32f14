// Sets of fields seen through a type: the members that it declares, and what has become one piece.
import type { TypeModel } from "../schema/model.ts";
import type { JsonObject } from "../types.ts";
import { descend, type FieldSet, isEmptySet, LEAF, nodeOf } from "./field_set.ts";
import { type Shape, shapeOf, shapeOfOthers } from "./typed.ts";

/** The shape of what an element names; undefined where the type says nothing. */
function shapeAt(shape: Shape | undefined, element: string): Shape | undefined {
  if (shape === undefined) return undefined;
  if (element[0] !== "f") return shape.element;
  if (shape.element !== undefined) return undefined;
  return shape.declared.get(element)?.shape ?? shapeOfOthers(shape);
}

/** Declared members above a field of the set become fields of it too: naming what is below means naming them. */
export function withDeclaredParents(type: TypeModel, set: FieldSet): FieldSet {
  return nodeOf(false, parentsBelow(shapeOf(type), set)) ?? set;
}

function parentsBelow(shape: Shape | undefined, set: FieldSet): JsonObject {
  const out: JsonObject = {};
  for (const element in set) {
    if (element === ".") continue;
    const { member, below } = descend(set, element)!;
    const declared = shape?.declared.has(element) ?? false;
    out[element] = nodeOf(member || declared, parentsBelow(shapeAt(shape, element), below)) as JsonObject;
  }
  return out;
}

/**
 * A set that was written when the type was another: what has become one piece since is owned as a whole by whoever
 * owned something in it. The set itself when nothing has changed.
 */
export function reconcile(type: TypeModel, set: FieldSet): FieldSet {
  return reconcileBelow(shapeOf(type), set);
}

function reconcileBelow(shape: Shape, set: FieldSet): FieldSet {
  const kind = shape.type?.kind;
  // Elsewhere the type has no say.
  if (kind !== "struct" && kind !== "map" && kind !== "list") return set;
  let out: JsonObject | undefined;
  for (const element in set) {
    const below = set[element] as FieldSet;
    if (element === "." || isEmptySet(below)) continue;
    const inner = shapeAt(shape, element);
    if (inner === undefined) continue;
    const now = isAtomic(inner) ? LEAF : reconcileBelow(inner, below);
    if (now !== below) (out ??= { ...set })[element] = now as JsonObject;
  }
  return out ?? set;
}

/** Whether a type takes as one piece what else could be taken apart. */
function isAtomic({ form, type }: Shape): boolean {
  if (form !== "piece") return false;
  const kind = type?.kind;
  return kind === undefined || kind === "struct" || kind === "map" || kind === "list" || kind === "rawExtension";
}
