// Patterns in the syntax of RE2, which no text can make slow.
import { RE2JS } from "re2js";

const MAX_KEPT = 1000;
const kept = new Map<string, (text: string) => boolean>();

/** Whether a text has a match of the pattern in it. A pattern that does not compile matches nothing. */
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
  try {
    const regex = RE2JS.compile(pattern);
    return (text) => regex.test(text);
  } catch {
    return () => false;
  }
}
