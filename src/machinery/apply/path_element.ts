// The elements of field paths as FieldsV1 writes them (KEP-555): `f:name`, `k:{"name":"x"}`, `v:"x"` and `i:0`. They are
// kept as these texts; here is what they mean, their order, and how messages show them.
import { parseExactly } from "../big_integers.ts";
import { goJson, goQuote } from "../go_text.ts";
import type { ListType } from "../schema/model.ts";
import type { Json, JsonObject } from "../types.ts";
import type { Shape } from "./typed.ts";

/** Thrown for a value that cannot be told apart in its list, or a path that is none. */
export class FieldPathError extends Error {}

/** The element that names a list's element. Throws {@link FieldPathError}. */
export function elementOf(list: Shape, value: Json): string {
  return list.keys.length > 0 ? keyElement(list, value) : valueElement(value);
}

function keyElement(list: Shape, value: Json): string {
  if (value === null) throw new FieldPathError("associative list with keys may not have a null element");
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new FieldPathError("associative list with keys may not have non-map elements");
  }
  const { keys } = list;
  let text = "";
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i], given = value[key.name] ?? key.fallback;
    if (given !== undefined) text += (text === "" ? "k:{" : ",") + key.prefix + textOf(given);
  }
  if (text !== "") return text + "}";
  const names = (list.type as ListType).mapKeys.map(goQuote).join(" ");
  throw new FieldPathError(
    `associative list with keys has an element that omits all key fields [${names}] ` +
      "(and doesn't have default values for any key fields)",
  );
}

/** JSON as Go writes it: most names are texts in which nothing is to be escaped, or small numbers. */
function textOf(value: Json): string {
  if (typeof value === "string") return isPlain(value) ? `"${value}"` : goJson(value);
  return Number.isSafeInteger(value) ? String(value) : goJson(value);
}

/** ASCII that {@link goJson} only puts in quotes. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
    if (code === 0x22 || code === 0x26 || code === 0x3c || code === 0x3e || code === 0x5c) return false;
  }
  return true;
}

function valueElement(value: Json): string {
  if (value === null) throw new FieldPathError("associative list without keys has an element that's an explicit null");
  if (Array.isArray(value)) {
    throw new FieldPathError("not supported: associative list with lists as elements");
  }
  if (typeof value === "object") {
    throw new FieldPathError("associative list without keys has an element that's a map type");
  }
  return `v:${textOf(value)}`;
}

/**
 * The canonical form of an element that a client wrote; undefined for a kind that nobody knows.
 * Throws {@link FieldPathError}.
 */
export function parseElement(text: string): string | undefined {
  if (text.length < 2) throw new FieldPathError("key must be 2 characters long:");
  if (text[1] !== ":") throw new FieldPathError(`missing colon: ${text}`);
  switch (text[0]) {
    case "f":
      return text;
    case "v":
      return `v:${goJson(jsonOf(text))}`;
    case "k": {
      const key = jsonOf(text);
      if (typeof key !== "object" || key === null || Array.isArray(key)) throw new FieldPathError(`not a key: ${text}`);
      const members = Object.keys(key).sort().map((name) => `${goJson(name)}:${goJson(key[name])}`);
      return `k:{${members.join(",")}}`;
    }
    case "i":
      if (!/^i:[+-]?\d+$/.test(text)) throw new FieldPathError(`not an index: ${text}`);
      return `i:${Number(text.slice(2))}`;
    default:
      return undefined;
  }
}

function jsonOf(text: string): Json {
  try {
    return parseExactly(text.slice(2));
  } catch (error) {
    throw new FieldPathError(`${text}: ${(error as Error).message}`);
  }
}

const KIND_ORDER = "fkvi";

/** The order of elements: names first, then keys and values by what they say (80 before 443), then indexes. */
export function compareElements(a: string, b: string): number {
  if (a === b) return 0;
  if (a[0] !== b[0]) return KIND_ORDER.indexOf(a[0]) - KIND_ORDER.indexOf(b[0]);
  switch (a[0]) {
    case "k":
      return compareKeys(
        Object.entries(parseExactly<JsonObject>(a.slice(2))),
        Object.entries(parseExactly<JsonObject>(b.slice(2))),
      );
    case "v":
      return compareValues(parseExactly(a.slice(2)), parseExactly(b.slice(2)));
    case "i":
      return Number(a.slice(2)) - Number(b.slice(2));
    default:
      return a < b ? -1 : 1;
  }
}

/** The order of two elements of a list, which is that of what {@link elementOf} calls them. */
export function compareListed(list: Shape, a: Json, b: Json): number {
  const { keys } = list;
  if (keys.length === 0) return compareValues(a, b);
  for (let i = 0; i < keys.length; i++) {
    const { name, fallback } = keys[i];
    const left = (a as JsonObject)[name] ?? fallback, right = (b as JsonObject)[name] ?? fallback;
    if (left === right) continue;
    if (left === undefined || right === undefined) return compareElements(elementOf(list, a), elementOf(list, b));
    const order = compareValues(left, right);
    if (order !== 0) return order;
  }
  return 0;
}

function compareKeys(a: readonly [string, unknown][], b: readonly [string, unknown][]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const [name, value] = a[i], [otherName, otherValue] = b[i];
    if (name !== otherName) return name < otherName ? -1 : 1;
    const order = compareValues(value, otherValue);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

const TYPE_ORDER = ["number", "string", "boolean", "object"];

function typeOrder(value: unknown): number {
  return typeof value === "bigint" ? 0 : TYPE_ORDER.indexOf(typeof value);
}

function compareValues(a: unknown, b: unknown): number {
  if (typeOrder(a) !== typeOrder(b)) return typeOrder(a) - typeOrder(b);
  if (typeof a === "object") return compareValues(JSON.stringify(a), JSON.stringify(b));
  const left = a as string, right = b as string;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** `.spec.ports[port=80,protocol="TCP"].name`: how messages show a path. */
export function pathText(path: readonly string[]): string {
  return path.map(elementText).join("");
}

/** `.name`, `[name="x"]`, `[="x"]`, `[0]` */
export function elementText(element: string): string {
  const content = element.slice(2);
  switch (element[0]) {
    case "f":
      return `.${content}`;
    case "k": {
      const key = parseExactly(content) as JsonObject;
      return `[${Object.keys(key).map((name) => `${name}=${valueText(key[name]!)}`).join(",")}]`;
    }
    case "v":
      return `[=${valueText(parseExactly(content))}]`;
    default:
      return `[${content}]`;
  }
}

function valueText(value: Json): string {
  if (typeof value === "string") return goQuote(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(",")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  return Object.keys(value).map((name) => `${name}=${valueText(value[name]!)}`).join("");
}
