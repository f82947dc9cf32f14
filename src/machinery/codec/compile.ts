// Decoders of built-in types, compiled per type out of the schema model: parsed JSON → the object as Go would write it.
// Parts that need no change are taken over as they are, the others are made anew: what is given is never changed.
import { noteEmptyMembers } from "../empty_members.ts";
import type { FieldModel, ListType, MapType, ScalarKind, StructType, TypeModel } from "../schema/model.ts";
import type { Json, JsonObject } from "../types.ts";
import { MISMATCH, SCALAR_READERS, SCALAR_ZEROS } from "./scalars.ts";
import { schemaOrReader } from "./schema_or.ts";

/** Throws {@link MISMATCH}; null is not given to it. */
export type Decoder = (value: Json) => Json;

/** Whether a decoding has met a member that its type does not know: reset by who starts one. */
export const seen = { unknown: false };

const compiled = new WeakMap<TypeModel, Decoder>();

/** The decoder of a type, compiled when it is first asked for. */
export function decoderOf(type: TypeModel): Decoder {
  const known = compiled.get(type);
  if (known !== undefined) return known;
  const decoder = compile(type);
  compiled.set(type, decoder);
  return decoder;
}

function compile(type: TypeModel): Decoder {
  switch (type.kind) {
    case "struct":
      return structDecoder(type);
    case "list":
      return listDecoder(type);
    case "map":
      return mapDecoder(type);
    case "schemaOrArray":
    case "schemaOrBool":
    case "schemaOrStringArray":
      return schemaOrReader(type.kind, decoderOf);
    default:
      return SCALAR_READERS[type.kind];
  }
}

/**
 * Lists that say something by being empty: no managers is a wish to forget them all, no policies of an autoscaler are
 * refused where missing ones get defaults. They are still left out when they are written.
 */
const MEANINGFUL_WHEN_EMPTY = new Set(["managedFields", "policies"]);

/** How one field of a struct is read, and what is written when nothing is given. */
export class CompiledField {
  readonly name: string;
  /** Written when nothing is given: `zero`. */
  readonly always: boolean;
  /** Null is what is written when nothing is given. */
  readonly nullIsZero: boolean;
  /** Left out when it is this or, for lists and maps, empty. */
  readonly empty: Json | undefined;
  readonly dropsEmptyContainer: boolean;
  readonly keepsEmptyContainer: boolean;
  readonly type: TypeModel;
  readonly #pointer: boolean;
  #decode: Decoder | undefined;

  constructor(field: FieldModel, readonly at: number) {
    const { type, omit, pointer } = field;
    this.name = field.name;
    this.type = type;
    this.#pointer = pointer;
    this.always = omit === "never";
    const scalar = type.kind !== "struct" && type.kind !== "list" && type.kind !== "map";
    this.nullIsZero = this.always && (pointer || !scalar && type.kind !== "struct" ||
      scalar && SCALAR_ZEROS[type.kind as ScalarKind] === null);
    const dropsEmpty = omit === "empty" && !pointer;
    this.empty = omit === "zero"
      ? null
      : dropsEmpty && scalar
      ? SCALAR_ZEROS[type.kind as ScalarKind] ?? ""
      : undefined;
    this.dropsEmptyContainer = dropsEmpty && (type.kind === "list" || type.kind === "map");
    this.keepsEmptyContainer = MEANINGFUL_WHEN_EMPTY.has(field.name);
  }

  get decode(): Decoder {
    return this.#decode ??= decoderOf(this.type);
  }

  zero(): Json {
    return this.#pointer ? null : zeroOf(this.type);
  }
}

/** Go's zero value of a type. */
export function zeroOf(type: TypeModel): Json {
  switch (type.kind) {
    case "struct":
      return ordered(compiledFields(type), []);
    case "list":
    case "map":
      return null;
    default:
      return SCALAR_ZEROS[type.kind];
  }
}

/** What null stands for within a list or map: bytes that are missing there come back as empty ones. */
export function elementZero(type: TypeModel): Json {
  return type.kind === "bytes" ? "" : zeroOf(type);
}

export interface CompiledFields {
  list: readonly CompiledField[];
  byName: ReadonlyMap<string, CompiledField>;
  /** How many are written always. */
  always: number;
}

const fieldsOfStructs = new WeakMap<StructType, CompiledFields>();

/** The fields of a struct, compiled once. */
export function compiledFields(type: StructType): CompiledFields {
  let fields = fieldsOfStructs.get(type);
  if (fields === undefined) {
    const list = [...type.fields.values()].map((field, at) => new CompiledField(field, at));
    fields = {
      list,
      byName: new Map(list.map((field) => [field.name, field])),
      always: list.filter((field) => field.always).length,
    };
    fieldsOfStructs.set(type, fields);
  }
  return fields;
}

/** The object made of members by position, with what is always written. */
export function ordered({ list }: CompiledFields, slots: readonly (Json | undefined)[]): JsonObject {
  const out: JsonObject = {};
  for (let i = 0; i < list.length; i++) {
    const member = slots[i];
    if (member !== undefined) out[list[i].name] = member;
    else if (list[i].always) out[list[i].name] = list[i].zero();
  }
  return out;
}

function structDecoder(type: StructType): Decoder {
  let fields: CompiledFields | undefined;
  return (value) => {
    if (typeof value !== "object" || Array.isArray(value)) throw MISMATCH;
    fields ??= compiledFields(type);
    const { byName } = fields;
    let last = -1, always = 0;
    // As long as every member is as it should be, only order is watched; from the first that is not, they are gathered.
    let slots: (Json | undefined)[] | undefined, empty: Map<string, Json> | undefined;
    for (const name in value as JsonObject) {
      const field = byName.get(name), given = (value as JsonObject)[name];
      if (field === undefined) {
        seen.unknown = true;
        slots ??= gather(fields, value as JsonObject, name);
        continue;
      }
      const member = given === null || given === undefined
        ? (field.nullIsZero ? null : undefined)
        : readMember(field, given);
      if (member === undefined && field.dropsEmptyContainer && given) {
        (empty ??= new Map()).set(name, Array.isArray(given) ? [] : {});
      }
      if (slots !== undefined) {
        slots[field.at] = member;
      } else if (member !== given || field.at < last) {
        slots = gather(fields, value as JsonObject, name);
        slots[field.at] = member;
      } else {
        last = field.at;
        if (field.always) always++;
      }
    }
    if (slots === undefined && always === fields.always) return value;
    const out = ordered(fields, slots ?? gather(fields, value as JsonObject, ""));
    if (empty !== undefined) noteEmptyMembers(out, empty);
    return out;
  };
}

function readMember(field: CompiledField, given: Json): Json | undefined {
  const member = field.decode(given);
  if (member === field.empty) return undefined;
  if (field.dropsEmptyContainer && !field.keepsEmptyContainer && isEmptyContainer(member)) return undefined;
  return member;
}

/** The members before `name`, all of them in order and right, by position. */
export function gather({ list, byName }: CompiledFields, value: JsonObject, name: string): (Json | undefined)[] {
  const slots = new Array<Json | undefined>(list.length);
  for (const earlier in value) {
    if (earlier === name) break;
    slots[byName.get(earlier)!.at] = value[earlier];
  }
  return slots;
}

/** Whether a list or map has nothing in it. */
export function isEmptyContainer(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value as JsonObject) return false;
  return true;
}

function listDecoder(type: ListType): Decoder {
  let element: Decoder | undefined;
  return (value) => {
    if (!Array.isArray(value)) throw MISMATCH;
    element ??= decoderOf(type.element);
    let out: Json[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const given = value[i];
      const read = given === null ? elementZero(type.element) : element(given);
      if (read !== given) (out ??= value.slice())[i] = read;
    }
    return out ?? value;
  };
}

function mapDecoder(type: MapType): Decoder {
  let decodeValue: Decoder | undefined;
  return (value) => {
    if (typeof value !== "object" || Array.isArray(value)) throw MISMATCH;
    decodeValue ??= decoderOf(type.value);
    const valueDecoder = decodeValue;
    return sortedMap(value as JsonObject, (given) => given === null ? elementZero(type.value) : valueDecoder(given));
  };
}

/** The map with its keys in order and `each` done to its values; the same map when it is so already. */
export function sortedMap(map: JsonObject, each: (value: Json) => Json): JsonObject {
  let changed: Map<string, Json> | undefined, sorted = true, last = "";
  for (const key in map) {
    const given = map[key]!, value = each(given);
    if (value !== given) (changed ??= new Map()).set(key, value);
    if (key < last) sorted = false;
    last = key;
  }
  if (sorted && changed === undefined) return map;
  const out: JsonObject = {};
  for (const key of Object.keys(map).sort()) setMember(out, key, changed?.has(key) ? changed.get(key)! : map[key]!);
  return out;
}

/** Sets a member whatever its name is. */
export function setMember(object: JsonObject, name: string, value: Json): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else object[name] = value;
}
