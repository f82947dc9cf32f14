// What changed between two values of a type, as sets of fields.
import type { ListType } from "../schema/model.ts";
import type { Json, JsonObject } from "../types.ts";
import { type FieldSet, FieldSetBuilder } from "./field_set.ts";
import { deepEqual, isLeaf, isObject, memberShape, namedElements, type Shape } from "./typed.ts";

export interface Comparison {
  added: FieldSet;
  modified: FieldSet;
  removed: FieldSet;
}

/** Undefined when nothing changed. */
export function compare(shape: Shape, before: JsonObject, after: JsonObject): Comparison | undefined {
  const walker = new Walker();
  walker.members(shape, before, after);
  const { added, modified, removed } = walker;
  if (added.empty && modified.empty && removed.empty) return undefined;
  return { added: added.build(), modified: modified.build(), removed: removed.build() };
}

class Walker {
  readonly added = new FieldSetBuilder();
  readonly modified = new FieldSetBuilder();
  readonly removed = new FieldSetBuilder();
  readonly #path: string[] = [];

  members(shape: Shape, before: JsonObject | undefined, after: JsonObject | undefined): void {
    if (after !== undefined) {
      for (const name in after) {
        if (after[name] !== undefined) this.#member(shape, name, before?.[name], after[name]);
      }
    }
    if (before !== undefined) {
      for (const name in before) {
        if (after?.[name] === undefined && before[name] !== undefined) {
          this.#member(shape, name, before[name], undefined);
        }
      }
    }
  }

  #member(shape: Shape, name: string, before: Json | undefined, after: Json | undefined): void {
    if (before === after) return;
    this.#path.push(`f:${name}`);
    this.#value(memberShape(shape, name).shape, before, after);
    this.#path.pop();
  }

  #value(shape: Shape, before: Json | undefined, after: Json | undefined): void {
    if (isLeaf(shape, after ?? before) || (isNothing(before) && isNothing(after))) return this.#leaf(before, after);
    const list = typeof shape === "object" && shape.kind === "list" ? shape : undefined;
    if (list !== undefined) this.#elements(list, asList(before), asList(after));
    else if (isMixed(before, after)) return this.#leaf(before, after);
    else this.members(shape, asObject(before), asObject(after));
    // A value that was not there at all is new itself, beside what is in it.
    if (before === undefined) this.added.add(this.#path);
    else if (after === undefined) this.removed.add(this.#path);
  }

  #leaf(before: Json | undefined, after: Json | undefined): void {
    if (after === undefined) this.removed.add(this.#path);
    else if (before === undefined) this.added.add(this.#path);
    else if (!deepEqual(before, after)) this.modified.add(this.#path);
  }

  #elements(list: ListType, before: readonly Json[], after: readonly Json[]): void {
    if (before.length > 0 && after.length > 0 && deepEqual(before, after)) return;
    const was = namedElements(list, before), is = namedElements(list, after);
    for (const [name, element] of is) this.#element(list, name, was.get(name), element);
    for (const [name, element] of was) if (!is.has(name)) this.#element(list, name, element, undefined);
  }

  #element(list: ListType, name: string, before: Json | undefined, after: Json | undefined): void {
    this.#path.push(name);
    this.#value(list.element, before, after);
    this.#path.pop();
  }
}

function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value !== "object") return false;
  for (const _ in value) return false;
  return true;
}

/** One is an object and the other something else, which only happens without a schema. */
function isMixed(before: Json | undefined, after: Json | undefined): boolean {
  const odd = (v: Json | undefined) => v !== undefined && v !== null && !isObject(v);
  return odd(before) || odd(after);
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function asObject(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}
