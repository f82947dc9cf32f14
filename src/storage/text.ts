// The text of an object: what is stored has no resourceVersion, what is answered has it behind the uid. Both begin with
// kind, apiVersion and metadata, in this order.

/** Where things are in an object's text. */
export interface TextLayout {
  /** Behind `{"kind":…,"apiVersion":…,`. */
  bodyStart: number;
  /** Where the resourceVersion is, or goes. */
  versionStart: number;
}

const METADATA = '"metadata":{';
const QUOTE = 34, BACKSLASH = 92, COMMA = 44, CLOSE_BRACE = 125;

/** Members of metadata that stand before resourceVersion; all of them are strings. */
const BEFORE_VERSION: ReadonlySet<string> = new Set(["name", "generateName", "namespace", "selfLink", "uid"]);

/** undefined when the text does not begin as it should. */
export function layoutOf(text: string): TextLayout | undefined {
  if (!text.startsWith('{"kind":"')) return undefined;
  const kindEnd = stringEnd(text, 8);
  if (!text.startsWith(',"apiVersion":"', kindEnd)) return undefined;
  const bodyStart = stringEnd(text, kindEnd + 14) + 1;
  if (!text.startsWith(METADATA, bodyStart)) return undefined;
  const start = bodyStart + METADATA.length;
  let at = start;
  while (true) {
    const name = at === start ? at : at + 1;
    if (at !== start && text.charCodeAt(at) !== COMMA) break;
    if (text.charCodeAt(name) !== QUOTE) break;
    const nameEnd = text.indexOf('"', name + 1);
    if (!BEFORE_VERSION.has(text.slice(name + 1, nameEnd))) break;
    at = stringEnd(text, nameEnd + 2);
  }
  return { bodyStart, versionStart: at };
}

/** Where the string that begins at `start` (its quote) ends. */
export function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && text.charCodeAt(end - 1) === BACKSLASH && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

/** Puts the resourceVersion into a stored text. */
export function withVersion(stored: string, versionStart: number, revision: number): string {
  return stored.slice(0, versionStart) + member(stored, versionStart, revision) + stored.slice(versionStart);
}

/** Takes the resourceVersion out again. */
export function withoutVersion(text: string, versionStart: number, revision: number): string {
  const rest = versionStart + memberLength(text, versionStart, revision);
  return text.slice(0, versionStart) + text.slice(rest);
}

function member(stored: string, versionStart: number, revision: number): string {
  const pair = `"resourceVersion":"${revision}"`;
  if (!isFirst(stored, versionStart)) return "," + pair;
  return stored.charCodeAt(versionStart) === CLOSE_BRACE ? pair : pair + ",";
}

function memberLength(text: string, versionStart: number, revision: number): number {
  const pair = '"resourceVersion":""'.length + String(revision).length;
  if (!isFirst(text, versionStart)) return pair + 1;
  return text.charCodeAt(versionStart + pair) === CLOSE_BRACE ? pair : pair + 1;
}

/** Whether nothing stands before resourceVersion in metadata. */
function isFirst(text: string, versionStart: number): boolean {
  return text.charCodeAt(versionStart - 1) !== QUOTE;
}
