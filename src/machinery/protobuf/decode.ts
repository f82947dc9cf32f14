// Protobuf → objects, in the form in which they are written as JSON. Compiled per type out of the schema model.
import {
  type CompiledField,
  type CompiledFields,
  compiledFields,
  isEmptyContainer,
  ordered,
  setMember,
  zeroOf,
} from "../codec/compile.ts";
import { parseJson } from "../codec/parse.ts";
import { jsonSchemaType } from "../codec/schema_or.ts";
import { canonicalQuantity } from "../quantity.ts";
import type { FieldModel, ListType, MapType, ScalarKind, StructType, TypeModel } from "../schema/model.ts";
import { formatTime } from "../time.ts";
import type { Json, JsonObject, KubeObject } from "../types.ts";
import { isWrapped, type MessageField, messageFields } from "./fields.ts";
import { ProtobufError, Reader } from "./reader.ts";

export { ProtobufError };

/** What is in an envelope. */
export interface Envelope {
  apiVersion: string;
  kind: string;
  /** The message. */
  raw: Uint8Array;
  contentEncoding: string;
  contentType: string;
}

const MAGIC = [0x6b, 0x38, 0x73, 0];

/** Opens the envelope of one object. Throws {@link ProtobufError}. */
export function decodeEnvelope(bytes: Uint8Array): Envelope {
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${MAGIC.join(" ")}]`,
    );
  }
  const envelope: Envelope = { apiVersion: "", kind: "", raw: new Uint8Array(), contentEncoding: "", contentType: "" };
  const reader = new Reader(bytes, MAGIC.length);
  eachField(reader, (number) => {
    if (number === 1) reader.message(() => readTypeMeta(reader, envelope));
    else if (number === 2) envelope.raw = reader.bytes();
    else if (number === 3) envelope.contentEncoding = reader.string();
    else if (number === 4) envelope.contentType = reader.string();
    else return false;
    return true;
  });
  return envelope;
}

function readTypeMeta(reader: Reader, envelope: Envelope): void {
  eachField(reader, (number) => {
    if (number === 1) envelope.apiVersion = reader.string();
    else if (number === 2) envelope.kind = reader.string();
    else return false;
    return true;
  });
}

/** The object in an envelope. Throws {@link ProtobufError} and QuantityError. */
export function decodeProtobuf(type: StructType, bytes: Uint8Array): KubeObject {
  const { apiVersion, kind, raw } = decodeEnvelope(bytes);
  return decodeMessage(type, raw, { apiVersion, kind });
}

/** A message without envelope, as the kind that it is said to be. Throws {@link ProtobufError} and QuantityError. */
export function decodeMessage(
  type: StructType,
  raw: Uint8Array,
  { apiVersion, kind }: { apiVersion: string; kind: string },
): KubeObject {
  const object = messageOf(type)(new Reader(raw)) as JsonObject;
  // Their place in the order of fields is the first.
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
  return { kind, apiVersion, ...rest } as unknown as KubeObject;
}

/** Calls `read` before every field; fields that it does not take (false) are passed over. */
function eachField(reader: Reader, read: (number: number, wire: number) => boolean): void {
  while (!reader.done) {
    const tag = reader.varint(), number = Math.floor(tag / 8), wire = tag & 7;
    if (number <= 0) throw new ProtobufError(`proto: illegal tag ${number} (wire type ${tag})`);
    if (!read(number, wire)) reader.skip(wire);
  }
}

type Slots = (Json | undefined)[];
type ReadField = (reader: Reader, slots: Slots) => void;
type ReadMessage = (reader: Reader) => Json;

const WIRES: Partial<Record<TypeModel["kind"], number>> = { boolean: 0, int32: 0, int64: 0, double: 1 };

/** The fields of one message by number. */
type Table = Map<number, { read: ReadField; wire: number; name: string }>;

const messages = new WeakMap<StructType, ReadMessage>();

function messageOf(type: StructType): ReadMessage {
  let message = messages.get(type);
  if (message === undefined) {
    let fields: CompiledFields, table: Table | undefined;
    message = (reader) => {
      if (table === undefined) {
        fields = compiledFields(type);
        table = compile(messageFields(type), fields);
      }
      const slots: Slots = new Array(fields.list.length);
      readInto(reader, table, slots);
      return finish(fields, slots);
    };
    messages.set(type, message);
  }
  return message;
}

function readInto(reader: Reader, table: Table, slots: Slots): void {
  while (!reader.done) {
    const tag = reader.varint(), number = Math.floor(tag / 8), wire = tag & 7;
    if (number <= 0) throw new ProtobufError(`proto: illegal tag ${number} (wire type ${tag})`);
    const entry = table.get(number);
    if (entry === undefined) reader.skip(wire);
    else if (entry.wire === wire) entry.read(reader, slots);
    else throw new ProtobufError(`proto: wrong wireType = ${wire} for field ${entry.name}`);
  }
}

/** Applies the rules of what is left out, and puts the members in order. */
function finish(fields: CompiledFields, slots: Slots): JsonObject {
  const { list } = fields;
  for (let i = 0; i < list.length; i++) {
    const member = slots[i];
    if (member !== undefined && isLeftOut(list[i], member)) slots[i] = undefined;
  }
  return ordered(fields, slots);
}

function isLeftOut(field: CompiledField, member: Json): boolean {
  if (member === null) return !field.nullIsZero;
  return member === field.empty || field.dropsEmptyContainer && isEmptyContainer(member);
}

function compile(entries: readonly MessageField[], fields: CompiledFields): Table {
  const table: Table = new Map();
  for (const entry of entries) {
    if ("field" in entry) {
      const { field } = entry, { at } = fields.byName.get(field.name)!;
      const single = field.type.kind === "list" && !isWrapped(field) ? field.type.element : field.type;
      table.set(entry.number, {
        read: fieldReader(field, at),
        wire: WIRES[single.kind] ?? 2,
        name: goFieldName(field),
      });
    } else {
      const inner = compile(entry.inner, fields);
      const read: ReadField = (reader, slots) => reader.message(() => readInto(reader, inner, slots));
      table.set(entry.number, { read, wire: 2, name: "" });
    }
  }
  return table;
}

/** Near enough for messages: Go's names of fields are those of JSON with a capital. */
function goFieldName({ name }: FieldModel): string {
  return name[0].toUpperCase() + name.slice(1);
}

function fieldReader(field: FieldModel, at: number): ReadField {
  const { type } = field;
  if (type.kind === "list") return isWrapped(field) ? wrappedReader(type, at) : repeatedReader(type, at);
  if (type.kind === "map") return mapReader(field, type, at);
  let read: ReadMessage | undefined;
  return (reader, slots) => {
    read ??= valueReader(type);
    slots[at] = read(reader);
  };
}

function repeatedReader(type: ListType, at: number): ReadField {
  let read: ReadMessage | undefined;
  return (reader, slots) => {
    read ??= valueReader(type.element);
    const list = (slots[at] ??= []) as Json[];
    list.push(read(reader));
  };
}

function wrappedReader(type: ListType, at: number): ReadField {
  const read = wrappedList(type);
  return (reader, slots) => {
    slots[at] = read(reader);
  };
}

function wrappedList(type: ListType): ReadMessage {
  const read = valueReader(type.element);
  return (reader) =>
    reader.message(() => {
      const list: Json[] = [];
      eachField(reader, (number) => number === 1 && list.push(read(reader)) > 0);
      return list;
    });
}

function mapReader(field: FieldModel, type: MapType, at: number): ReadField {
  let read: ReadMessage | undefined;
  return (reader, slots) => {
    read ??= isWrapped(field) ? wrappedList(type.value as ListType) : valueReader(type.value);
    let key = "", value: Json | undefined;
    reader.message(() =>
      eachField(reader, (number) => {
        if (number === 1) key = reader.string();
        else if (number === 2) value = read!(reader);
        else return false;
        return true;
      })
    );
    const map = (slots[at] ??= {}) as JsonObject;
    setMember(map, key, value ?? zeroOf(type.value));
  };
}

function valueReader(type: TypeModel): ReadMessage {
  switch (type.kind) {
    case "struct": {
      const message = messageOf(type);
      return (reader) => reader.message(() => message(reader));
    }
    case "list":
    case "map":
      throw new TypeError("protobuf has no lists of lists or maps");
    default:
      return VALUES[type.kind];
  }
}

const json = new TextDecoder();

/** JSON in the one field of a message; nothing is null. */
const readRaw: ReadMessage = (reader) =>
  reader.message(() => {
    let value: Json = null;
    eachField(reader, (number) => {
      if (number !== 1) return false;
      value = parseRaw(reader.bytes());
      return true;
    });
    return value;
  });

function parseRaw(bytes: Uint8Array): Json {
  if (bytes.length === 0) return null;
  try {
    return parseJson(json.decode(bytes)).value;
  } catch (e) {
    throw new ProtobufError((e as Error).message);
  }
}

/** Numbers of fields within small messages, by number. */
function readNumbers(reader: Reader): { 1: number; 2: number } {
  return reader.message(() => {
    const found = { 1: 0, 2: 0 };
    eachField(reader, (number) => {
      if (number !== 1 && number !== 2) return false;
      found[number] = reader.varint();
      return true;
    });
    return found;
  });
}

/** The zero time, in seconds. */
const ZERO_SECONDS = Date.parse("0001-01-01T00:00:00Z") / 1000;

const FIRST_SECOND = Date.parse("0000-01-01T00:00:00Z") / 1000, LAST_SECOND = Date.parse("9999-12-31T23:59:59Z") / 1000;

function readTime(reader: Reader, fraction: (nanos: number) => string): Json {
  const start = reader.at;
  const { 1: seconds, 2: nanos } = readNumbers(reader);
  // An empty message is the zero time.
  if (reader.at - start <= 1 || seconds === ZERO_SECONDS && nanos === 0) return null;
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) throw new ProtobufError("year is not in the range [0,9999]");
  return formatTime(seconds * 1000).slice(0, -1) + fraction(nanos) + "Z";
}

function readSchemaOr(reader: Reader, read: (number: number, found: SchemaOrParts) => boolean): SchemaOrParts {
  return reader.message(() => {
    const found: SchemaOrParts = { list: [] };
    eachField(reader, (number) => read(number, found));
    return found;
  });
}

interface SchemaOrParts {
  schema?: Json;
  list: Json[];
  allows?: boolean;
}

function readSchema(reader: Reader): Json {
  return reader.message(() => messageOf(jsonSchemaType())(reader));
}

const VALUES: Record<ScalarKind, ReadMessage> = {
  string: (reader) => reader.string(),
  boolean: (reader) => reader.varint() !== 0,
  int32: (reader) => reader.int32(),
  int64: (reader) => reader.varint(),
  double: (reader) => reader.double(),
  bytes: (reader) => reader.bytes().toBase64(),
  quantity: (reader) =>
    reader.message(() => {
      let text = "0";
      eachField(reader, (number) => {
        if (number !== 1) return false;
        text = canonicalQuantity(reader.string());
        return true;
      });
      return text;
    }),
  time: (reader) => readTime(reader, () => ""),
  microTime: (reader) => readTime(reader, (nanos) => `.${String(Math.floor(nanos / 1000)).padStart(6, "0")}`),
  duration: () => {
    throw new TypeError("protobuf has no durations");
  },
  intOrString: (reader) =>
    reader.message(() => {
      let isText = false, number = 0, text = "";
      eachField(reader, (field) => {
        if (field === 1) isText = reader.varint() === 1;
        else if (field === 2) number = reader.int32();
        else if (field === 3) text = reader.string();
        else return false;
        return true;
      });
      return isText ? text : number;
    }),
  fieldsV1: readRaw,
  rawExtension: readRaw,
  json: readRaw,
  schemaOrArray: (reader) => {
    const { schema, list } = readSchemaOr(reader, (number, found) => {
      if (number === 1) found.schema = readSchema(reader);
      else if (number === 2) found.list.push(readSchema(reader));
      else return false;
      return true;
    });
    return list.length > 0 ? list : schema ?? null;
  },
  schemaOrBool: (reader) => {
    const { schema, allows = false } = readSchemaOr(reader, (number, found) => {
      if (number === 1) found.allows = reader.varint() !== 0;
      else if (number === 2) found.schema = readSchema(reader);
      else return false;
      return true;
    });
    return schema ?? allows;
  },
  schemaOrStringArray: (reader) => {
    const { schema, list } = readSchemaOr(reader, (number, found) => {
      if (number === 1) found.schema = readSchema(reader);
      else if (number === 2) found.list.push(reader.string());
      else return false;
      return true;
    });
    return list.length > 0 ? list : schema ?? null;
  },
};
