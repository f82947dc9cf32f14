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
class Run {
  readonly metadata: string[] = [];
  readonly pruned: string[] = [];
  readonly embedded: string[] = [];

  /** @param lenient what cannot be read of metadata is dropped */
  constructor(readonly lenient: boolean) {}

  paths(): string[] {
    return [...this.metadata, ...this.pruned.sort(), ...this.embedded.sort()];
  }
}

/** Where a value is; its path is only put together when there is something to say about it. */
interface Place {
  parent: Place | undefined;
  /** The name of a member, or the index of an element. */
  step: string | number;
  /** It is a member of a map: field paths put its name in brackets. */
  isKey: boolean;
}

/** `type` is the root's: kind, apiVersion and metadata are read whether it names them or not. */
export function decodeCustom(type: StructType, value: Json, options: DecodeOptions): Outcome {
  const { source, strict = true, lenient = false } = options;
  const strictErrors = strict && source?.repeats ? examine(source.text, undefined).strictErrors : [];
  const run = new Run(lenient);
  let object: JsonObject;
  try {
    object = readWhole(type, value as JsonObject, run, undefined);
  } catch (e) {
    if (e instanceof Refusal) return { error: e.message };
    throw e;
  }
  if (strict) strictErrors.push(...run.paths().map((path) => ({ what: "unknown" as const, path })));
  return { object: object as unknown as KubeObject, strictErrors };
}

/** A value with only those members that its type knows, as decoding leaves it. */
export function pruned(type: TypeModel, value: Json): Json {
  return read(type, value, new Run(true), undefined);
}

/** `spec.map.key.list[0]` */
function pathOf(place: Place | undefined): string {
  if (place === undefined) return "";
  const before = pathOf(place.parent);
  if (typeof place.step === "number") return `${before}[${place.step}]`;
  return before === "" ? place.step : `${before}.${place.step}`;
}

/** `spec.map[key].list[0]` */
function fieldOf(place: Place | undefined): Path {
  if (place === undefined) return new Path("");
  const before = fieldOf(place.parent), { step } = place;
  return typeof step === "number" ? before.index(step) : place.isKey ? before.key(step) : before.child(step);
}

function member(parent: Place | undefined, step: string | number, isKey = false): Place {
  return { parent, step, isKey };
}

function read(type: TypeModel, value: Json, run: Run, at: Place | undefined): Json {
  if (typeof value !== "object" || value === null) return value;
  switch (type.kind) {
    case "struct":
      if (Array.isArray(value)) return emptied(value, run, at);
      if (type.embedded) return readWhole(type, value, run, at);
      return readMembers(value, (name, given) => readMember(type, name, given, { run, at }));
    case "list":
      if (!Array.isArray(value)) return emptied(value, run, at);
      return readElements(value, (element, i) => read(type.element, element, run, member(at, i)));
    case "map":
      return Array.isArray(value) ? emptied(value, run, at) : readMap(type, value, run, at);
    case "json":
      return sorted(value);
    default:
      return emptied(value, run, at);
  }
}

/** Members in the order of their names, without those that are undefined; the same object when it is so already. */
function readMembers(value: JsonObject, each: (name: string, given: Json) => Json | undefined): JsonObject {
  let changed: Map<string, Json | undefined> | undefined, isSorted = true, last = "";
  for (const name in value) {
    const given = value[name]!, read = each(name, given);
    if (read !== given) (changed ??= new Map()).set(name, read);
    if (name < last) isSorted = false;
    last = name;
  }
  if (isSorted && changed === undefined) return value;
  const out: JsonObject = {}, names = Object.keys(value);
  for (const name of isSorted ? names : names.sort()) {
    const read = changed?.has(name) ? changed.get(name) : value[name]!;
    if (read !== undefined) setMember(out, name, read);
  }
  return out;
}

function readElements(value: Json[], each: (element: Json, index: number) => Json): Json[] {
  let out: Json[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const read = each(value[i], i);
    if (read !== value[i]) (out ??= value.slice())[i] = read;
  }
  return out ?? value;
}

/** A value that should be something else: validation will say so, and none of its members is known. */
function emptied(value: Json, run: Run, at: Place | undefined): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((element, i) => emptied(element, run, member(at, i)));
  for (const name in value) run.pruned.push(pathOf(member(at, name)));
  return {};
}

function readMap(type: MapType, map: JsonObject, run: Run, at: Place | undefined): JsonObject {
  const { value: valueType, dropsNull } = type;
  return readMembers(map, (key, value) => {
    if (typeof value === "object" && value !== null) return read(valueType, value, run, member(at, key, true));
    return value === null && dropsNull ? undefined : value;
  });
}

/** Undefined: the member is dropped. */
function readMember(
  type: StructType,
  name: string,
  given: Json,
  { run, at }: { run: Run; at: Place | undefined },
): Json | undefined {
  const field = type.fields.get(name);
  if (field !== undefined) {
    if (given === null) return field.nullable ? given : undefined;
    return typeof given === "object" ? read(field.type, given, run, member(at, name)) : given;
  }
  if (type.additional !== undefined) return read(type.additional, given, run, member(at, name, true));
  if (type.preserveUnknown) return sorted(given);
  run.pruned.push(pathOf(member(at, name)));
  return undefined;
}

const HEADER = ["kind", "apiVersion", "metadata"];

/** A whole object: the custom resource itself, which is nowhere, or one embedded in it. */
function readWhole(type: StructType, value: JsonObject, run: Run, at: Place | undefined): JsonObject {
  const out: JsonObject = {};
  for (const name of ["kind", "apiVersion"]) {
    const given = value[name];
    if (given === undefined) continue;
    if (typeof given !== "string" && at !== undefined) {
      if (run.lenient) continue;
      throw new Refusal(formatFieldError(invalid(fieldOf(at).child(name), given, "must be a string")));
    }
    out[name] = given;
  }
  if (value.metadata !== undefined) out.metadata = readMetadata(value.metadata, run, at);
  for (const name of Object.keys(value).sort()) {
    if (HEADER.includes(name)) continue;
    const read = readMember(type, name, value[name]!, { run, at });
    if (read !== undefined) setMember(out, name, read);
  }
  return out;
}

function readMetadata(given: Json, run: Run, at: Place | undefined): Json {
  const type = builtinSchema().typeByName("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")!;
  const outcome = decodeTyped(type, sorted(given), {}), path = fieldOf(at).child("metadata");
  if (outcome.error !== undefined) {
    if (run.lenient) return readableMembers(type, given);
    throw new Refusal(at === undefined ? outcome.error : formatFieldError(invalid(path, given, outcome.error)));
  }
  const found = outcome.strictErrors.map((error) => `${path}.${error.path}`);
  (at === undefined ? run.metadata : run.embedded).push(...found);
  return withoutEmptyManagers(outcome.object as unknown as JsonObject);
}

/** Of built-in kinds an empty list forgets all managers, of custom resources it says nothing. */
function withoutEmptyManagers(metadata: JsonObject): JsonObject {
  const { managedFields, ...rest } = metadata;
  return Array.isArray(managedFields) && managedFields.length === 0 ? rest : metadata;
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
  return Array.isArray(value) ? readElements(value, sorted) : readMembers(value, (_name, given) => sorted(given));
}
