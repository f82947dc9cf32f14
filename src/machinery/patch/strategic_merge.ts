// Strategic merge patches: merge patches that know the lists of a type whose elements have names, and the directives
// `$patch`, `$retainKeys`, `$setElementOrder/LIST` and `$deleteFromPrimitiveList/LIST`.
import type { FieldModel, StructType, TypeModel } from "../schema/model.ts";
import { withoutNulls } from "./merge_patch.ts";
import { lookUp } from "../look_up.ts";
import { isObject, type Json, type JsonObject } from "../types.ts";
import { goFormat } from "../go_text.ts";
import { PatchError } from "./errors.ts";
import { keyOf, mergeOrder } from "./element_order.ts";

const DIRECTIVE = "$patch";
const RETAIN_KEYS = "$retainKeys";
const ELEMENT_ORDER = "$setElementOrder/";
const DELETE_ELEMENTS = "$deleteFromPrimitiveList/";

/**
 * The patched object; `original` and `patch` may be changed and shared by the result.
 * @throws PatchError
 */
export function strategicMergePatch(type: StructType, original: JsonObject, patch: JsonObject): JsonObject {
  return mergeObject(type, original, patch);
}

/** What a type says about one of its members. */
type Member = Pick<FieldModel, "type" | "patchStrategy" | "patchMergeKey">;

function mergeObject(type: TypeModel, original: JsonObject, patch: JsonObject): JsonObject {
  if (Object.hasOwn(patch, DIRECTIVE)) return replaceObject(patch);
  retainKeys(original, patch);
  orderElements(type, original, patch);
  for (const key of Object.keys(patch)) {
    const deletes = key.startsWith(DELETE_ELEMENTS);
    const name = deletes ? key.slice(DELETE_ELEMENTS.length) : key;
    mergeMember(type, original, name, patch[key]!, deletes);
  }
  return original;
}

function replaceObject(patch: JsonObject): JsonObject {
  switch (patch[DIRECTIVE]) {
    case "replace":
      delete patch[DIRECTIVE];
      return patch;
    case "delete":
      return {};
    default:
      throw unknownDirective(patch);
  }
}

function unknownDirective(patch: JsonObject): PatchError {
  return new PatchError("broken", `unknown patch type: ${goFormat(patch[DIRECTIVE]!)} in map: ${goFormat(patch)}`);
}

/** `$retainKeys` names the members that stay; the patch may set no others. */
function retainKeys(original: JsonObject, patch: JsonObject): void {
  const kept = patch[RETAIN_KEYS];
  if (kept === undefined) return;
  delete patch[RETAIN_KEYS];
  const malformed = () => new PatchError("malformed", "invalid patch format of retainKeys");
  if (!Array.isArray(kept)) throw malformed();
  for (const name of Object.keys(patch)) {
    const isDirective = name.startsWith(DELETE_ELEMENTS) || name.startsWith(ELEMENT_ORDER);
    if (patch[name] !== null && !isDirective && !kept.includes(name)) throw malformed();
  }
  for (const name of Object.keys(original)) if (!kept.includes(name)) delete original[name];
}

function mergeMember(type: TypeModel, original: JsonObject, name: string, value: Json, deletes: boolean): void {
  if (value === null) {
    delete original[name];
    return;
  }
  const present = lookUp(original, name);
  if (present === undefined || kindOf(present) !== kindOf(value)) {
    if (!deletes) setWithoutDirectives(original, name, value);
  } else if (isObject(value)) {
    const member = memberOf(type, name);
    original[name] = member.patchStrategy.includes("replace")
      ? value
      : mergeObject(member.type, present as JsonObject, value);
  } else if (Array.isArray(value)) {
    original[name] = mergeList(memberOf(type, name), present as Json[], value, deletes);
  } else {
    original[name] = value;
  }
}

/** A value that is new as a whole: its nulls and what it says to delete mean nothing. */
function setWithoutDirectives(original: JsonObject, name: string, value: Json): void {
  const kept = withoutDirectives(withoutNulls(value));
  if (kept === undefined) delete original[name];
  else original[name] = kept;
}

/** Undefined for an object that only carries a directive. */
function withoutDirectives(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((element) => element !== undefined);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, DIRECTIVE)) return undefined;
  for (const name of Object.keys(value)) {
    const kept = withoutDirectives(value[name]!);
    if (kept === undefined) delete value[name];
    else value[name] = kept;
  }
  return value;
}

function mergeList(member: Member, original: Json[], patch: Json[], deletes: boolean): Json[] {
  if (!deletes && !member.patchStrategy.includes("merge")) return patch;
  if (original.length === 0 && patch.length === 0) return original;
  const kind = elementKind(original, patch);
  if (kind !== "object") {
    if (deletes) return original.filter((element) => !patch.includes(element));
    return mergeOrder([...new Set([...original, ...patch])], patch, original, undefined);
  }
  const key = member.patchMergeKey;
  if (key === undefined) throw new PatchError("broken", "cannot merge lists without merge key");
  const elements = mergeElements(elementOf(member.type), original as JsonObject[], patch as JsonObject[], key);
  return mergeOrder(elements.merged, elements.patch, elements.original, key);
}

/** Throws unless all elements are of one kind. */
function elementKind(...lists: readonly Json[][]): string {
  let kind: string | undefined;
  for (const element of lists.flat()) {
    if (Array.isArray(element)) throw new PatchError("inapplicable", "lists of lists are not supported");
    kind ??= kindOf(element);
    if (kindOf(element) !== kind) {
      throw new PatchError("broken", `list element types are not identical: ${goFormat(lists)}`);
    }
  }
  if (kind === undefined) throw new PatchError("broken", "no elements in any of the given slices");
  return kind;
}

/** Elements with the same key are merged, others added, and those with `$patch: delete` taken out. */
function mergeElements(type: TypeModel, original: readonly JsonObject[], patch: readonly JsonObject[], key: string) {
  let merged = [...original];
  let replaces = false;
  const ordinary: JsonObject[] = [];
  for (const element of patch) {
    switch (element[DIRECTIVE]) {
      case undefined:
        ordinary.push(element);
        break;
      case "delete": {
        const value = keyOf(element, key);
        merged = merged.filter((m) => m[key] !== value);
        break;
      }
      case "replace":
        replaces = true;
        break;
      case "merge":
        throw new PatchError("broken", "merging lists cannot yet be specified in the patch");
      default:
        throw unknownDirective(element);
    }
  }
  if (replaces) return { merged: ordinary, patch: [], original: ordinary };
  const before = [...merged];
  for (const element of ordinary) {
    const value = keyOf(element, key);
    const at = merged.findIndex((m) => m[key] === value);
    if (at < 0) merged.push(element);
    else merged[at] = mergeObject(type, merged[at], element);
  }
  return { merged, patch: ordinary, original: before };
}

/** `$setElementOrder/LIST`: merges the list it is about and puts it into that order. */
function orderElements(type: TypeModel, original: JsonObject, patch: JsonObject): void {
  for (const directive of Object.keys(patch)) {
    if (!directive.startsWith(ELEMENT_ORDER)) continue;
    const order = patch[directive]!;
    delete patch[directive];
    const name = directive.slice(ELEMENT_ORDER.length);
    if (!Array.isArray(order)) throw notAList(order);
    const [present, given] = [listAt(original, name), listAt(patch, name)];
    const member = memberOf(type, name);
    const key = member.patchMergeKey;
    checkElementOrder(given ?? [], order, key);
    if (present === undefined && given === undefined) continue;
    const merged = present === undefined
      ? withoutDirectives(given!) as Json[]
      : given === undefined
      ? present
      : mergeList(member, present, given, false);
    elementKind(present ?? [], given ?? []);
    original[name] = mergeOrder(merged, order, present ?? [], key);
    delete patch[name];
  }
}

function listAt(object: JsonObject, name: string): Json[] | undefined {
  const value = object[name];
  if (value !== undefined && !Array.isArray(value)) throw notAList(value);
  return value;
}

function notAList(value: Json): PatchError {
  const is = isObject(value) ? "map[string]interface {}" : value === null ? "%!s(<nil>)" : GO_TYPES[typeof value];
  return new PatchError("broken", `expected a []interface {}, but received a ${is}`);
}

const GO_TYPES: Readonly<Record<string, string>> = { string: "string", number: "int64", boolean: "bool" };

/** The patch's elements must stand in the order that it asks for. */
function checkElementOrder(patch: readonly Json[], order: readonly Json[], key: string | undefined): void {
  if (patch.length === 0 || order.length === 0) return;
  const identity = (element: Json) => key === undefined ? element : keyOf(element as JsonObject, key);
  const directive = (element: Json) => isObject(element) ? element[DIRECTIVE] : undefined;
  const elements = key === undefined ? patch : patch.filter((element) => directive(element) !== "delete");
  let next = 0;
  for (let at = 0; next < elements.length && at < order.length;) {
    // Other directives are passed over, but not where the order has come to its end.
    if (directive(elements[next]) !== undefined) next++;
    else if (identity(elements[next]) === identity(order[at++])) next++;
  }
  if (next < elements.length) {
    throw new PatchError(
      "broken",
      `The order in patch list:\n${goFormat(patch)}\n doesn't match $setElementOrder list:\n${goFormat(order)}\n`,
    );
  }
}

function memberOf(type: TypeModel, name: string): Member {
  if (type.kind === "map") return { type: type.value, patchStrategy: [] };
  const field = type.kind === "struct" ? type.fields.get(name) : undefined;
  if (field === undefined) {
    const where = type.kind === "struct" ? type.goName.split(".").at(-1) : type.kind;
    throw new PatchError(
      "broken",
      `unable to find api field in struct ${where} for the json field ${JSON.stringify(name)}`,
    );
  }
  return field;
}

function elementOf(type: TypeModel): TypeModel {
  return type.kind === "list" ? type.element : type;
}

function kindOf(value: Json): string {
  return value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
}
