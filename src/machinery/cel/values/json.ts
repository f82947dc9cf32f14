// JSON data as values: without a schema, or by a schema's types.
import type { Json, JsonObject } from "../../types.ts";
import { EvalError, noSuchOverload } from "./errors.ts";
import { Double, type Equality, ListValue, MapValue, normalizeInt, type Value } from "./value.ts";
import { lookUp } from "../../look_up.ts";

/** Makes a value of JSON data. Throws EvalError when the data is not as it should be. */
export type Adapter = (json: Json) => Value;

/** Data of which nothing is known beforehand: whole numbers are integers. */
export function dynamicValue(json: Json | undefined): Value {
  switch (typeof json) {
    case "number":
      if (Number.isSafeInteger(json)) return json;
      return Number.isInteger(json) && Math.abs(json) < 2 ** 63 ? normalizeInt(BigInt(json)) : new Double(json);
    case "object":
      if (json === null) return null;
      return Array.isArray(json) ? new JsonList(json, dynamicValue) : new JsonMap(json, dynamicValue);
    case "undefined":
      return null;
    default:
      return json;
  }
}

/** An array of JSON. */
export class JsonList extends ListValue {
  constructor(readonly json: readonly Json[], readonly element: Adapter) {
    super();
  }

  get size(): number {
    return this.json.length;
  }

  at(index: number): Value {
    return this.element(this.json[index]);
  }
}

/** A list without order: `x-kubernetes-list-type: set`. */
export class SetList extends JsonList {
  override equals(other: Value): boolean {
    if (!(other instanceof ListValue)) throw noSuchOverload();
    if (other.size !== this.size) return false;
    const own = new Set<unknown>(this.json);
    return toJsonList(other).every((element) => own.has(element));
  }

  override concat(other: ListValue): ListValue {
    return new SetList([...new Set([...this.json, ...toJsonList(other)])], this.element);
  }
}

/** A list of objects that are known by some of their fields: `x-kubernetes-list-type: map`. */
export class KeyedList extends JsonList {
  constructor(json: readonly Json[], element: Adapter, readonly keys: readonly string[]) {
    super(json, element);
  }

  #key(element: Json): string {
    const object = element as JsonObject;
    return JSON.stringify(this.keys.map((key) => object[key] ?? null));
  }

  override equals(other: Value, equal: Equality): boolean {
    if (!(other instanceof ListValue)) throw noSuchOverload();
    if (other.size !== this.size) return false;
    const own = new Map(this.json.map((element) => [this.#key(element), element]));
    return toJsonList(other).every((element, i) => {
      const match = own.get(this.#key(element));
      return match !== undefined && equal(this.element(match), other.at(i));
    });
  }

  override concat(other: ListValue): ListValue {
    const merged = new Map(this.json.map((element) => [this.#key(element), element]));
    for (const element of toJsonList(other)) merged.set(this.#key(element), element);
    return new KeyedList([...merged.values()], this.element, this.keys);
  }
}

function toJsonList(list: ListValue): readonly Json[] {
  return list instanceof JsonList ? list.json : list.toArray().map(toJson);
}

/** An object of JSON whose members all have one type. */
export class JsonMap extends MapValue {
  constructor(readonly json: JsonObject, readonly value: Adapter) {
    super();
  }

  get size(): number {
    return Object.keys(this.json).length;
  }

  find(key: Value): Value | undefined {
    const member = typeof key === "string" ? lookUp(this.json, key) : undefined;
    return member === undefined ? undefined : this.value(member);
  }

  keys(): Value[] {
    return Object.keys(this.json).filter((key) => this.json[key] !== undefined);
  }
}

/** A field of an object of JSON. */
export interface JsonField {
  readonly name: string;
  readonly value: Adapter;
  /** The object has the same field under another name, which counts. */
  readonly alias?: boolean;
}

/** An object of JSON with fields of their own types, by the names that expressions know them by. */
export class JsonObjectValue extends MapValue {
  constructor(
    readonly json: JsonObject,
    readonly fields: ReadonlyMap<string, JsonField>,
  ) {
    super();
  }

  get size(): number {
    return Object.keys(this.json).length;
  }

  find(key: Value): Value | undefined {
    const field = this.fields.get(key as string);
    if (field === undefined) return undefined;
    const member = lookUp(this.json, field.name);
    // A field that is null is absent.
    return member === undefined || member === null ? undefined : field.value(member);
  }

  keys(): Value[] {
    const keys: Value[] = [];
    for (const [key, { name, alias }] of this.fields) {
      if (!alias && lookUp(this.json, name) !== undefined) keys.push(key);
    }
    return keys;
  }
}

/** A value as JSON. Throws EvalError for what JSON has no form for. */
export function toJson(value: Value): Json {
  if (value === null || typeof value === "boolean" || typeof value === "string" || typeof value === "number") {
    return value;
  }
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value instanceof Double) return value.value;
  if (value instanceof JsonList) return value.json as Json[];
  if (value instanceof JsonMap || value instanceof JsonObjectValue) return value.json;
  if (value instanceof ListValue) return value.toArray().map(toJson);
  if (value instanceof MapValue) {
    const map = value;
    return Object.fromEntries(map.keys().map((key) => [String(key), toJson(map.find(key)!)]));
  }
  throw new EvalError("unsupported conversion to JSON");
}
