// Values as text and as bytes.
import type { Value } from "./interface.ts";

const OPEN_BRACE = 0x7b;

const encoder = new TextEncoder(), decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function bytesOf(value: Value): Uint8Array {
  return typeof value === "string" ? encoder.encode(value) : value;
}

/** JSON is text; everything else is left to whoever knows it. */
export function valueOf(bytes: Uint8Array): Value {
  return bytes[0] === OPEN_BRACE ? decoder.decode(bytes) : bytes;
}
