// Patterns in the syntax of RE2, which no text can make slow.
import { compileRe2, isRe2Loaded } from "../re2.ts";

const MAX_KEPT = 1000;
const kept = new Map<string, (text: string) => boolean>();

/**
 * Whether a text has a match of the pattern in it. A pattern that does not compile matches nothing. Throws an Error when
 * RE2 has not been loaded.
 */
export function matcherOf(pattern: string): (text: string) => boolean {
  let matcher = kept.get(pattern);
  if (matcher === undefined) {
    matcher = compile(pattern);
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
    kept.set(pattern, matcher);
  }
  return matcher;
}

function compile(pattern: string): (text: string) => boolean {
  if (!isRe2Loaded()) throw new Error("RE2 has not been loaded");
  try {
    const regex = compileRe2(pattern);
    return (text) => regex.test(text);
  } catch {
    return () => false;
  }
}
