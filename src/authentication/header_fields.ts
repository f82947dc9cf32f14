// Header fields that may come several times. `Headers` joins them with commas, and a comma may also stand in a value: to
// tell `a, b` from `a` and `b` the fields themselves are needed. Their bytes are UTF-8, which `Headers` takes for Latin-1.

const HEADER_LIST = "Symbol(header list)";

/** Every value of a field, in order. */
export function fieldValues(headers: Headers, name: string): string[] {
  const joined = headers.get(name);
  if (joined === null) return [];
  if (!joined.includes(",")) return [textOf(joined)];
  return fieldsOf(headers).flatMap(([n, value]) => n === name ? [textOf(value)] : []);
}

/** Fields whose lower-case name starts with `prefix`, in order. */
function fieldsWithPrefix(headers: Headers, prefix: string): [name: string, value: string][] {
  for (const name of headers.keys()) {
    if (name.startsWith(prefix)) return fieldsOf(headers).filter(([n]) => n.startsWith(prefix));
  }
  return [];
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
  const joined = [...headers];
  const symbol = Object.getOwnPropertySymbols(headers).find((s) => String(s) === HEADER_LIST);
  const list = symbol && (headers as unknown as Record<symbol, unknown>)[symbol];
  if (!Array.isArray(list)) return joined;
  return (list as [string, string][]).map(([name, value]) => [name.toLowerCase(), value]);
}
