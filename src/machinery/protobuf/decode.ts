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
import { DELIMITED, END_GROUP, FIXED64, VARINT } from "./writer.ts";

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
  if (bytes.length === 0) throw new ProtobufError("empty data");
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${MAGIC.join(" ")}]`,
    );
  }
  if (bytes.length === MAGIC.length) throw new ProtobufError("empty body");
  const envelope: Envelope = { apiVersion: "", kind: "", raw: new Uint8Array(), contentEncoding: "", contentType: "" };
  const reader = new Reader(bytes, MAGIC.length);
  eachField(reader, SHAPES.unknown, (number) => {
    if (number === 1) reader.message(() => readTypeMeta(reader, envelope));
    else if (number === 2) envelope.raw = reader.bytes();
    else if (number === 3) envelope.contentEncoding = reader.string();
    else envelope.contentType = reader.string();
  });
  return envelope;
}

function readTypeMeta(reader: Reader, envelope: Envelope): void {
  eachField(reader, SHAPES.typeMeta, (number) => {
    if (number === 1) envelope.apiVersion = reader.string();
    else envelope.kind = reader.string();
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

/** A message with few fields: what Go calls it, and its fields by number with their wire types. */
interface Shape {
  name: string;
  fields: Readonly<Record<number, { name: string; wire: number }>>;
}

function shape(name: string, ...fields: readonly [number: number, name: string, wire: number][]): Shape {
  return { name, fields: Object.fromEntries(fields.map(([number, name, wire]) => [number, { name, wire }])) };
}

const SHAPES = {
  unknown: shape(
    "Unknown",
    [1, "TypeMeta", DELIMITED],
    [2, "Raw", DELIMITED],
    [3, "ContentEncoding", DELIMITED],
    [4, "ContentType", DELIMITED],
  ),
  typeMeta: shape("TypeMeta", [1, "APIVersion", DELIMITED], [2, "Kind", DELIMITED]),
  raw: shape("RawExtension", [1, "Raw", DELIMITED]),
  time: shape("Timestamp", [1, "Seconds", VARINT], [2, "Nanos", VARINT]),
  quantity: shape("Quantity", [1, "String", DELIMITED]),
  intOrString: shape("IntOrString", [1, "Type", VARINT], [2, "IntVal", VARINT], [3, "StrVal", DELIMITED]),
  schemaOrArray: shape("JSONSchemaPropsOrArray", [1, "Schema", DELIMITED], [2, "JSONSchemas", DELIMITED]),
  schemaOrBool: shape("JSONSchemaPropsOrBool", [1, "Allows", VARINT], [2, "Schema", DELIMITED]),
  schemaOrStringArray: shape("JSONSchemaPropsOrStringArray", [1, "Schema", DELIMITED], [2, "Property", DELIMITED]),
};

/** Calls `read` for every field of the shape; others are passed over. */
function eachField(reader: Reader, { name, fields }: Shape, read: (number: number) => void): void {
  while (!reader.done) {
    const tag = readTag(reader, name), number = Math.floor(tag / 8), wire = tag & 7, field = fields[number];
    if (field === undefined) reader.skip(wire);
    else if (field.wire === wire) read(number);
    else throw wrongWire(wire, field.name);
  }
}

/** The number of the next field times eight, plus its wire type. */
function readTag(reader: Reader, message: string): number {
  const tag = reader.varint(), wire = tag & 7;
  if (wire === END_GROUP) throw new ProtobufError(`proto: ${message}: wiretype end group for non-group`);
  if (tag >= 8) return tag;
  throw new ProtobufError(`proto: ${message}: illegal tag ${Math.floor(tag / 8)} (wire type ${tag})`);
}

function wrongWire(wire: number, field: string): ProtobufError {
  return new ProtobufError(`proto: wrong wireType = ${wire} for field ${field}`);
}

type Slots = (Json | undefined)[];
type ReadField = (reader: Reader, slots: Slots) => void;
type ReadMessage = (reader: Reader) => Json;

const WIRES: Partial<Record<TypeModel["kind"], number>> = {
  boolean: VARINT,
  int32: VARINT,
  int64: VARINT,
  double: FIXED64,
};

/** The fields of one message by number. */
type Table = Map<number, { read: ReadField; wire: number; name: string }>;

const messages = new WeakMap<StructType, ReadMessage>();

/** Without its package. */
function goTypeName({ goName }: StructType): string {
  return goName.slice(goName.lastIndexOf(".") + 1);
}

function messageOf(type: StructType): ReadMessage {
  let message = messages.get(type);
  if (message === undefined) {
    let fields: CompiledFields, table: Table | undefined;
    const name = goTypeName(type);
    message = (reader) => {
      if (table === undefined) {
        fields = compiledFields(type);
        table = compile(messageFields(type), fields);
      }
      const slots: Slots = new Array(fields.list.length);
      readInto(reader, name, table, slots);
      return finish(fields, slots);
    };
    messages.set(type, message);
  }
  return message;
}

function readInto(reader: Reader, message: string, table: Table, slots: Slots): void {
  while (!reader.done) {
    const tag = readTag(reader, message), wire = tag & 7, entry = table.get(Math.floor(tag / 8));
    if (entry === undefined) reader.skip(wire);
    else if (entry.wire === wire) entry.read(reader, slots);
    else throw wrongWire(wire, entry.name);
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
        wire: WIRES[single.kind] ?? DELIMITED,
        name: goFieldName(field),
      });
    } else {
      const { name } = entry, inner = compile(entry.inner, fields);
      const read: ReadField = (reader, slots) => reader.message(() => readInto(reader, name, inner, slots));
      table.set(entry.number, { read, wire: DELIMITED, name });
    }
  }
  return table;
}

/** Words at the beginning of names that Go writes in capitals. */
const INITIALS =
  /^(api|aws|csi|cpu|dns|fc|fs|gce|gmsa|grpc|http|id|ip|iscsi|nfs|os|pid|rbd|se|tcp|tls|ttl|tty|uid|uri|url|wwids)(?=[A-Z]|s?$)/;

/** Near enough for messages: Go's names of fields are those of JSON with a capital. */
function goFieldName({ name, type }: FieldModel): string {
  if (name === "metadata" && type.kind === "struct") return goTypeName(type);
  const initials = INITIALS.exec(name)?.[0].length ?? 1;
  return name.slice(0, initials).toUpperCase() + name.slice(initials);
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
  const read = valueReader(type.element), list = shape("ExtraValue", [1, "Items", DELIMITED]);
  return (reader) =>
    reader.message(() => {
      const items: Json[] = [];
      eachField(reader, list, () => items.push(read(reader)));
      return items;
    });
}

function mapReader(field: FieldModel, type: MapType, at: number): ReadField {
  let read: ReadMessage | undefined;
  return (reader, slots) => {
    read ??= isWrapped(field) ? wrappedList(type.value as ListType) : valueReader(type.value);
    let key = "", value: Json | undefined;
    // Go's decoder looks at no wire types in here.
    reader.message(() => {
      while (!reader.done) {
        const tag = reader.varint(), number = Math.floor(tag / 8);
        if (number === 1) key = reader.string();
        else if (number === 2) value = read!(reader);
        else reader.skip(tag & 7);
      }
    });
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

const json = new TextDecoder("utf-8", { ignoreBOM: true });

/** JSON in the one field of a message; nothing is null. */
const readRaw: ReadMessage = (reader) =>
  reader.message(() => {
    let value: Json = null;
    eachField(reader, SHAPES.raw, () => {
      value = parseRaw(reader.bytes());
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

function readTimestamp(reader: Reader): { seconds: number; nanos: number } {
  return reader.message(() => {
    let seconds = 0, nanos = 0;
    eachField(reader, SHAPES.time, (number) => {
      if (number === 1) seconds = reader.varint();
      else nanos = reader.varint();
    });
    return { seconds, nanos };
  });
}

/** The zero time, in seconds. */
const ZERO_SECONDS = Date.parse("0001-01-01T00:00:00Z") / 1000;

const FIRST_SECOND = Date.parse("0000-01-01T00:00:00Z") / 1000, LAST_SECOND = Date.parse("9999-12-31T23:59:59Z") / 1000;

function readTime(reader: Reader, fraction: (nanos: number) => string): Json {
  const start = reader.at;
  const { seconds, nanos } = readTimestamp(reader);
  // An empty message is the zero time.
  if (reader.at - start <= 1 || seconds === ZERO_SECONDS && nanos === 0) return null;
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) throw new ProtobufError("year is not in the range [0,9999]");
  return formatTime(seconds * 1000).slice(0, -1) + fraction(nanos) + "Z";
}

function readSchemaOr(
  reader: Reader,
  shape: Shape,
  read: (number: number, found: SchemaOrParts) => void,
): SchemaOrParts {
  return reader.message(() => {
    const found: SchemaOrParts = { list: [] };
    eachField(reader, shape, (number) => read(number, found));
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
      eachField(reader, SHAPES.quantity, () => {
        text = canonicalQuantity(reader.string());
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
      eachField(reader, SHAPES.intOrString, (field) => {
        if (field === 1) isText = reader.varint() === 1;
        else if (field === 2) number = reader.int32();
        else text = reader.string();
      });
      return isText ? text : number;
    }),
  fieldsV1: readRaw,
  rawExtension: readRaw,
  json: readRaw,
  schemaOrArray: (reader) => {
    const { schema, list } = readSchemaOr(reader, SHAPES.schemaOrArray, (number, found) => {
      if (number === 1) found.schema = readSchema(reader);
      else found.list.push(readSchema(reader));
    });
    return list.length > 0 ? list : schema ?? null;
  },
  schemaOrBool: (reader) => {
    const { schema, allows = false } = readSchemaOr(reader, SHAPES.schemaOrBool, (number, found) => {
      if (number === 1) found.allows = reader.varint() !== 0;
      else found.schema = readSchema(reader);
    });
    return schema ?? allows;
  },
  schemaOrStringArray: (reader) => {
    const { schema, list } = readSchemaOr(reader, SHAPES.schemaOrStringArray, (number, found) => {
      if (number === 1) found.schema = readSchema(reader);
      else found.list.push(reader.string());
    });
    return list.length > 0 ? list : schema ?? null;
  },
};
