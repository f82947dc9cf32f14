// Objects → protobuf, byte for byte as the real server writes it: fields by number, maps by key, and what Go holds
// without a pointer always. Compiled per type out of the schema model.
import { jsonSchemaType } from "../codec/schema_or.ts";
import { isObject, type Json, type JsonObject, type KubeObject } from "../types.ts";
import type { FieldModel, ListType, MapType, ScalarKind, StructType, TypeModel } from "../schema/model.ts";
import { isWrapped, type MessageField, messageFields } from "./fields.ts";
import { FIXED64, VARINT, Writer } from "./writer.ts";

const writer = new Writer();

/** One object in its envelope: what a client that asks for protobuf is answered. */
export function encodeProtobuf(type: StructType, object: KubeObject): Uint8Array<ArrayBuffer> {
  return wrap(object, () => messageOf(type)(object as unknown as JsonObject));
}

/** One object without envelope and kind: an item of a list. */
export function encodeMessage(type: StructType, object: KubeObject): Uint8Array<ArrayBuffer> {
  writer.reset();
  messageOf(type)(object as unknown as JsonObject);
  return writer.take();
}

/** A list in its envelope, out of items that are messages already. `list` has no items. */
export function encodeProtobufList(
  listType: StructType,
  list: { kind: string; apiVersion: string; metadata: JsonObject },
  items: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const { number } = listType.fields.get("items")!;
  return wrap(list, () => {
    for (let i = items.length - 1; i >= 0; i--) {
      const mark = writer.length;
      writer.bytes(items[i]);
      writer.prefix(number, mark);
    }
    messageOf(listType)({ metadata: list.metadata });
  });
}

/** One event of a watch, framed: four bytes of length, then a WatchEvent that holds the object in its envelope. */
export function encodeWatchFrame(event: string, enveloped: Uint8Array): Uint8Array<ArrayBuffer> {
  writer.reset();
  writer.bytes(enveloped);
  writer.prefix(1, 0);
  writer.prefix(2, 0);
  const mark = writer.length;
  writer.string(event);
  writer.prefix(1, mark);
  const { length } = writer;
  for (let shift = 0; shift < 32; shift += 8) writer.byte(length >>> shift & 0xff);
  return writer.take();
}

const MAGIC = Uint8Array.of(0x6b, 0x38, 0x73, 0);

/** runtime.Unknown around what `write` writes, behind the mark of the format. Lists of resources have no apiVersion. */
function wrap(
  { kind, apiVersion = "" }: { kind: string; apiVersion?: string },
  write: () => void,
): Uint8Array<ArrayBuffer> {
  writer.reset();
  // Content encoding and content type are empty.
  writer.prefix(4, 0);
  writer.prefix(3, writer.length);
  const raw = writer.length;
  write();
  writer.prefix(2, raw);
  const typeMeta = writer.length;
  string(2, kind);
  string(1, apiVersion);
  writer.prefix(1, typeMeta);
  writer.bytes(MAGIC);
  return writer.take();
}

function string(number: number, text: string): void {
  const mark = writer.length;
  writer.string(text);
  writer.prefix(number, mark);
}

function int(number: number, value: number): void {
  writer.varint(value);
  writer.tag(number, VARINT);
}

type WriteMessage = (object: JsonObject) => void;
/** Writes a field of an object, or nothing. */
type WriteField = (object: JsonObject) => void;

const EMPTY: JsonObject = {};
const messages = new WeakMap<StructType, WriteMessage>();

function messageOf(type: StructType): WriteMessage {
  let message = messages.get(type);
  if (message === undefined) {
    let fields: readonly WriteField[] | undefined;
    message = (object) => {
      fields ??= compile(messageFields(type));
      for (let i = 0; i < fields.length; i++) fields[i](object);
    };
    messages.set(type, message);
  }
  return message;
}

/** From the last to the first, since that is how bytes are written. */
function compile(fields: readonly MessageField[]): WriteField[] {
  return fields.map((entry) => {
    if ("field" in entry) return fieldWriter(entry.field);
    const inner = compile(entry.inner);
    return (object: JsonObject) => {
      const mark = writer.length;
      for (const write of inner) write(object);
      writer.prefix(entry.number, mark);
    };
  }).reverse();
}

function fieldWriter(field: FieldModel): WriteField {
  const { name, number, type, pointer } = field;
  if (isWrapped(field) && type.kind === "list") return wrappedListField(field, type);
  if (type.kind === "list") return repeatedField(name, number, type);
  if (type.kind === "map") return mapField(field, type);
  const write = valueWriter(type, number);
  // Bytes that are nil are not written, nor is what a pointer does not point to.
  if (pointer || type.kind === "bytes") {
    return (object) => {
      const value = object[name];
      if (value !== undefined && value !== null) write(value);
    };
  }
  return (object) => write(object[name] ?? null);
}

function repeatedField(name: string, number: number, type: ListType): WriteField {
  let write: WriteValue | undefined;
  return (object) => {
    const list = object[name];
    if (!Array.isArray(list)) return;
    write ??= valueWriter(type.element, number);
    for (let i = list.length - 1; i >= 0; i--) write(list[i]);
  };
}

function wrappedListField({ name, number }: FieldModel, type: ListType): WriteField {
  const items = repeatedField(name, 1, type);
  return (object) => {
    if (!Array.isArray(object[name])) return;
    const mark = writer.length;
    items(object);
    writer.prefix(number, mark);
  };
}

function mapField(field: FieldModel, type: MapType): WriteField {
  const { name, number } = field;
  let write: WriteValue | undefined;
  return (object) => {
    const map = object[name];
    if (typeof map !== "object" || map === null) return;
    write ??= isWrapped(field) ? wrappedValue(type.value as ListType) : valueWriter(type.value, 2);
    const keys = Object.keys(map).sort();
    for (let i = keys.length - 1; i >= 0; i--) {
      const mark = writer.length, value = (map as JsonObject)[keys[i]]!;
      if (value !== null || type.value.kind !== "bytes") write(value);
      string(1, keys[i]);
      writer.prefix(number, mark);
    }
  };
}

function wrappedValue(type: ListType): WriteValue {
  const items = repeatedField("items", 1, type);
  return (value) => {
    const mark = writer.length;
    items({ items: value });
    writer.prefix(2, mark);
  };
}

/** Writes one value with its tag; null is the zero value. */
type WriteValue = (value: Json) => void;

function valueWriter(type: TypeModel, number: number): WriteValue {
  switch (type.kind) {
    case "struct": {
      const message = messageOf(type);
      return delimited(number, (value) => message((value ?? EMPTY) as JsonObject));
    }
    case "list":
    case "map":
      throw new TypeError(`protobuf has no lists of lists or maps: ${number}`);
    case "boolean":
      return (value) => int(number, value === true ? 1 : 0);
    case "int32":
    case "int64":
      return (value) => int(number, (value ?? 0) as number);
    case "double":
      return (value) => {
        writer.double((value ?? 0) as number);
        writer.tag(number, FIXED64);
      };
    default:
      return delimited(number, PAYLOADS[type.kind]);
  }
}

function delimited(number: number, payload: WriteValue): WriteValue {
  return (value) => {
    const mark = writer.length;
    payload(value);
    writer.prefix(number, mark);
  };
}

function writeRaw(value: Json): void {
  if (value !== null) string(1, JSON.stringify(value));
}

const schemaMessage: WriteValue = (value) => messageOf(jsonSchemaType())(value as JsonObject);

/** The payloads of scalars that are delimited. */
const PAYLOADS: Record<Exclude<ScalarKind, "boolean" | "int32" | "int64" | "double">, WriteValue> = {
  string: (value) => writer.string((value ?? "") as string),
  bytes: (value) => writer.bytes(Uint8Array.fromBase64((value ?? "") as string)),
  quantity: (value) => string(1, (value ?? "0") as string),
  time: (value) => {
    if (value !== null) writeTimestamp(value as string, 0);
  },
  microTime: (value) => {
    if (value !== null) writeTimestamp(value as string, Number(/\.(\d{6})/.exec(value as string)?.[1] ?? 0) * 1000);
  },
  duration: () => {
    throw new TypeError("protobuf has no durations");
  },
  intOrString: (value) => {
    const isText = typeof value === "string";
    string(3, isText ? value : "");
    int(2, isText ? 0 : (value ?? 0) as number);
    int(1, isText ? 1 : 0);
  },
  fieldsV1: writeRaw,
  rawExtension: writeRaw,
  json: writeRaw,
  schemaOrArray: (value) => {
    if (Array.isArray(value)) { for (const schema of [...value].reverse()) delimited(2, schemaMessage)(schema); }
    if (isObject(value)) delimited(1, schemaMessage)(value);
  },
  schemaOrBool: (value) => {
    if (isObject(value)) delimited(2, schemaMessage)(value);
    int(1, value === false || value === null ? 0 : 1);
  },
  schemaOrStringArray: (value) => {
    if (Array.isArray(value)) { for (const name of [...value].reverse()) string(2, name as string); }
    if (isObject(value)) delimited(1, schemaMessage)(value);
  },
};

function writeTimestamp(text: string, nanos: number): void {
  int(2, nanos);
  int(1, Math.floor(Date.parse(text) / 1000));
}
