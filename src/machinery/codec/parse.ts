// JSON text → value, with what JSON.parse does not tell: members given twice, numbers that do not fit, Go's messages.
import { parseExactly } from "../big_integers.ts";
import type { Json } from "../types.ts";
import { MAX_DEPTH, syntaxError } from "./syntax.ts";

/** Text that is no JSON; the message is the one of Go's decoder. */
export class SyntaxError extends Error {}

export interface ParsedJson {
  value: Json;
  text: string;
  /** Some member is in the text twice; the last one counts. */
  repeats: boolean;
  /** A number has a fraction or an exponent or more digits than a double holds: only the text tells which. */
  oddNumbers: boolean;
}

/** Throws {@link SyntaxError}. */
export function parseJson(text: string): ParsedJson {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (e) {
    throw new SyntaxError(syntaxError(text) ?? (e as Error).message);
  }
  const { members, depth, oddNumbers, longNumbers } = survey(text);
  if (depth > MAX_DEPTH) throw new SyntaxError("exceeded max depth");
  if (longNumbers) value = parseExactly(text);
  return { value, text, repeats: members !== countMembers(value), oddNumbers };
}

const QUOTE = 34, BACKSLASH = 92, COLON = 58, DOT = 46, ZERO = 48, NINE = 57, LOWER_E = 101, UPPER_E = 69;
const OPEN_BRACKET = 91, CLOSE_BRACKET = 93, OPEN_BRACE = 123, CLOSE_BRACE = 125;
/** So many digits may be more than a double holds. */
const MANY_DIGITS = 16;

interface Survey {
  members: number;
  depth: number;
  oddNumbers: boolean;
  longNumbers: boolean;
}

/** One pass over a text that is JSON, looking at what stands outside of strings. */
function survey(text: string): Survey {
  let members = 0, level = 0, depth = 0, digits = 0, oddNumbers = false, longNumbers = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      for (;;) {
        i = text.indexOf('"', i + 1);
        if (text.charCodeAt(i - 1) !== BACKSLASH || isClosing(text, i)) break;
      }
    } else if (c >= ZERO && c <= NINE) {
      if (++digits >= MANY_DIGITS) oddNumbers = longNumbers = true;
      continue;
    } else if (c === COLON) members++;
    else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      if (++level > depth) depth = level;
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) level--;
    else if (digits > 0 && (c === DOT || c === LOWER_E || c === UPPER_E)) oddNumbers = true;
    digits = 0;
  }
  return { members, depth, oddNumbers, longNumbers };
}

/** Whether a quote behind a backslash ends its string: when the backslashes before it escape one another. */
function isClosing(text: string, quote: number): boolean {
  let start = quote;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (quote - start) % 2 === 0;
}

/** The members of all objects in a value. */
function countMembers(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const element = value[i];
      if (typeof element === "object" && element !== null) count += countMembers(element);
    }
    return count;
  }
  for (const name in value) {
    count++;
    const member = value[name];
    if (typeof member === "object" && member !== null) count += countMembers(member);
  }
  return count;
}
