// How a value of a type is taken apart: what its members are, which lists have keys, what is one piece.
import type { ListType, MapType, StructType, TypeModel } from "../schema/model.ts";
import { isObject, type Json, type JsonObject } from "../types.ts";

/**
 * A type as server-side apply sees it. `deduced`: no schema, so that objects are taken apart member by member and lists
 * are one piece; `atomic`: whatever it is, it is one piece.
 */
export type Shape = TypeModel | "deduced" | "atomic";

/** What can be done with a value: look at its members, at its elements, or take it as one piece. */
export type Form = "members" | "elements" | "piece";

/** Null and undefined take any form that the type has. */
export function formOf(shape: Shape, value: Json | undefined): Form {
  const kind = typeof shape === "string" ? shape : shape.kind;
  switch (kind) {
    case "struct":
    case "map":
      return (shape as StructType | MapType).atomic ? "piece" : "members";
    case "list":
      return (shape as ListType).listType === "atomic" ? "piece" : "elements";
    case "deduced":
    case "json":
    case "fieldsV1":
    case "intOrString":
    case "schemaOrArray":
    case "schemaOrBool":
    case "schemaOrStringArray":
      return value === undefined || value === null || isObject(value) ? "members" : "piece";
    default:
      return "piece";
  }
}

/** Null, or an object or list with nothing in it. */
export function isNothing(value: Json): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== "object") return false;
  for (const _ in value) return false;
  return true;
}

export const NO_ELEMENTS: readonly Json[] = [];
const NO_MEMBERS: JsonObject = Object.freeze({});

export function asList(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : NO_ELEMENTS;
}

export function asObject(value: Json): JsonObject {
  return isObject(value) ? value : NO_MEMBERS;
}

/** A member that a struct declares. */
export interface Member {
  /** `f:name` */
  readonly element: string;
  /** Where it stands among the members of its struct in the order of their names. */
  readonly rank: number;
  readonly shape: Shape;
}

const structs = new WeakMap<StructType, ReadonlyMap<string, Member>>();

function membersOf(struct: StructType): ReadonlyMap<string, Member> {
  let members = structs.get(struct);
  if (members === undefined) {
    const names = [...struct.fields.keys()].sort();
    members = new Map(names.map((name, rank) => [name, new DeclaredMember(struct, name, rank)]));
    structs.set(struct, members);
  }
  return members;
}

class DeclaredMember implements Member {
  readonly element: string;
  readonly #struct: StructType;
  readonly #name: string;
  #shape: Shape | undefined;

  constructor(struct: StructType, name: string, readonly rank: number) {
    this.#struct = struct;
    this.#name = name;
    this.element = `f:${name}`;
  }

  /** Types may contain themselves: it is looked up when it is first asked for. */
  get shape(): Shape {
    return this.#shape ??= this.#struct.fields.get(this.#name)!.type;
  }
}

/** The shape of members that an object's type does not declare by name; undefined when it may have none. */
export function otherMembers(shape: Shape): Shape | undefined {
  if (typeof shape === "string") return shape;
  switch (shape.kind) {
    case "map":
      return shape.value;
    case "struct":
      if (shape.additional !== undefined) return shape.additional;
      return shape.preserveUnknown || shape.fields.size === 0 ? "deduced" : undefined;
    case "rawExtension":
      return "atomic";
    default:
      return "deduced";
  }
}

/** The member that a struct declares; undefined for other types and names. */
export function declaredMember(shape: Shape, name: string): Member | undefined {
  return typeof shape === "object" && shape.kind === "struct" ? membersOf(shape).get(name) : undefined;
}

/** The shape of any member; what the type does not know is taken as it is. */
export function memberShape(shape: Shape, name: string): Shape {
  return declaredMember(shape, name)?.shape ?? otherMembers(shape) ?? "deduced";
}

/** Whether two values are the same, null and absence told apart. The order of members does not matter. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!sameJson(a[i], b[i])) return false;
    return true;
  }
  return !Array.isArray(b) && sameMembers(a, b);
}

function sameMembers(a: JsonObject, b: JsonObject): boolean {
  let count = 0;
  for (const name in a) {
    if (a[name] === undefined) continue;
    count++;
    if (!sameJson(a[name], b[name])) return false;
  }
  for (const name in b) if (b[name] !== undefined) count--;
  return count === 0;
}
