// The query of a URL, split as Go's net/url splits it: a part with a semicolon or a broken escape is dropped.

/** Parameters by name with all their values in order. */
export type Query = ReadonlyMap<string, readonly string[]>;

const EMPTY: Query = new Map();

/** @param search what stands behind the path, with or without the question mark */
export function parseQuery(search: string): Query {
  const text = search.startsWith("?") ? search.slice(1) : search;
  if (text === "") return EMPTY;
  const query = new Map<string, string[]>();
  for (const part of text.split("&")) {
    if (part === "" || part.includes(";")) continue;
    const equals = part.indexOf("=");
    const name = unescape(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? "" : unescape(part.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    const values = query.get(name);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return query;
}

/** The first value, or "" when there is none. */
export function firstValue(query: Query, name: string): string {
  return query.get(name)?.[0] ?? "";
}

/** A boolean as the API reads it: anything but `false` and `0` is true; undefined when the parameter is missing. */
export function booleanValue(query: Query, name: string): boolean | undefined {
  const value = query.get(name)?.[0];
  return value === undefined ? undefined : value !== "0" && value.toLowerCase() !== "false";
}

const BROKEN_ESCAPE = /%(?![0-9a-fA-F]{2})/;
const utf8 = new TextDecoder();

/** undefined when an escape is broken. */
function unescape(text: string): string | undefined {
  if (!text.includes("%")) return text.includes("+") ? text.replaceAll("+", " ") : text;
  if (BROKEN_ESCAPE.test(text)) return undefined;
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch { // escapes that are no UTF-8
    const bytes = spaced.replace(/%([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
    return utf8.decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));
  }
}
