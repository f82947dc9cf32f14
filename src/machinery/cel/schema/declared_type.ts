// The types that expressions see for data described by a schema, with how large such data can get.
import { MAX_REQUEST } from "../cost/factors.ts";
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  structOf,
  TIMESTAMP,
} from "../types.ts";
import type { Range } from "../cost/range.ts";
import { range } from "../cost/range.ts";
import type { StructDeclaration } from "../environment.ts";
import type { Estimator } from "../cost/estimate.ts";
import { escapeName, isReserved } from "./escape.ts";
import { additionalOf, itemsOf, type JSONSchema } from "../../schema/structural_schema.ts";
import { withMeta } from "./whole_object.ts";

/** A type with the sizes of its data. */
export interface DeclaredType {
  readonly kind: "simple" | "list" | "map" | "object";
  /** Of simple types; others have one once they are named. */
  readonly simple?: CelType;
  /** The most elements, entries or characters. */
  readonly maxElements: number;
  /** The fewest bytes as JSON. */
  readonly minSize: number;
  readonly element?: DeclaredType;
  readonly fields?: ReadonlyMap<string, DeclaredType>;
}

/** Sizes of values as JSON. */
const SIZE = { text: 2, boolean: 4, number: 1, duration: 3, date: 12, time: 21, object: 2 };
const MAX_TEXT = MAX_REQUEST - 2;
const MAX_FORMATTED = { duration: 32, date: 12, "date-time": 32 };
/** A character can take four bytes. */
const BYTES_PER_CHARACTER = 4;

function simple(type: CelType, minSize: number, maxElements = 0): DeclaredType {
  return { kind: "simple", simple: type, minSize, maxElements };
}

function maxLength({ maxLength }: JSONSchema): number | undefined {
  return maxLength === undefined ? undefined : Math.max(maxLength, 0);
}

function textType(schema: JSONSchema): DeclaredType {
  const length = maxLength(schema);
  switch (schema.format) {
    case "byte":
      return simple(BYTES, SIZE.text, length ?? MAX_TEXT);
    case "duration":
      return simple(DURATION, SIZE.duration, MAX_FORMATTED.duration);
    case "date":
      return simple(TIMESTAMP, SIZE.date, MAX_FORMATTED.date);
    case "date-time":
      return simple(TIMESTAMP, SIZE.time, MAX_FORMATTED["date-time"]);
  }
  if (length !== undefined) return simple(STRING, SIZE.text, length * BYTES_PER_CHARACTER);
  return simple(STRING, SIZE.text, schema.enum?.length ? longest(schema.enum) : MAX_TEXT);
}

function longest(values: readonly unknown[]): number {
  const encoder = new TextEncoder();
  return Math.max(0, ...values.map((value) => typeof value === "string" ? encoder.encode(value).length : 0));
}

/**
 * The type of data of a schema; undefined for data that expressions do not see, since nothing is said of it.
 * @param isRoot it is a whole object
 */
export function declaredType(schema: JSONSchema, isRoot: boolean): DeclaredType | undefined {
  if (schema["x-kubernetes-int-or-string"]) {
    const length = maxLength(schema);
    return simple(DYN, 1, length === undefined ? MAX_TEXT : length * BYTES_PER_CHARACTER);
  }
  const whole = isRoot ? withMeta(schema) : schema;
  switch (whole.type) {
    case "array":
      return listType(whole);
    case "object":
      return objectType(whole);
    case "string":
      return textType(whole);
    case "boolean":
      return simple(BOOL, SIZE.boolean);
    case "number":
      return simple(DOUBLE, SIZE.number);
    case "integer":
      return simple(INT, SIZE.number);
    default:
      return undefined;
  }
}

function listType(schema: JSONSchema): DeclaredType | undefined {
  const items = itemsOf(schema);
  const element = items && declaredType(items, items["x-kubernetes-embedded-resource"] === true);
  if (element === undefined) return undefined;
  const maxElements = schema.maxItems === undefined
    ? Math.floor((MAX_REQUEST - 2) / (element.minSize + 1))
    : Math.max(schema.maxItems, 0);
  return { kind: "list", element, maxElements, minSize: SIZE.object };
}

function objectType(schema: JSONSchema): DeclaredType | undefined {
  const additional = additionalOf(schema);
  if (additional !== undefined) return mapType(schema, additional);
  const fields = new Map<string, DeclaredType>();
  let minSize = SIZE.object;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const type = declaredType(property, property["x-kubernetes-embedded-resource"] === true);
    if (type === undefined) continue;
    const escaped = escapeName(name);
    if (escaped !== undefined) fields.set(escaped, type);
    // What has a default need not be in a request.
    if (schema.required?.includes(name) && property.default === undefined) {
      minSize += new TextEncoder().encode(name).length + type.minSize + 4;
    }
  }
  return { kind: "object", fields, maxElements: 0, minSize };
}

function mapType(schema: JSONSchema, additional: JSONSchema): DeclaredType | undefined {
  const element = declaredType(additional, additional["x-kubernetes-embedded-resource"] === true);
  if (element === undefined) return undefined;
  // A key, its quotes, a colon and a comma.
  const maxElements = schema.maxProperties === undefined
    ? Math.floor((MAX_REQUEST - 2) / (element.minSize + 6))
    : Math.max(schema.maxProperties, 0);
  return { kind: "map", element, maxElements, minSize: SIZE.object };
}

/** A type with names for the objects in it. */
export interface NamedType {
  readonly type: CelType;
  findStruct(name: string): StructDeclaration | undefined;
}

/** Names the objects in a type after the way to them from `name`. */
export function nameType(declared: DeclaredType, name: string): NamedType {
  const structs = new Map<string, StructDeclaration>();
  const typeOf = (type: DeclaredType, at: string): CelType => {
    switch (type.kind) {
      case "simple":
        return type.simple!;
      case "list":
        return listOf(typeOf(type.element!, `${at}.@idx`));
      case "map":
        return mapOf(STRING, typeOf(type.element!, `${at}.@elem`));
      case "object": {
        const fields = new Map<string, CelType>();
        for (const [field, fieldType] of type.fields!) fields.set(field, typeOf(fieldType, `${at}.${field}`));
        const struct = structOf(at);
        const fieldType = (field: string) =>
          fields.get(field) ?? (isReserved(field) ? fields.get(`__${field}__`) : undefined);
        structs.set(at, { type: struct, fieldType });
        return struct;
      }
    }
  };
  return { type: typeOf(declared, name), findStruct: (struct) => structs.get(struct) };
}

/** Sizes of what a variable of a type holds, whatever the variable is called. */
export function sizesOf(root: DeclaredType): Estimator {
  return {
    sizeAt(path): Range | undefined {
      let type: DeclaredType | undefined = root;
      for (const step of path.slice(1)) {
        if (step === "@items" || step === "@values") type = type?.element;
        else if (step === "@keys") type = type?.kind === "map" ? simple(STRING, 0) : undefined;
        else type = type?.fields?.get(step);
        if (type === undefined) return undefined;
      }
      return range(0, type.maxElements);
    },
  };
}

/** How often an object of this size can be in a request. */
export function maxCardinality({ minSize }: DeclaredType): number {
  return Math.floor(MAX_REQUEST / (minSize + 1));
}
