// How a value of a type is taken apart: what its members are, which lists have keys, what is one piece.
import { goJson } from "../go_text.ts";
import type { FieldModel, ListType, StructType, TypeModel } from "../schema/model.ts";
import { isObject, type Json, type JsonObject } from "../types.ts";

/** What can be done with a value: look at its members, at its elements, or take it as one piece. */
export type Form = "members" | "elements" | "piece";

const NO_MEMBERS: ReadonlyMap<string, Member> = new Map();
const NO_KEYS: readonly Key[] = [];

/** A type as server-side apply sees it. There is one of each type: {@link shapeOf}. */
export class Shape {
  /** `open`: an object is taken apart by its members, and whatever else is one piece. */
  readonly form: Form | "open";
  /** Of members that are not declared by name; undefined when there may be none. */
  readonly others: Shape | undefined;
  /** Of the elements of a list; undefined for what is none. */
  readonly element: Shape | undefined;
  /** The latest layouts of its objects. */
  readonly layouts: Layout[] = [];
  #members: ReadonlyMap<string, Member> | undefined;
  #declared: ReadonlyMap<string, Member> | undefined;
  #keys: readonly Key[] | undefined;

  /** @param type undefined when there is none that says anything */
  constructor(readonly type: TypeModel | undefined, form?: Form | "open") {
    this.form = form ?? formOfType(type!);
    this.others = type === undefined ? this : othersOf(type);
    this.element = type?.kind === "list" ? shapeOf(type.element) : undefined;
    this.#members = this.#declared = type?.kind === "struct" ? undefined : NO_MEMBERS;
    this.#keys = type?.kind === "list" ? undefined : NO_KEYS;
  }

  /** The members that a struct declares, by their names. */
  get members(): ReadonlyMap<string, Member> {
    return this.#members ??= membersOf(this.type as StructType);
  }

  /** The same by their elements. */
  get declared(): ReadonlyMap<string, Member> {
    return this.#declared ??= new Map([...this.members.values()].map((member) => [member.element, member]));
  }

  /** The keys by which a list tells its elements apart, in their order; none when they are told apart as they are. */
  get keys(): readonly Key[] {
    return this.#keys ??= keysOf(this.type as ListType);
  }
}

/** No schema: objects are taken apart member by member, and lists are one piece. */
const DEDUCED = new Shape(undefined, "open");
/** Whatever it is, it is one piece. */
const ATOMIC = new Shape(undefined, "piece");

const shapes = new WeakMap<TypeModel, Shape>();

export function shapeOf(type: TypeModel): Shape {
  let shape = shapes.get(type);
  if (shape === undefined) shapes.set(type, shape = new Shape(type));
  return shape;
}

function formOfType(type: TypeModel): Form | "open" {
  switch (type.kind) {
    case "struct":
    case "map":
      return type.atomic ? "piece" : "members";
    case "list":
      return type.listType === "atomic" ? "piece" : "elements";
    case "json":
    case "fieldsV1":
    case "intOrString":
    case "schemaOrArray":
    case "schemaOrBool":
    case "schemaOrStringArray":
      return "open";
    default:
      return "piece";
  }
}

function othersOf(type: TypeModel): Shape | undefined {
  switch (type.kind) {
    case "map":
      return shapeOf(type.value);
    case "struct":
      if (type.additional !== undefined) return shapeOf(type.additional);
      return type.preserveUnknown || type.fields.size === 0 ? DEDUCED : undefined;
    case "rawExtension":
      return ATOMIC;
    default:
      return DEDUCED;
  }
}

/** What can be done with a value of a type. Null and undefined take any form that the type has. */
export function formOf({ form }: Shape, value: Json | undefined): Form {
  if (form !== "open") return form;
  return value === undefined || value === null || isObject(value) ? "members" : "piece";
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
const NO_VALUES: JsonObject = Object.freeze({});

export function asList(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : NO_ELEMENTS;
}

export function asObject(value: Json): JsonObject {
  return isObject(value) ? value : NO_VALUES;
}

/** What an object says of a member. Others that every object has, such as `constructor`, are functions: no JSON is. */
export function memberValue(object: JsonObject, name: string): Json | undefined {
  const value = object[name];
  return typeof value === "function" ? undefined : value;
}

/** The members of all objects of a type that have just these, in this order. */
export interface Layout {
  readonly names: readonly string[];
  /** In the order of a set. */
  readonly members: readonly Member[];
}

/** A member of an object as its type sees it. */
export interface Member {
  readonly name: string;
  /** `f:name` */
  readonly element: string;
  /** Where it stands among the members that its struct declares, in the order of their names; -1 for all others. */
  readonly rank: number;
  readonly shape: Shape;
}

function membersOf(struct: StructType): ReadonlyMap<string, Member> {
  const names = [...struct.fields.keys()].sort();
  return new Map(names.map((name, rank) => [name, new DeclaredMember(struct.fields.get(name)!, rank)]));
}

class DeclaredMember implements Member {
  readonly name: string;
  readonly element: string;
  readonly #field: FieldModel;
  #shape: Shape | undefined;

  constructor(field: FieldModel, readonly rank: number) {
    this.#field = field;
    this.name = field.name;
    this.element = `f:${field.name}`;
  }

  /** Types may contain themselves: it is looked up when it is first asked for. */
  get shape(): Shape {
    return this.#shape ??= shapeOf(this.#field.type);
  }
}

/** Any member; what the type does not know is taken as it is. */
export function memberOf(shape: Shape, name: string): Member {
  return shape.members.get(name) ?? { name, element: `f:${name}`, rank: -1, shape: shapeOfOthers(shape) };
}

/** The shape of any member. */
export function memberShape(shape: Shape, name: string): Shape {
  return shape.members.get(name)?.shape ?? shapeOfOthers(shape);
}

/** The shape of members that are not declared. */
export function shapeOfOthers(shape: Shape): Shape {
  return shape.others ?? DEDUCED;
}

/** One of the members by which a list tells its elements apart. */
export interface Key {
  readonly name: string;
  /** `"name":` */
  readonly prefix: string;
  /** What an element has that does not give the key. */
  readonly fallback: Json | undefined;
}

function keysOf(list: ListType): readonly Key[] {
  if (list.mapKeys.length === 0) return NO_KEYS;
  const { fields } = list.element as StructType;
  return [...list.mapKeys].sort().map((name) => ({
    name,
    prefix: `${goJson(name)}:`,
    fallback: fields?.get(name)?.default,
  }));
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
    const mine = a[name];
    if (mine === undefined) continue;
    count++;
    const theirs = b[name];
    if (mine !== theirs && !sameJson(mine, theirs)) return false;
  }
  for (const name in b) if (b[name] !== undefined) count--;
  return count === 0;
}
