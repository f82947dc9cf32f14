// Decoding: parsed JSON → an object of a type, built-in or custom. What comes out has its members in the order in which
// they are written, unknown members dropped, and Go's rules about null and empty values applied, so that storing and
// answering it needs no second pass. It shares what it can with the given value, which is never changed.
import { goQuote } from "../go_text.ts";
import type { StructType } from "../schema/model.ts";
import type { Json, JsonObject, KubeObject } from "../types.ts";
import { zeroOf } from "./compile.ts";
import { decodeCustom } from "./custom.ts";
import type { ParsedJson } from "./parse.ts";
import { examine, type StrictError } from "./strict.ts";
import { type DecodeOptions, decodeTyped } from "./typed.ts";

export type { DecodeOptions } from "./typed.ts";

/** A value of the wrong type; the message is the one of the real server's decoder. */
export class DecodeError extends Error {}

export interface Decoded {
  object: KubeObject;
  /** `unknown field "spec.x"` and `duplicate field "spec.y"`, in the order of the text. */
  strictErrors: string[];
}

/** Throws {@link DecodeError}. */
export function decode(type: StructType, value: Json, options: DecodeOptions = {}): Decoded {
  const outcome = type.goName === "" ? decodeCustom(type, value, options) : decodeTyped(type, value, options);
  if (outcome.error !== undefined) throw new DecodeError(outcome.error);
  const { object, strictErrors } = outcome;
  return { object, strictErrors: strictErrors.map(wording) };
}

/** `duplicate field "spec.x"` for every member that is in a text twice. */
export function repeatedMembers(source: ParsedJson): string[] {
  return source.repeats ? examine(source.text, undefined).strictErrors.map(wording) : [];
}

function wording({ what, path }: StrictError): string {
  return `${what} field ${goQuote(path)}`;
}

/** An object of a type with nothing given: every member that is written even when it is empty. */
export function emptyObject(type: StructType): JsonObject {
  return zeroOf(type) as JsonObject;
}
