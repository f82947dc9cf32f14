// JSON paths: parsed once, asked of many values.
import { goJson, goNumber } from "../../machinery/go_text.ts";
import { isObject, type Json } from "../../machinery/types.ts";
import { findAll } from "./evaluate.ts";
import { JsonPathError, parseJsonPath, type Path } from "./parse.ts";

export { findAll, JsonPathError, parseJsonPath, type Path };

/** The first thing that a path finds; undefined when there is nothing, or no way to look. */
export function findFirst(path: Path, value: Json): Json | undefined {
  try {
    return findAll(path, value)[0];
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

/** A value as a path's result is printed: containers as JSON, all else as it is. */
export function printed(value: Json): string {
  if (value === null) return "<no value>";
  if (typeof value === "number") return goNumber(value);
  return typeof value === "object" ? goJson(sortedMembers(value)) : String(value);
}

function sortedMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortedMembers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sortedMembers(value[name]!)]));
}
