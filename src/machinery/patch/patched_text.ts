// A patched document as messages show it: kube-apiserver's patch library writes what a patch went through with its members
// sorted, and leaves the rest as it was.
import { goJson } from "../go_text.ts";
import { isObject, type Json, type JsonObject } from "../types.ts";

/** What a patch went through: members by name, elements by index. */
interface Trail {
  [key: string]: Trail;
}

/** @param patch the merge patch that made `value` */
export function mergedText(value: Json, patch: Json): string {
  return textAlong(value, trailOf(patch));
}

function trailOf(patch: Json): Trail {
  const trail: Trail = Object.create(null);
  if (!isObject(patch)) return trail;
  for (const [name, member] of Object.entries(patch)) {
    if (isObject(member!)) trail[name] = trailOf(member!);
  }
  return trail;
}

/** @param operations the JSON patch that made `value` */
export function operatedText(value: Json, operations: readonly JsonObject[]): string {
  const trail: Trail = Object.create(null);
  for (const { path, from } of operations) {
    for (const pointer of [path, from]) if (typeof pointer === "string") follow(trail, pointer);
  }
  return textAlong(value, trail);
}

/** The containers on the way to what a pointer names. */
function follow(trail: Trail, pointer: string): void {
  let at = trail;
  for (const part of pointer.split("/").slice(1, -1)) {
    at = at[part.replaceAll("~1", "/").replaceAll("~0", "~")] ??= Object.create(null) as Trail;
  }
}

function textAlong(value: Json, trail: Trail | undefined): string {
  if (trail === undefined) return goJson(value);
  if (Array.isArray(value)) return `[${value.map((element, i) => textAlong(element, trail[i])).join(",")}]`;
  if (!isObject(value)) return goJson(value);
  const members = Object.keys(value).sort().map((name) => `${goJson(name)}:${textAlong(value[name]!, trail[name])}`);
  return `{${members.join(",")}}`;
}
