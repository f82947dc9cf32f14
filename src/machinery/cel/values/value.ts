// The values that expressions compute with. Whole numbers are JavaScript numbers while they are exact and bigints beyond
// that, so that the usual case costs nothing; what JavaScript has no type of its own for is a small class.
import type { CelType } from "../types.ts";
import type { Duration, Timestamp } from "./time.ts";

/** A 64-bit signed integer: a safe integer as a number, anything larger as a bigint. */
export type Int = number | bigint;

export type Value =
  | null
  | boolean
  | Int
  | string
  | Uint8Array
  | Double
  | Uint
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | Optional
  | TypeValue
  | OpaqueValue;

/** A 64-bit floating point number. */
export class Double {
  constructor(readonly value: number) {}
}

/** A 64-bit unsigned integer. */
export class Uint {
  constructor(readonly value: bigint) {}
}

/** A type as a value: what `type(x)` gives. */
export class TypeValue {
  constructor(readonly type: CelType) {}
}

/** A value that may be absent; {@link NONE} when it is. */
export class Optional {
  constructor(readonly value: Value | undefined) {}
}

export const NONE: Optional = new Optional(undefined);

/** Whether two values are equal. Throws EvalError where that cannot be said. */
export type Equality = (a: Value, b: Value) => boolean;

/** A list of values. */
export abstract class ListValue {
  abstract readonly size: number;
  /** The element at an index that exists. Throws EvalError when the data does not fit its schema. */
  abstract at(index: number): Value;

  *[Symbol.iterator](): Generator<Value> {
    for (let i = 0; i < this.size; i++) yield this.at(i);
  }

  toArray(): Value[] {
    const items: Value[] = [];
    for (let i = 0; i < this.size; i++) items.push(this.at(i));
    return items;
  }

  /** Element by element. Throws EvalError when elements cannot be compared. */
  equals(other: Value, equal: Equality): boolean {
    if (!(other instanceof ListValue) || other.size !== this.size) return false;
    for (let i = 0; i < this.size; i++) {
      if (!equal(this.at(i), other.at(i))) return false;
    }
    return true;
  }

  /** This list with another one behind it. Throws EvalError. */
  concat(other: ListValue, _equal: Equality): ListValue {
    return new ArrayList([...this.toArray(), ...other.toArray()]);
  }
}

/** A list that an expression made. */
export class ArrayList extends ListValue {
  constructor(readonly items: readonly Value[]) {
    super();
  }

  get size(): number {
    return this.items.length;
  }

  at(index: number): Value {
    return this.items[index];
  }
}

/** A map from strings, numbers or booleans to values, or an object with its fields. */
export abstract class MapValue {
  abstract readonly size: number;
  /** Undefined when the key is absent. Throws EvalError when the data does not fit its schema. */
  abstract find(key: Value): Value | undefined;
  abstract keys(): Value[];

  /** Key by key. Throws EvalError when values cannot be compared. */
  equals(other: Value, equal: Equality): boolean {
    if (!(other instanceof MapValue) || other.size !== this.size) return false;
    for (const key of this.keys()) {
      const otherValue = other.find(key);
      if (otherValue === undefined || !equal(this.find(key)!, otherValue)) return false;
    }
    return true;
  }
}

/** A map that an expression made. Keys are equal across number types, as in the language. */
export class HashMap extends MapValue {
  readonly #entries = new Map<unknown, { key: Value; value: Value }>();

  get size(): number {
    return this.#entries.size;
  }

  set(key: Value, value: Value): void {
    this.#entries.set(hashKey(key), { key, value });
  }

  delete(key: Value): void {
    this.#entries.delete(hashKey(key));
  }

  find(key: Value): Value | undefined {
    return this.#entries.get(hashKey(key))?.value;
  }

  keys(): Value[] {
    return [...this.#entries.values()].map((entry) => entry.key);
  }

  copy(): HashMap {
    const result = new HashMap();
    for (const { key, value } of this.#entries.values()) result.set(key, value);
    return result;
  }
}

/** A value of a library's own type; its class says which. */
export abstract class OpaqueValue {
  abstract readonly type: CelType;
  /** Equality with another value. Throws EvalError when they cannot be compared. */
  abstract equals(other: Value): boolean;
  /** What `size` of the cost model sees; 1 when the type has no size. */
  get size(): number {
    return 1;
  }
}

/** What is the same for keys that are equal: `1`, `1u` and `1.0` are one key. */
export function hashKey(key: Value): unknown {
  if (key instanceof Uint) return normalizeInt(key.value);
  if (key instanceof Double) return Number.isInteger(key.value) ? normalizeInt(BigInt(key.value)) : key.value;
  return key;
}

/** A number when the integer is exact as one. */
export function normalizeInt(value: bigint): Int {
  return value <= MAX_SAFE && value >= MIN_SAFE ? Number(value) : value;
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const MIN_SAFE = -MAX_SAFE;

/** Whether a value is a signed integer. */
export function isInt(value: Value): value is Int {
  return typeof value === "number" || typeof value === "bigint";
}
