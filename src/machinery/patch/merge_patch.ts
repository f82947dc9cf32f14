// JSON merge patches (RFC 7386).
import { isObject, type Json, type JsonObject } from "../types.ts";

/** The patched object; `target` and `patch` may be changed and shared by the result. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  for (const name of Object.keys(patch)) {
    const value = patch[name]!;
    if (value === null) delete target[name];
    else target[name] = mergeValue(target[name], value);
  }
  return target;
}

function mergeValue(target: Json | undefined, patch: Json): Json {
  return isObject(target) && isObject(patch) ? mergePatch(target, patch) : withoutNulls(patch);
}

/** Null members say what to leave out; null elements of lists are values. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) {
    for (const element of value) withoutNulls(element);
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      if (value[name] === null) delete value[name];
      else withoutNulls(value[name]!);
    }
  }
  return value;
}
