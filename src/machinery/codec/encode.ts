// Canonical JSON: members in the order of the type, what is empty written or left out as Go does. Objects that come out
// of the decoder are so already and only what was changed since has to be put right: that is checked first, and parts
// are made anew only where it is needed.
import { builtinSchema } from "../schema/builtin.ts";
import type { StructType, TypeModel } from "../schema/model.ts";
import type { Json, JsonObject, KubeObject } from "../types.ts";
import {
  type CompiledField,
  type CompiledFields,
  compiledFields,
  elementZero,
  gather,
  isEmptyContainer,
  ordered,
  setMember,
  sortedMap,
} from "./compile.ts";

/** `kind`, `apiVersion` and `metadata` come first, also for custom resources. */
export function encode(type: StructType, object: KubeObject): string {
  return JSON.stringify(canonical(type, object as unknown as JsonObject));
}

/** As {@link encode}, after a way through protobuf, which does not tell lists and maps with nothing in them from none. */
export function encodeStored(type: StructType, object: KubeObject): string {
  return type.goName === ""
    ? encode(type, object)
    : JSON.stringify(writerOf(type, "stored")(object as unknown as Json));
}

/** The same value, or a copy of the parts of it that are not in canonical form. */
function canonical(type: StructType, object: JsonObject): JsonObject {
  return type.goName === "" ? customObject(object) : writerOf(type, "sent")(object) as JsonObject;
}

/** Gives back the same value when it is canonical. Null is not given to it. */
type Writer = (value: Json) => Json;

/** Whether a list or map that is always written is null as soon as nothing is in it. */
type Form = "sent" | "stored";

const keep: Writer = (value) => value;
const writers = { sent: new WeakMap<TypeModel, Writer>(), stored: new WeakMap<TypeModel, Writer>() };

function writerOf(type: TypeModel, form: Form): Writer {
  let writer = writers[form].get(type);
  if (writer === undefined) {
    writer = type.kind === "struct"
      ? structWriter(type, form)
      : type.kind === "list"
      ? listWriter(type.element, form)
      : type.kind === "map"
      ? mapWriter(type.value, form)
      : keep;
    writers[form].set(type, writer);
  }
  return writer;
}

/** What a field needs when it is written. */
interface Place {
  field: CompiledField;
  /** Undefined for scalars and lists of them. */
  write: Writer | undefined;
  /** Null is written for a list or map with nothing in it. */
  forgetsEmpty: boolean;
}

function isPlain(type: TypeModel): boolean {
  return type.kind === "list" ? isPlain(type.element) : type.kind !== "struct" && type.kind !== "map";
}

function structWriter(type: StructType, form: Form): Writer {
  let fields: CompiledFields, places: Map<string, Place> | undefined;
  return (value) => {
    if (typeof value !== "object") return value;
    if (places === undefined) {
      fields = compiledFields(type);
      places = new Map(fields.list.map((field) => {
        const write = isPlain(field.type) ? undefined : writerOf(field.type, form);
        return [field.name, { field, write, forgetsEmpty: form === "stored" && isForgotten(field) }];
      }));
    }
    const object = value as JsonObject;
    let last = -1, always = 0, unknown: string[] | undefined;
    // As in decoding, members are gathered from the first that is not as it should be: none is written twice, however
    // deep the change lies.
    let slots: (Json | undefined)[] | undefined;
    for (const name in object) {
      const place = places.get(name), given = object[name];
      if (place === undefined) {
        slots ??= gather(fields, object, name);
        (unknown ??= []).push(name);
        continue;
      }
      const { field, write } = place, member = written(place, given);
      if (slots !== undefined) {
        slots[field.at] = member;
      } else if (member !== given || given === undefined && write === undefined || field.at < last) {
        slots = gather(fields, object, name);
        slots[field.at] = member;
      } else {
        last = field.at;
        if (field.always) always++;
      }
    }
    if (slots === undefined && always === fields.always) return object;
    const out = ordered(fields, slots ?? gather(fields, object, ""));
    // Members that the type does not know stand at the end.
    for (const name of unknown ?? []) setMember(out, name, object[name]!);
    return out;
  };
}

function isForgotten({ nullIsZero, type }: CompiledField): boolean {
  return nullIsZero && (type.kind === "list" || type.kind === "map");
}

/** What is written for a member; undefined: it is left out. */
function written({ field, write, forgetsEmpty }: Place, member: Json | undefined): Json | undefined {
  if (member === null || member === undefined) return field.nullIsZero ? null : undefined;
  if (forgetsEmpty && isEmptyContainer(member)) return null;
  if (member === field.empty || field.dropsEmptyContainer && isEmptyContainer(member)) return undefined;
  return write === undefined ? member : write(member);
}

function listWriter(element: TypeModel, form: Form): Writer {
  const write = writerOf(element, form);
  if (write === keep) return keep;
  return (value) => {
    if (!Array.isArray(value)) return value;
    let out: Json[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const given = value[i], item = given === null ? elementZero(element) : write(given);
      if (item !== given) (out ??= value.slice())[i] = item;
    }
    return out ?? value;
  };
}

function mapWriter(valueType: TypeModel, form: Form): Writer {
  const write = writerOf(valueType, form);
  return (value) => {
    if (typeof value !== "object") return value;
    return sortedMap(value as JsonObject, (given) => given === null ? given : write(given));
  };
}

const HEADER = ["kind", "apiVersion", "metadata"];

/** Kind, apiVersion and metadata first, everything else by name. */
function customObject(object: JsonObject): JsonObject {
  const meta = builtinSchema().typeByName("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")!;
  const out: JsonObject = {};
  for (const name of HEADER) {
    const member = object[name];
    if (member !== undefined) {
      out[name] = name === "metadata" && member !== null ? writerOf(meta, "sent")(member) : member;
    }
  }
  for (const name of Object.keys(object).sort()) {
    if (!HEADER.includes(name)) setMember(out, name, byName(object[name]!));
  }
  return out;
}

/** The same value with the members of its objects in the order of their names; embedded objects keep their header. */
function byName(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    let out: Json[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const item = byName(value[i]);
      if (item !== value[i]) (out ??= value.slice())[i] = item;
    }
    return out ?? value;
  }
  return sortedMap(value, byName);
}
