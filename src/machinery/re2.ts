// Regular expressions in RE2's syntax, which is Go's (https://github.com/google/re2/wiki/Syntax). They match in time that
// is linear in the text, whatever the pattern.
import type { RE2JS } from "re2js";

/** The one error in which the library does not show what it is about. */
const TRAILING_BACKSLASH = "trailing backslash at end of expression";

let library: typeof RE2JS | undefined;

/** Has to be awaited once before {@link compileRe2}: start-up does without. */
export async function loadRe2(): Promise<void> {
  library ??= (await import("re2js")).RE2JS;
}

export function isRe2Loaded(): boolean {
  return library !== undefined;
}

/** Throws an Error with Go's words when the pattern is no RE2. */
export function compileRe2(pattern: string): RE2JS {
  if (library === undefined) throw new Error("RE2 has not been loaded");
  try {
    return library.compile(pattern);
  } catch (e) {
    const { message } = e as Error;
    throw new Error(message.endsWith(TRAILING_BACKSLASH) ? `${message}: \`\`` : message);
  }
}
