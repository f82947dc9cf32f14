// Header fields that may come several times. `Headers` joins them with commas, and a comma may also stand in a value: to
// tell `a, b` from `a` and `b` the fields themselves are needed. Their bytes are UTF-8, which `Headers` takes for Latin-1.

const HEADER_LIST = "Symbol(header list)";

/** Headers that keep their fields apart. Names are in lower case. */
export interface FieldHeaders extends Headers {
  fieldNames(): Iterable<string>;
  /** In order; empty when there is none. */
  fieldValues(name: string): readonly string[];
}

function keepsApart(headers: Headers): headers is FieldHeaders {
  return "fieldNames" in headers;
}

/** Whether there is a field whose lower-case name starts with `prefix`. */
export function hasFieldWithPrefix(headers: Headers, prefix: string): boolean {
  if (keepsApart(headers)) {
    for (const name of headers.fieldNames()) if (name.startsWith(prefix)) return true;
    return false;
  }
  let found = false;
  // Every request is asked: this takes half the time of iterating.
  headers.forEach((_value, name) => found ||= name.startsWith(prefix));
  return found;
}

/** Every value of a field, in order. */
export function fieldValues(headers: Headers, name: string): string[] {
  if (keepsApart(headers)) return headers.fieldValues(name).map(textOf);
  const joined = headers.get(name);
  if (joined === null) return [];
  if (!joined.includes(",")) return [textOf(joined)];
  return fieldsOf(headers).flatMap(([n, value]) => n === name ? [textOf(value)] : []);
}

/** Fields whose lower-case name starts with `prefix`, in order. */
function fieldsWithPrefix(headers: Headers, prefix: string): [name: string, value: string][] {
  return hasFieldWithPrefix(headers, prefix) ? fieldsOf(headers).filter(([name]) => name.startsWith(prefix)) : [];
}

/** Values by what follows the prefix in their field's name, which is escaped as in URLs; what is not stays as it is. */
export function valuesByKey(headers: Headers, prefixes: readonly string[]): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const prefix of prefixes) {
    for (const [name, bytes] of fieldsWithPrefix(headers, prefix)) {
      const key = unescapeKey(name.slice(prefix.length)), value = textOf(bytes), known = values.get(key);
      if (known === undefined) values.set(key, [value]);
      else known.push(value);
    }
  }
  return Object.fromEntries(values);
}

function unescapeKey(key: string): string {
  if (/%(?![0-9a-f]{2})/i.test(key)) return key;
  return textOf(key.replace(/%(..)/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))));
}

/** The text of bytes that stand one in each character; what is no UTF-8 is replaced. */
function textOf(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0)));
}

/**
 * All fields with their names in lower case. Deno keeps them one by one inside of `Headers`; where it does not, joined
 * values stay joined, which gives nobody the groups that are in it.
 */
function fieldsOf(headers: Headers): [string, string][] {
  if (keepsApart(headers)) {
    return [...headers.fieldNames()].flatMap((name) =>
      headers.fieldValues(name).map((value): [string, string] => [name, value])
    );
  }
  const joined = [...headers];
  const symbol = Object.getOwnPropertySymbols(headers).find((s) => String(s) === HEADER_LIST);
  const list = symbol && (headers as unknown as Record<symbol, unknown>)[symbol];
  if (!Array.isArray(list)) return joined;
  return (list as [string, string][]).map(([name, value]) => [name.toLowerCase(), value]);
}
