// Scalars of the model: how each is checked and brought into the form in which it is written, and what it is when empty.
import { canonicalQuantity } from "../quantity.ts";
import type { ScalarKind } from "../schema/model.ts";
import { canonicalMicroTime, canonicalTime } from "../time.ts";
import { formatDuration, parseDuration } from "../duration.ts";
import type { Json } from "../types.ts";

/** Thrown, always the same, when a value is not of its type: `strict.ts` finds out what the matter is. */
export const MISMATCH = new Error("a value is not of its type");

/** Null is not given to it. Throws {@link MISMATCH} or an error of the scalar's own. */
export type ReadScalar = (value: Json) => Json;

const INT32_MAX = 2147483647, INT32_MIN = -2147483648, INT64_LIMIT = 2 ** 63;

function readString(value: Json): Json {
  if (typeof value !== "string") throw MISMATCH;
  return value;
}

function readInt32(value: Json): Json {
  if (typeof value !== "number" || !Number.isInteger(value) || value > INT32_MAX || value < INT32_MIN) throw MISMATCH;
  return value;
}

/** Whether a number fits one byte. */
export function isByte(value: Json): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
}

/** Bytes may also be a list of numbers. */
function readByte(value: Json): number {
  if (value === null) return 0;
  if (!isByte(value)) throw MISMATCH;
  return value;
}

function readText(canonical: (text: string) => string | null): ReadScalar {
  return (value) => {
    if (typeof value !== "string") throw MISMATCH;
    return canonical(value);
  };
}

const keep: ReadScalar = (value) => value;

export const SCALAR_READERS: Record<Exclude<ScalarKind, `schemaOr${string}`>, ReadScalar> = {
  string: readString,
  boolean: (value) => {
    if (typeof value !== "boolean") throw MISMATCH;
    return value;
  },
  int32: readInt32,
  int64: (value) => {
    if (typeof value === "bigint") return Number(value);
    if (typeof value !== "number" || !Number.isInteger(value) || Math.abs(value) > INT64_LIMIT) throw MISMATCH;
    return value;
  },
  double: (value) => {
    if (typeof value === "bigint") return Number(value);
    if (typeof value !== "number") throw MISMATCH;
    return value;
  },
  bytes: (value) => {
    if (typeof value === "string") return canonicalBase64(value);
    if (!Array.isArray(value)) throw MISMATCH;
    return btoa(value.map((byte) => String.fromCharCode(readByte(byte))).join(""));
  },
  quantity: (value) => {
    if (typeof value === "string") return canonicalQuantity(value.trim());
    if (typeof value !== "number" && typeof value !== "bigint") throw MISMATCH;
    return canonicalQuantity(String(value));
  },
  time: readText(canonicalTime),
  microTime: readText(canonicalMicroTime),
  duration: readText((text) => {
    const duration = parseDuration(text);
    if (duration === undefined) throw MISMATCH;
    return formatDuration(duration);
  }),
  intOrString: (value) => typeof value === "string" ? value : readInt32(value),
  fieldsV1: keep,
  rawExtension: keep,
  json: keep,
};

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Last characters before padding that carry no bits beyond the last byte. */
const CLEAN_TAIL = /(?:[^=]|[AQgw]==|[AEIMQUYcgkosw048]=)$/;

/** Standard base64 with padding, line breaks and stray bits taken out. */
function canonicalBase64(text: string): string {
  if (text === "" || text.length % 4 === 0 && BASE64.test(text) && CLEAN_TAIL.test(text)) return text;
  if (badBase64Byte(text) !== undefined) throw MISMATCH;
  return btoa(atob(text.replace(/[\r\n]/g, "")));
}

/** Where a text stops being base64, counted as Go's decoder counts; undefined when it never does. */
export function badBase64Byte(text: string): number | undefined {
  if (text.length % 4 === 0 && BASE64.test(text)) return undefined;
  const bytes = new TextEncoder().encode(text);
  let at = 0, inGroup = 0;
  const next = () => {
    while (bytes[at] === 10 || bytes[at] === 13) at++;
    return at < bytes.length ? String.fromCharCode(bytes[at++]) : undefined;
  };
  for (;;) {
    const c = next();
    if (c === undefined) return inGroup === 0 ? undefined : at - inGroup;
    if (/[A-Za-z0-9+/]/.test(c)) {
      inGroup = (inGroup + 1) % 4;
      continue;
    }
    if (c !== "=" || inGroup < 2) return at - 1;
    if (inGroup === 2) {
      const second = next();
      if (second === undefined) return bytes.length;
      if (second !== "=") return at - 2;
    }
    return next() === undefined ? undefined : at - 1;
  }
}

/** What a scalar is when nothing set it, where it is written even then. */
export const SCALAR_ZEROS: Record<ScalarKind, Json> = {
  string: "",
  boolean: false,
  int32: 0,
  int64: 0,
  double: 0,
  intOrString: 0,
  quantity: "0",
  duration: "0s",
  bytes: null,
  time: null,
  microTime: null,
  fieldsV1: null,
  rawExtension: null,
  json: null,
  schemaOrArray: null,
  schemaOrBool: false,
  schemaOrStringArray: null,
};
