// Applying: a configuration over what is there, the fields that a configuration names, and taking fields away again.
import type { ListType } from "../schema/model.ts";
import type { Json, JsonObject } from "../types.ts";
import { descend, type FieldSet, FieldSetBuilder } from "./field_set.ts";
import { elementName, isLeaf, isObject, memberShape, namedElements, type Shape } from "./typed.ts";

/** `over` laid over `base`: members and keyed elements are merged, all else is replaced. */
export function merge(shape: Shape, base: Json | undefined, over: Json | undefined): Json | undefined {
  if (over === undefined) return base;
  if (base === undefined || base === null || over === null || isLeaf(shape, over)) return over;
  if (typeof shape === "object" && shape.kind === "list") {
    return Array.isArray(base) && Array.isArray(over) ? mergeLists(shape, base, over) : over;
  }
  if (!isObject(base) || !isObject(over)) return over;
  const out: JsonObject = { ...base };
  for (const name in over) out[name] = merge(memberShape(shape, name).shape, base[name], over[name]);
  return out;
}

/** Elements that only `base` has keep their places, the others come in the order of `over`. */
function mergeLists(list: ListType, base: readonly Json[], over: readonly Json[]): Json[] {
  const left = [...namedElements(list, base)], right = [...namedElements(list, over)];
  const inLeft = new Map(left), inRight = new Map(right);
  const shared = right.filter(([name]) => inLeft.has(name)).map(([name]) => name);
  const out: Json[] = [];
  let l = 0, r = 0, next = 0;
  while (l < left.length || r < right.length) {
    const [leftName, leftElement] = left[l] ?? [];
    if (leftName !== undefined && inRight.has(leftName) && leftName !== shared[next]) {
      // It comes where `over` has it.
      l++;
    } else if (leftName !== undefined && !inRight.has(leftName)) {
      out.push(leftElement!);
      l++;
    } else if (r < right.length) {
      const [name, element] = right[r++];
      out.push(merge(list.element, inLeft.get(name), element)!);
      if (name === shared[next]) {
        next++;
        if (name === leftName) l++;
      }
    } else {
      l++;
    }
  }
  return out;
}

/** The fields that a configuration names. */
export function toFieldSet(shape: Shape, value: JsonObject): FieldSet {
  const builder = new FieldSetBuilder();
  addMembers(builder, shape, value, []);
  return builder.build();
}

function addMembers(builder: FieldSetBuilder, shape: Shape, value: JsonObject, path: string[]): void {
  for (const name in value) {
    const member = value[name];
    if (member === undefined) continue;
    const { shape: inner, named } = memberShape(shape, name);
    path.push(`f:${name}`);
    addValue(builder, inner, member, path);
    if (member === null || !named || (isObject(member) && Object.keys(member).length === 0)) builder.add(path);
    path.pop();
  }
}

function addValue(builder: FieldSetBuilder, shape: Shape, value: Json, path: string[]): void {
  if (isLeaf(shape, value)) return builder.add(path);
  if (typeof shape === "object" && shape.kind === "list") {
    for (const element of Array.isArray(value) ? value : []) {
      const name = elementName(shape, element);
      if (name === undefined) continue;
      path.push(name);
      addValue(builder, shape.element, element, path);
      builder.add(path);
      path.pop();
    }
  } else if (isObject(value)) {
    addMembers(builder, shape, value, path);
  }
}

/** The value without the fields of a set, and all that is below them. */
export function removeFields(shape: Shape, value: JsonObject, fields: FieldSet): JsonObject {
  const out: JsonObject = {};
  for (const name in value) {
    const at = descend(fields, `f:${name}`);
    if (at === undefined) out[name] = value[name];
    else if (!at.member) out[name] = removeBelow(memberShape(shape, name).shape, value[name]!, at.below);
  }
  return out;
}

function removeBelow(shape: Shape, value: Json, fields: FieldSet): Json {
  if (isLeaf(shape, value)) return value;
  if (typeof shape === "object" && shape.kind === "list") {
    if (!Array.isArray(value)) return value;
    const out: Json[] = [];
    for (const element of value) {
      const at = descend(fields, elementName(shape, element) ?? "");
      if (at === undefined) out.push(element);
      else if (!at.member) out.push(removeBelow(shape.element, element, at.below));
    }
    return out;
  }
  return isObject(value) ? removeFields(shape, value, fields) : value;
}
