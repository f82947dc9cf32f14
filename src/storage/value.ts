// Values as text and as bytes.
import type { Value } from "./interface.ts";

const OPEN_BRACE = 0x7b, NEWLINE = 0x0a;

const encoder = new TextEncoder(), decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function bytesOf(value: Value): Uint8Array {
  return typeof value === "string" ? encoder.encode(value) : value;
}

/** JSON is text, without the newline that kube-apiserver ends it with; everything else is left to whoever knows it. */
export function valueOf(bytes: Uint8Array): Value {
  if (bytes[0] !== OPEN_BRACE) return bytes;
  return decoder.decode(bytes.at(-1) === NEWLINE ? bytes.subarray(0, -1) : bytes);
}

export function sameValue(a: Value, b: Value): boolean {
  return a === b || typeof a !== "string" && typeof b !== "string" && sameBytes(a, b);
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
