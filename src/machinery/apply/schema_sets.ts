// Sets of fields seen through a type: the members that it declares, and what has become one piece.
import type { JsonObject } from "../types.ts";
import { descend, type FieldSet, isEmptySet, LEAF, nodeOf } from "./field_set.ts";
import { declaredMember, memberShape, type Shape } from "./typed.ts";

/** The shape of what an element names; undefined where the type says nothing. */
function shapeAt(shape: Shape | undefined, element: string): Shape | undefined {
  if (shape === undefined) return undefined;
  if (element[0] === "f") return isListOnly(shape) ? undefined : memberShape(shape, element.slice(2));
  return typeof shape === "object" && shape.kind === "list" ? shape.element : undefined;
}

function isListOnly(shape: Shape): boolean {
  return typeof shape === "object" && shape.kind === "list";
}

/** Declared members above a field of the set become fields of it too: naming what is below means naming them. */
export function withDeclaredParents(shape: Shape, set: FieldSet): FieldSet {
  return nodeOf(false, parentsBelow(shape, set)) ?? set;
}

function parentsBelow(shape: Shape | undefined, set: FieldSet): JsonObject {
  const out: JsonObject = {};
  for (const element in set) {
    if (element === ".") continue;
    const { member, below } = descend(set, element)!;
    const declared = element[0] === "f" && shape !== undefined && declaredMember(shape, element.slice(2)) !== undefined;
    out[element] = nodeOf(member || declared, parentsBelow(shapeAt(shape, element), below)) as JsonObject;
  }
  return out;
}

/**
 * A set that was written when the type was another: what has become one piece since is owned as a whole by whoever
 * owned something in it. The set itself when nothing has changed.
 */
export function reconcile(shape: Shape, set: FieldSet): FieldSet {
  let out: JsonObject | undefined;
  for (const element in set) {
    const below = set[element] as FieldSet;
    if (element === "." || isEmptySet(below)) continue;
    const inner = reconcilable(shape, element);
    if (inner === undefined) continue;
    const now = isPiece(inner) ? LEAF : reconcile(inner, below);
    if (now !== below) (out ??= { ...set })[element] = now as JsonObject;
  }
  return out ?? set;
}

/** The shape below an element where the type has a say in it. */
function reconcilable(shape: Shape, element: string): Shape | undefined {
  if (typeof shape === "string") return undefined;
  if (shape.kind === "struct" || shape.kind === "map" || shape.kind === "list") return shapeAt(shape, element);
  return undefined;
}

function isPiece(shape: Shape): boolean {
  if (typeof shape === "string") return shape === "atomic";
  switch (shape.kind) {
    case "struct":
    case "map":
      return shape.atomic;
    case "list":
      return shape.listType === "atomic";
    default:
      return shape.kind === "rawExtension";
  }
}
