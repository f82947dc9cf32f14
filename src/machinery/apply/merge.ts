// Applying: a configuration laid over what is there, and taking fields away again.
import type { TypeModel } from "../schema/model.ts";
import { isObject, type Json, type JsonObject } from "../types.ts";
import { descend, type FieldSet } from "./field_set.ts";
import { elementOf } from "./path_element.ts";
import { asList, asObject, formOf, isNothing, memberShape, memberValue, type Shape, shapeOf } from "./typed.ts";

/** `over` laid over `base`: members and named elements are merged, all else is replaced. Throws FieldPathError. */
export function merge(type: TypeModel, base: JsonObject, over: JsonObject): JsonObject {
  return mergeMembers(shapeOf(type), base, over);
}

function mergeValues(shape: Shape, base: Json | undefined, over: Json | undefined): Json | undefined {
  if (over === undefined) return base;
  if (base === undefined) return over;
  switch (formOf(shape, over)) {
    case "piece":
      return over;
    case "elements":
      return isNothing(base) && isNothing(over) ? over : mergeLists(shape, asList(base), asList(over));
    case "members":
      if (!isObject(base) || isNothing(base) && isNothing(over)) return over;
      return mergeMembers(shape, base, asObject(over));
  }
}

function mergeMembers(shape: Shape, base: JsonObject, over: JsonObject): JsonObject {
  const out: JsonObject = { ...base };
  for (const name in over) out[name] = mergeValues(memberShape(shape, name), memberValue(base, name), over[name]);
  return out;
}

/**
 * The elements of `over` in its order, merged with those of the same name. What only `base` has comes as early as it
 * can without passing an element of `base` that keeps its place.
 */
function mergeLists(list: Shape, base: readonly Json[], over: readonly Json[]): Json[] | undefined {
  const left = base.map((value) => elementOf(list, value)), right = over.map((value) => elementOf(list, value));
  const originals = new Map<string, Json>();
  // Of elements that are there more than once none is merged.
  for (const [i, element] of left.entries()) originals.set(element, originals.has(element) ? null : base[i]);
  const inRight = new Set(right), shared = right.filter((element) => originals.has(element));
  const out: Json[] = [];
  const done = new Set<string>();
  let l = 0, r = 0;
  const takeRight = () => {
    const element = right[r];
    done.add(element);
    if (element === shared[0]) shared.shift();
    out.push(mergeValues(list.element!, originals.get(element), over[r++])!);
  };
  while (l < left.length || r < right.length) {
    if (l < left.length && !inRight.has(left[l])) {
      out.push(base[l++]);
    } else if (l < left.length && left[l] === right[r]) {
      takeRight();
      l++;
    } else if (l < left.length && (done.has(left[l]) || r < right.length && shared[0] !== left[l])) {
      l++;
    } else {
      takeRight();
    }
  }
  return out.length > 0 ? out : undefined;
}

/** The object without the fields of a set, and all that is below them. Objects and lists left empty become null. */
export function removeFields(type: TypeModel, object: JsonObject, fields: FieldSet): JsonObject {
  return removeMembers(shapeOf(type), object, fields) ?? {};
}

function removeBelow(shape: Shape, value: Json, fields: FieldSet): Json {
  switch (formOf(shape, value)) {
    case "piece":
      return value;
    case "elements":
      return removeElements(shape, asList(value), fields);
    case "members":
      return removeMembers(shape, asObject(value), fields);
  }
}

function removeMembers(shape: Shape, object: JsonObject, fields: FieldSet): JsonObject | null {
  const out: JsonObject = {};
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    const at = descend(fields, `f:${name}`);
    if (at === undefined) out[name] = value;
    else if (!at.member) out[name] = removeBelow(memberShape(shape, name), value, at.below);
  }
  return isNothing(out) ? null : out;
}

function removeElements(list: Shape, values: readonly Json[], fields: FieldSet): Json[] | null {
  const out: Json[] = [];
  for (const value of values) {
    const at = descend(fields, elementOf(list, value));
    if (at === undefined) out.push(value);
    else if (!at.member) out.push(removeBelow(list.element!, value, at.below));
  }
  return out.length > 0 ? out : null;
}
