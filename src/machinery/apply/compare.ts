// What changed between two values of a type, as sets of fields.
import type { TypeModel } from "../schema/model.ts";
import type { Json, JsonObject } from "../types.ts";
import { type FieldSet, FieldSetBuilder } from "./field_set.ts";
import { elementOf } from "./path_element.ts";
import {
  asList,
  asObject,
  formOf,
  isNothing,
  memberOf,
  memberValue,
  NO_ELEMENTS,
  sameJson,
  type Shape,
  shapeOf,
} from "./typed.ts";
import { wholeSet } from "./whole_set.ts";

export interface Comparison {
  added: FieldSet;
  modified: FieldSet;
  removed: FieldSet;
}

/** Undefined when nothing changed. Throws FieldPathError. */
export function compare(type: TypeModel, before: JsonObject, after: JsonObject): Comparison | undefined {
  const walk = new Walk();
  walk.members(shapeOf(type), before, after);
  const { added, modified, removed } = walk;
  if (added.empty && modified.empty && removed.empty) return undefined;
  return { added: added.build(), modified: modified.build(), removed: removed.build() };
}

class Walk {
  readonly added = new FieldSetBuilder();
  readonly modified = new FieldSetBuilder();
  readonly removed = new FieldSetBuilder();
  readonly #path: string[] = [];

  members(shape: Shape, before: JsonObject, after: JsonObject): void {
    for (const name in after) {
      const is = after[name], was = memberValue(before, name);
      if (is !== was && is !== undefined) this.#member(shape, name, was, is);
    }
    for (const name in before) {
      const was = before[name];
      if (was !== undefined && memberValue(after, name) === undefined) this.#member(shape, name, was, undefined);
    }
  }

  #member(shape: Shape, name: string, was: Json | undefined, is: Json | undefined): void {
    const member = memberOf(shape, name);
    this.#path.push(member.element);
    this.#value(member.shape, was, is);
    this.#path.pop();
  }

  #value(shape: Shape, was: Json | undefined, is: Json | undefined): void {
    if (was === undefined) this.added.add(this.#path, wholeSet(shape, is!));
    else if (is === undefined) this.removed.add(this.#path, wholeSet(shape, was));
    else this.#both(shape, was, is);
  }

  /** Where a type takes many forms, a value of one form takes the place of all that was in the other. */
  #both(shape: Shape, was: Json, is: Json): void {
    const before = formOf(shape, was), after = formOf(shape, is);
    if (before === "piece" || after === "piece" || isNothing(was) && isNothing(is)) {
      if (!sameJson(was, is)) this.modified.add(this.#path);
      if (before === after) return;
    }
    if (after === "elements") this.#elements(shape, asList(was), asList(is));
    else this.members(shape, asObject(was), asObject(is));
  }

  #elements(list: Shape, was: readonly Json[], is: readonly Json[]): void {
    if (sameJson(was as Json[], is as Json[])) return;
    const before = byElement(list, was), after = byElement(list, is);
    for (const [element, values] of after) this.#element(list, element, before.get(element) ?? NO_ELEMENTS, values);
    for (const [element, values] of before) if (!after.has(element)) this.#element(list, element, values, NO_ELEMENTS);
  }

  /** Elements that are there more than once are one piece. */
  #element(list: Shape, element: string, was: readonly Json[], is: readonly Json[]): void {
    this.#path.push(element);
    if (was.length <= 1 && is.length <= 1) this.#value(list.element!, was[0], is[0]);
    else if (was.length > 1 && is.length > 1) {
      if (!sameJson(was as Json[], is as Json[])) this.modified.add(this.#path);
    } else if (was.length > 1) {
      if (is.length > 0) this.#value(list.element!, undefined, is[0]);
      this.removed.add(this.#path);
    } else {
      if (was.length > 0) this.#value(list.element!, was[0], undefined);
      this.added.add(this.#path);
    }
    this.#path.pop();
  }
}

function byElement(list: Shape, values: readonly Json[]): Map<string, Json[]> {
  const found = new Map<string, Json[]>();
  for (const value of values) {
    const element = elementOf(list, value), others = found.get(element);
    if (others === undefined) found.set(element, [value]);
    else others.push(value);
  }
  return found;
}
