// How Go prints values in messages: `%q`, `%#v` and encoding/json.

const ESCAPES: Record<string, string> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  '"': '\\"',
  "\\": "\\\\",
};

function escapeCharacter(c: string): string {
  const known = ESCAPES[c];
  if (known !== undefined) return known;
  const point = c.codePointAt(0)!;
  if (point < 0x80) return `\\x${point.toString(16).padStart(2, "0")}`;
  return point > 0xffff ? `\\U${point.toString(16).padStart(8, "0")}` : `\\u${point.toString(16).padStart(4, "0")}`;
}

const NOT_PLAIN = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Whether a character is printed as it is: letters, marks, numbers, punctuation, symbols and the ASCII space. */
export function isPrintable(character: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character);
}

/** Whether a text is of ASCII characters that show, and nothing else. */
export function isPrintableAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

/** Characters of a text that do not show, each with the byte at which it begins in UTF-8. */
export function unprintables(text: string): { character: string; position: number }[] {
  if (isPrintableAscii(text)) return [];
  const found = [];
  let position = 0;
  for (const character of text) {
    if (!isPrintable(character)) found.push({ character, position });
    position += utf8Length(character);
  }
  return found;
}

const ASCII = /^[\0-\x7f]*$/;
const utf8 = new TextEncoder();

/** Bytes of a text in UTF-8: what Go calls its length. */
export function utf8Length(text: string): number {
  return ASCII.test(text) ? text.length : utf8.encode(text).length;
}

/** `U+0007` */
export function goUnicode(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** `%q`: in double quotes, what cannot be printed escaped. */
export function goQuote(text: string): string {
  return `"${text.replace(NOT_PLAIN, escapeCharacter)}"`;
}

/** `%#v` of a list of strings: `[]string{"a", "b"}`. */
export function goStrings(list: readonly string[]): string {
  return `[]string{${list.map(goQuote).join(", ")}}`;
}

/** JSON as encoding/json writes it: `<`, `>`, `&` and the two line separators are escaped; `indent` in spaces. */
export function goJson(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, undefined, indent) ?? "null";
  return text.replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** `%v` of decoded JSON: `map[a:1 b:[x y]]`, `<nil>`. */
export function goFormat(value: unknown): string {
  if (value === null || value === undefined) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goFormat).join(" ")}]`;
  if (typeof value === "number") return goNumber(value);
  if (typeof value !== "object") return String(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `map[${members.sort(([a], [b]) => a < b ? -1 : 1).map(([name, v]) => `${name}:${goFormat(v)}`).join(" ")}]`;
}

/** What encoding/json calls a value in its refusals. */
export function jsonKind(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
}

/** `%v` of a float64: from a million on and below 1e-4 with an exponent of at least two digits. */
export function goFloat(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || size >= 1e-4 && size < 1e6 || !Number.isFinite(value)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}

/** `%v` of a number of JSON: what can be an int64 is one. */
export function goNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? String(value) : goFloat(value);
}
