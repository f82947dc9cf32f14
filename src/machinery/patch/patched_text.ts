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
  const trail = new OperationTrail();
  for (const operation of operations) {
    trail.enter(operation);
    trail.leave(operation);
  }
  return trail.textAt(value, "");
}

/** What a JSON patch has gone through so far. */
export class OperationTrail {
  readonly #trail: Trail = Object.create(null);

  /** On the way to where an operation does something. */
  enter({ path, from }: JsonObject): void {
    for (const pointer of [from, path]) if (typeof pointer === "string") holderOf(this.#trail, pointer);
  }

  /** It has been done. What an operation puts in is as it came. */
  leave({ op, path, from }: JsonObject): void {
    const moved = op === "move" && typeof from === "string" ? taken(this.#trail, from) : undefined;
    if (typeof path !== "string" || op === "test") return;
    taken(this.#trail, path);
    if (moved !== undefined) holderOf(this.#trail, path)[partsOf(path).at(-1) ?? ""] = moved;
  }

  /** The text of what stands at a pointer. */
  textAt(value: Json, pointer: string): string {
    let trail: Trail | undefined = this.#trail;
    for (const part of partsOf(pointer)) trail = trail?.[part];
    return textAlong(value, trail);
  }
}

function partsOf(pointer: string): string[] {
  return pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The container of what a pointer names. */
function holderOf(trail: Trail, pointer: string): Trail {
  let at = trail;
  for (const part of partsOf(pointer).slice(0, -1)) at = at[part] ??= Object.create(null) as Trail;
  return at;
}

/** Takes what a pointer names off the trail. */
function taken(trail: Trail, pointer: string): Trail | undefined {
  const holder = holderOf(trail, pointer), name = partsOf(pointer).at(-1) ?? "", found = holder[name];
  delete holder[name];
  return found;
}

function textAlong(value: Json, trail: Trail | undefined): string {
  if (trail === undefined) return goJson(value);
  if (Array.isArray(value)) return `[${value.map((element, i) => textAlong(element, trail[i])).join(",")}]`;
  if (!isObject(value)) return goJson(value);
  const members = Object.keys(value).sort().map((name) => `${goJson(name)}:${textAlong(value[name]!, trail[name])}`);
  return `{${members.join(",")}}`;
}
