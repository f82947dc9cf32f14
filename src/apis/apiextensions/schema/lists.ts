// How the elements of a list are told apart: x-kubernetes-list-type and x-kubernetes-list-map-keys (KEP-2906).
import { collect, type Field } from "../../../machinery/validation/mod.ts";
import { internalForm } from "../../internal_form.ts";
import { itemsOf } from "../../../machinery/schema/structural_schema.ts";
import { itemsByPosition, type JsonSchema } from "./json_schema.ts";
import { lookUp } from "../../../machinery/look_up.ts";

const LIST_TYPES = ["atomic", "set", "map"];

export interface ListOptions {
  requireAtomicSets: boolean;
  requireSoundMapKeys: boolean;
}

export function validateLists(schema: JsonSchema, at: Field, options: ListOptions): void {
  const { type, "x-kubernetes-list-type": listType, "x-kubernetes-list-map-keys": keys = [] } = schema;
  const field = at.child("x-kubernetes-list-type");
  if (listType !== undefined && requireType(type, "array", "x-kubernetes-list-type", at)) {
    if (options.requireAtomicSets) validateAtomicItems(schema, at);
  }
  if (listType !== undefined && !LIST_TYPES.includes(listType)) field.notSupportedInOrder(listType, LIST_TYPES);
  if (keys.length > 0 && listType !== "map") {
    const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    if (listType === undefined) field.required(detail);
    else field.invalid(listType, detail);
  }
  if (listType === "map") validateMap(schema, keys, at);
  if (options.requireSoundMapKeys) validateKeys(schema, at);
}

/** Elements of a set are the same or not, as a whole. */
function validateAtomicItems(schema: JsonSchema, at: Field): void {
  const items = schema["x-kubernetes-list-type"] === "set" ? itemsOf(schema) : undefined;
  if (!items) return;
  const { "x-kubernetes-list-type": listType = "atomic", "x-kubernetes-map-type": mapType } = items;
  const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
  if (items.type === "array" && listType !== "atomic") {
    at.child("items", "x-kubernetes-list-type").invalid(listType, detail);
  }
  if (items.type === "object" && mapType !== "atomic") {
    at.child("items", "x-kubernetes-map-type").invalid(items["x-kubernetes-list-type"] ?? null, detail);
  }
}

function validateMap(schema: JsonSchema, keys: readonly string[], at: Field): void {
  const items = itemsOf(schema), field = at.child("items");
  const keysField = at.child("x-kubernetes-list-map-keys");
  if (keys.length === 0) keysField.required("must not be empty if x-kubernetes-list-type is map");
  if (itemsByPosition(schema).length > 0) {
    field.invalid(
      internalForm("JSONSchemaPropsOrArray", schema.items),
      "must only have a single schema if x-kubernetes-list-type is map",
    );
  } else if (!items) field.required("must have a schema if x-kubernetes-list-type is map");
  if (!items) return;
  if (items.type !== "object") {
    return field.child("type").invalid(
      items.type ?? "",
      "must be object if parent array's x-kubernetes-list-type is map",
    );
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = lookUp(items.properties ?? {}, key), type = property?.type;
    if (type === "array" || type === "object") {
      field.child("properties").key(key).child("type").invalid(
        items.type,
        "must be a scalar type if parent array's x-kubernetes-list-type is map",
      );
    }
    if (property === undefined) keysField.invalid(keys, "entries must all be names of item properties");
    if (seen.has(key)) keysField.invalid(keys, "must not contain duplicate entries");
    seen.add(key);
  }
}

/** Elements are never null, and every element of a map has its keys. */
function validateKeys(schema: JsonSchema, at: Field): void {
  const { "x-kubernetes-list-type": listType, "x-kubernetes-list-map-keys": keys = [] } = schema;
  const items = itemsOf(schema), field = at.child("items");
  if (!items || (listType !== "set" && listType !== "map")) return;
  if (items.nullable) {
    field.child("nullable").forbidden(`cannot be nullable when x-kubernetes-list-type is ${listType}`);
  }
  if (listType === "set") return;
  for (const key of keys) {
    const property = lookUp(items.properties ?? {}, key), propertyField = field.child("properties").key(key);
    if (!property) continue;
    if (!items.required?.includes(key) && property.default === undefined) {
      propertyField.child("default").required(
        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
      );
    }
    if (property.nullable) {
      propertyField.child("nullable").forbidden(
        "this property is in x-kubernetes-list-map-keys, so it cannot be nullable",
      );
    }
  }
}

export function hasSoundMapKeys(schema: JsonSchema): boolean {
  return collect((root) => validateKeys(schema, root)).length === 0;
}

export function hasAtomicItems(schema: JsonSchema): boolean {
  return collect((root) => validateAtomicItems(schema, root)).length === 0;
}

/** An extension that says something about values of one type only. */
export function requireType(type: string | undefined, wanted: string, extension: string, at: Field): boolean {
  if (type === wanted) return true;
  const detail = `must be ${wanted} if ${extension} is specified`;
  if (type) at.child("type").invalid(type, detail);
  else at.child("type").required(detail);
  return false;
}
