// Decoding of custom resources: what a CustomResourceDefinition's schema does not know is dropped, metadata is read as
// that of built-in kinds, and values of wrong types are left for validation to complain of.
import { formatFieldError, invalid, Path } from "../field_error.ts";
import { builtinSchema } from "../schema/builtin.ts";
import type { MapType, StructType, TypeModel } from "../schema/model.ts";
import { isObject, type Json, type JsonObject, type KubeObject } from "../types.ts";
import { setMember } from "./compile.ts";
import { examine } from "./strict.ts";
import { type DecodeOptions, decodeTyped, type Outcome } from "./typed.ts";

/** Ends the decoding; the message is the answer. */
class Refusal extends Error {}

/** Paths of unknown members, in the order in which the API lists them: metadata's, then others by name. */
interface Unknown {
  metadata: string[];
  pruned: string[];
  embedded: string[];
}

/** `type` is the root's: kind, apiVersion and metadata are read whether it names them or not. */
export function decodeCustom(type: StructType, value: Json, options: DecodeOptions): Outcome {
  const { source, strict = true, lenient = false } = options;
  const strictErrors = strict && source?.repeats ? examine(source.text, undefined).strictErrors : [];
  const unknown: Unknown = { metadata: [], pruned: [], embedded: [] };
  let object: JsonObject;
  try {
    object = readWhole(type, value as JsonObject, { unknown, at: "", root: true, lenient });
  } catch (e) {
    if (e instanceof Refusal) return { error: e.message };
    throw e;
  }
  if (strict) {
    const paths = [...unknown.metadata, ...unknown.pruned.sort(), ...unknown.embedded.sort()];
    strictErrors.push(...paths.map((path) => ({ what: "unknown" as const, path })));
  }
  return { object: object as unknown as KubeObject, strictErrors };
}

/** A value with only those members that its type knows, as decoding leaves it. */
export function pruned(type: TypeModel, value: Json): Json {
  return read(type, value, { unknown: { metadata: [], pruned: [], embedded: [] }, at: "", lenient: true });
}

interface Place {
  unknown: Unknown;
  /** The path so far. */
  at: string;
  lenient: boolean;
  root?: boolean;
}

function join(at: string, name: string): string {
  return at === "" ? name : `${at}.${name}`;
}

function read(type: TypeModel, value: Json, place: Place): Json {
  if (typeof value !== "object" || value === null) return value;
  switch (type.kind) {
    case "struct":
      if (Array.isArray(value)) return emptied(value, place);
      return type.embedded ? readWhole(type, value, place) : readStruct(type, value, place);
    case "list":
      if (!Array.isArray(value)) return emptied(value, place);
      return value.map((element, i) => read(type.element, element, inside(place, `${place.at}[${i}]`)));
    case "map":
      return Array.isArray(value) ? emptied(value, place) : readMap(type, value, place);
    case "json":
      return sorted(value);
    default:
      return emptied(value, place);
  }
}

function inside({ unknown, lenient }: Place, at: string): Place {
  return { unknown, lenient, at };
}

/** A value that should be something else: validation will say so, and none of its members is known. */
function emptied(value: Json, place: Place): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((element, i) => emptied(element, inside(place, `${place.at}[${i}]`)));
  for (const name in value) place.unknown.pruned.push(join(place.at, name));
  return {};
}

function readMap(type: MapType, map: JsonObject, place: Place): JsonObject {
  const out: JsonObject = {}, { value: valueType } = type;
  for (const key of Object.keys(map).sort()) {
    const value = map[key]!;
    if (value === null && type.dropsNull) continue;
    setMember(out, key, read(valueType, value, inside(place, join(place.at, key))));
  }
  return out;
}

/** Members in the order of their names, nulls where they are values. */
function readStruct(type: StructType, value: JsonObject, place: Place): JsonObject {
  const out: JsonObject = {};
  for (const name of Object.keys(value).sort()) readMember(type, value, name, { out, place });
  return out;
}

function readMember(
  type: StructType,
  value: JsonObject,
  name: string,
  { out, place }: { out: JsonObject; place: Place },
): void {
  const field = type.fields.get(name), given = value[name]!;
  const within = inside(place, join(place.at, name));
  if (field !== undefined) {
    if (given !== null || field.nullable) setMember(out, name, read(field.type, given, within));
  } else if (type.additional !== undefined) setMember(out, name, read(type.additional, given, within));
  else if (type.preserveUnknown) setMember(out, name, sorted(given));
  else place.unknown.pruned.push(within.at);
}

const HEADER = ["kind", "apiVersion", "metadata"];

/** A whole object: the custom resource itself, or one embedded in it. */
function readWhole(type: StructType, value: JsonObject, place: Place): JsonObject {
  const out: JsonObject = {};
  for (const name of ["kind", "apiVersion"]) {
    const given = value[name];
    if (given === undefined) continue;
    if (typeof given !== "string" && !place.root) {
      if (place.lenient) continue;
      throw new Refusal(formatFieldError(invalid(new Path(join(place.at, name)), given, "must be a string")));
    }
    out[name] = given;
  }
  if (value.metadata !== undefined) out.metadata = readMetadata(value.metadata, place);
  for (const name of Object.keys(value).sort()) {
    if (!HEADER.includes(name)) readMember(type, value, name, { out, place });
  }
  return out;
}

function readMetadata(given: Json, { unknown, at, root, lenient }: Place): Json {
  const type = builtinSchema().typeByName("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")!;
  const path = join(at, "metadata");
  const outcome = decodeTyped(type, sorted(given), {});
  if (outcome.error !== undefined) {
    if (lenient) return readableMembers(type, given);
    if (root) throw new Refusal(outcome.error);
    throw new Refusal(formatFieldError(invalid(new Path(path), given, outcome.error)));
  }
  const found = outcome.strictErrors.map((error) => `${path}.${error.path}`);
  (root ? unknown.metadata : unknown.embedded).push(...found);
  return outcome.object as unknown as Json;
}

/** Of an object that cannot be read as a whole, the members that can. */
function readableMembers(type: StructType, given: Json): Json {
  if (!isObject(given)) return {};
  const readable = Object.entries(given).filter(([name, member]) =>
    decodeTyped(type, { [name]: member }, { strict: false }).error === undefined
  );
  return (decodeTyped(type, Object.fromEntries(readable), { strict: false }) as { object: KubeObject }).object as never;
}

/** Any value with its members in the order of their names. */
function sorted(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const out: JsonObject = {};
  for (const name of Object.keys(value).sort()) setMember(out, name, sorted(value[name]!));
  return out;
}
