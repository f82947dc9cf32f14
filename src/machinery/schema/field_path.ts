// Paths to fields in rules and selectable fields: `.spec.size` and, where allowed, `.spec['a.b']`.
import { type Path, path } from "../field_error.ts";
import { additionalOf, type JSONSchema } from "./structural_schema.ts";

/** Where a path leads: the schema of the field (of no known kind under `additionalProperties: true`). */
export type Resolved = { segments: readonly string[]; path: Path; schema: JSONSchema | undefined } | {
  problem: string;
};

/** A bracket or a dot, a quoted name, or whatever is between. */
const TOKEN = /[.[\]]|'[\s\S]*?(?<!\\)'|'[\s\S]*|[^.[\]]+/g;
const END = "unexpected end of JSON path";
const UNKNOWN = "does not refer to a valid field";

/** Follows a path from a schema. */
export function resolveFieldPath(text: string, root: JSONSchema, { brackets = true } = {}): Resolved {
  const tokens = text.match(TOKEN) ?? [], segments: string[] = [];
  let schema: JSONSchema | undefined = root, at = path();
  for (let i = 0; i < tokens.length;) {
    const delimiter = tokens[i++];
    if (delimiter !== "." && delimiter !== "[") return { problem: `expected [ or . but got: ${delimiter}` };
    if (delimiter === "[" && !brackets) return { problem: "array notation is not allowed" };
    let name = tokens[i++];
    if (name === undefined) return { problem: END };
    if (delimiter === "[") {
      if (!/^'[\s\S]*'$/.test(name) || name.length < 2) {
        return { problem: `expected single quoted string but got ${name}` };
      }
      const literal = unescape(name.slice(1, -1));
      if ("problem" in literal) return literal;
      name = literal.name;
    }
    const next = step(schema, name);
    if (next === undefined) return { problem: UNKNOWN };
    schema = next.schema;
    at = next.named ? at.child(name) : at.key(name);
    segments.push(name);
    if (delimiter !== "[") continue;
    const closing = tokens[i++];
    if (closing === undefined) return { problem: END };
    if (closing !== "]") return { problem: `expected ] but got ${closing}` };
  }
  return { segments, path: at, schema };
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\a": "\x07",
  "\\b": "\b",
  "\\f": "\f",
  "\\n": "\n",
  "\\r": "\r",
  "\\t": "\t",
  "\\v": "\v",
  "\\'": "'",
  "\\\\": "\\",
};

function unescape(text: string): { name: string } | { problem: string } {
  let unknown: string | undefined;
  const name = text.replace(/\\./g, (escape) => {
    if (!(escape in ESCAPES)) unknown = escape;
    return ESCAPES[escape] ?? "";
  });
  return unknown === undefined ? { name } : { problem: `invalid string literal: invalid escape char ${unknown}` };
}

function step(
  schema: JSONSchema | undefined,
  name: string,
): { schema: JSONSchema | undefined; named: boolean } | undefined {
  if (schema === undefined) return undefined;
  const { properties = {}, additionalProperties } = schema;
  if (Object.keys(properties).length > 0) {
    return Object.hasOwn(properties, name) ? { schema: properties[name], named: true } : undefined;
  }
  return additionalProperties === undefined ? undefined : { schema: additionalOf(schema), named: false };
}
