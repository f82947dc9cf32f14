// Decoding into a built-in type. The common case is decided by compiled decoders; what is wrong, and in which words, is
// worked out from the text afterwards.
import { QuantityError } from "../quantity.ts";
import type { StructType } from "../schema/model.ts";
import { TimeError } from "../time.ts";
import type { Json, KubeObject } from "../types.ts";
import { decoderOf, seen, zeroOf } from "./compile.ts";
import type { ParsedJson } from "./parse.ts";
import { MISMATCH } from "./scalars.ts";
import { examine, type StrictError } from "./strict.ts";

/** An object, or why there is none. */
export type Outcome = { object: KubeObject; strictErrors: StrictError[]; error?: undefined } | { error: string };

export interface DecodeOptions {
  /** What the value was parsed from: tells of members given twice and of numbers as they were written. */
  source?: ParsedJson;
  /** False: do not look for unknown and repeated members. */
  strict?: boolean;
  /** Members of metadata that cannot be read are dropped: the object is stored already (custom resources). */
  lenient?: boolean;
}

export function decodeTyped(type: StructType, value: Json, { source, strict = true }: DecodeOptions): Outcome {
  seen.unknown = false;
  let object: Json;
  try {
    object = value === null ? zeroOf(type) : decoderOf(type)(value);
  } catch (e) {
    if (e !== MISMATCH && !(e instanceof QuantityError) && !(e instanceof TimeError)) throw e;
    const { error } = examine(source?.text ?? JSON.stringify(value), type);
    return { error: error ?? (e as Error).message };
  }
  const incomplete = strict && (seen.unknown || source?.repeats);
  if (!incomplete && !source?.oddNumbers) return { object: object as unknown as KubeObject, strictErrors: [] };
  const { strictErrors, error } = examine(source?.text ?? JSON.stringify(value), type);
  if (error !== undefined) return { error };
  return { object: object as unknown as KubeObject, strictErrors: strict ? strictErrors : [] };
}
