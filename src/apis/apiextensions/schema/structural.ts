// Structural schemas (KEP-1152): types stand in the schema itself, what stands in allOf, anyOf, oneOf and not only
// restricts values. Such a schema says for every field what it is.
import { type FieldError, formatFieldError } from "../../../machinery/field_error.ts";
import { compileRe2 } from "../../../machinery/re2.ts";
import { collect, deepEqual, type Field } from "../../../machinery/validation/mod.ts";
import { validateCompleteness } from "./completeness.ts";
import { itemsOf } from "../../../machinery/schema/structural_schema.ts";
import { itemsByPosition, type JsonSchema, schemaIn } from "./json_schema.ts";

/** Where a schema stands: its type may not be left out, and metadata at the root is the server's own. */
type Level = "root" | "item" | "field";

/** Everything that keeps a schema from being structural; {@link structuralConflict} must have found nothing. */
export function validateStructural(schema: JsonSchema, at: Field): void {
  const errors = collect((root) => {
    const inside = root.top(at.text);
    validateInvariants(schema, "root", inside);
    validateCompleteness(schema, inside);
  });
  at.add(sorted(errors));
}

/** Members of a schema have no order: errors are told in that of their words. */
function sorted(errors: readonly FieldError[]): FieldError[] {
  const texts = new Map(errors.map((e) => [e, formatFieldError(e)]));
  return [...errors].sort((a, b) => texts.get(a)! < texts.get(b)! ? -1 : 1);
}

/** Whether a schema is structural. */
export function isStructural(schema: JsonSchema): boolean {
  return structuralConflict(schema) === undefined && collect((root) => validateStructural(schema, root)).length === 0;
}

/** Keywords that no structural schema can have; in the order in which they are looked for. */
const UNSUPPORTED: readonly [name: string, is: (schema: JsonSchema) => boolean][] = [
  ["id", (s) => !!s.id],
  ["schema", (s) => !!s.$schema],
  ["$ref", (s) => !!s.$ref],
  ["patternProperties", (s) => Object.keys(s.patternProperties ?? {}).length > 0],
  ["dependencies", (s) => Object.keys(s.dependencies ?? {}).length > 0],
  ["additionalItems", (s) => s.additionalItems !== undefined],
  ["definitions", (s) => Object.keys(s.definitions ?? {}).length > 0],
];

/** Why a schema cannot even be read as a structural one. */
export function structuralConflict(schema: JsonSchema): string | undefined {
  const unsupported = UNSUPPORTED.find(([, is]) => is(schema));
  if (unsupported !== undefined) return `OpenAPIV3Schema '${unsupported[0]}' is not supported`;
  const junctors = [schema.not, ...schema.allOf ?? [], ...schema.anyOf ?? [], ...schema.oneOf ?? []];
  const conflict = firstConflict(junctors);
  if (conflict !== undefined) return conflict;
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (itemsByPosition(schema).length > 0) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  return firstConflict([
    itemsOf(schema),
    ...Object.values(schema.properties ?? {}),
    schemaIn(schema.additionalProperties),
  ]);
}

function firstConflict(schemas: readonly (JsonSchema | undefined)[]): string | undefined {
  for (const schema of schemas) {
    const conflict = schema && structuralConflict(schema);
    if (conflict !== undefined) return conflict;
  }
  return undefined;
}

const MISSING_TYPE: Record<Level, string> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function validateInvariants(schema: JsonSchema, level: Level, at: Field): void {
  const items = itemsOf(schema), { properties = {}, additionalProperties } = schema;
  if (schema.type === "array" && !items) at.child("items").required("must be specified");
  if (items) validateInvariants(items, "item", at.child("items"));
  for (const name in properties) validateInvariants(properties[name], "field", at.child("properties").key(name));
  if (additionalProperties !== undefined) {
    const field = at.child("additionalProperties"), inside = schemaIn(additionalProperties);
    if (level === "root") field.forbidden("must not be used at the root");
    if (inside) validateInvariants(inside, "field", field);
  }
  validateExtensions(schema, at);
  validateValues(schema, level, at, {
    skipAnyOf: isIntOrString(schema.anyOf),
    skipFirstAllOf: isIntOrString(schema.allOf?.[0]?.anyOf),
  });
  validateType(schema, level, at);
  if (level === "root" || schema["x-kubernetes-embedded-resource"]) validateTypeMeta(properties, at);
  if (properties.metadata) validateMetadata(schema, level, at.child("properties").key("metadata"));
  const { "x-kubernetes-embedded-resource": embedded, "x-kubernetes-preserve-unknown-fields": preserves } = schema;
  if (embedded && !preserves && Object.keys(properties).length === 0) {
    at.child("properties").required(
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
    );
  }
}

function validateType(schema: JsonSchema, level: Level, at: Field): void {
  const { type, "x-kubernetes-embedded-resource": embedded } = schema;
  if (embedded && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    if (type) at.child("type").invalid(type, detail);
    else at.child("type").required(detail);
  } else if (!type && !schema["x-kubernetes-int-or-string"] && !schema["x-kubernetes-preserve-unknown-fields"]) {
    at.child("type").required(MISSING_TYPE[level]);
  }
  if (embedded && schema.additionalProperties !== undefined) {
    at.child("additionalProperties").forbidden("must not be used if x-kubernetes-embedded-resource is set");
  }
  if (level === "root" && type && type !== "object") at.child("type").invalid(type, "must be object at the root");
}

function validateTypeMeta(properties: Readonly<Record<string, JsonSchema>>, at: Field): void {
  for (const name of ["kind", "apiVersion"]) {
    const property = properties[name];
    if (property && property.type !== "string") {
      at.child("properties").key(name).child("type").invalid(property.type ?? "", "must be string");
    }
  }
}

function validateMetadata(schema: JsonSchema, level: Level, at: Field): void {
  const { type = "", default: _, properties = {}, ...rest } = schema.properties!.metadata;
  const object = level === "root" || schema["x-kubernetes-embedded-resource"];
  if (object && type !== "object") at.child("type").invalid(type, "must be object");
  const onlyNames = Object.keys(properties).every((name) => name === "name" || name === "generateName");
  const silent = rest.additionalProperties === undefined && Object.values(rest).every(isZero);
  if (level === "root" && !(onlyNames && silent)) {
    at.forbidden("must not specify anything other than name and generateName, but metadata is implicitly specified");
  }
}

/** Whether a keyword says nothing. */
function isZero(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === "" || value === 0 ||
    (Array.isArray(value) && value.length === 0);
}

/** `[{type: integer}, {type: string}]`: the one way in which types may stand under junctors. */
function isIntOrString(anyOf: readonly JsonSchema[] | undefined): boolean {
  if (anyOf?.length !== 2) return false;
  const said = anyOf.map((s) => Object.fromEntries(Object.entries(s).filter(([, value]) => !isZero(value))));
  return deepEqual(said, [{ type: "integer" }, { type: "string" }]);
}

function validateExtensions(schema: JsonSchema, at: Field): void {
  if (!schema["x-kubernetes-int-or-string"]) return;
  for (const name of ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] as const) {
    if (schema[name]) at.child(name).invalid(true, "must be false if x-kubernetes-int-or-string is true");
  }
}

function validateValues(
  schema: JsonSchema,
  level: Level,
  at: Field,
  { skipAnyOf = false, skipFirstAllOf = false } = {},
): void {
  if (!skipAnyOf) schema.anyOf?.forEach((s, i) => validateNested(s, level, at.child("anyOf").index(i)));
  schema.allOf?.forEach((s, i) => validateNested(s, level, at.child("allOf").index(i), skipFirstAllOf && i === 0));
  schema.oneOf?.forEach((s, i) => validateNested(s, level, at.child("oneOf").index(i)));
  if (schema.not) validateNested(schema.not, level, at.child("not"));
  if (schema.pattern) {
    try {
      compileRe2(schema.pattern);
    } catch (e) {
      const { message } = e as Error;
      at.child("pattern").invalid(schema.pattern, `must be a valid regular expression, but isn't: ${message}`);
    }
  }
}

/** What a schema under a junctor may not say, since it would say what a field is. */
const FORBIDDEN: readonly (readonly [keyword: keyof JsonSchema & string, must: "empty" | "undefined" | "false"])[] = [
  ["type", "empty"],
  ["additionalProperties", "undefined"],
  ["default", "undefined"],
  ["title", "empty"],
  ["description", "empty"],
  ["nullable", "false"],
  ["x-kubernetes-preserve-unknown-fields", "false"],
  ["x-kubernetes-embedded-resource", "false"],
  ["x-kubernetes-int-or-string", "false"],
  ["x-kubernetes-list-map-keys", "empty"],
  ["x-kubernetes-list-type", "undefined"],
  ["x-kubernetes-map-type", "undefined"],
  ["x-kubernetes-validations", "empty"],
];

function validateNested(schema: JsonSchema, level: Level, at: Field, skipAnyOf = false): void {
  validateValues(schema, level, at, { skipAnyOf });
  const items = itemsOf(schema), { properties = {} } = schema;
  if (items) validateNested(items, level, at.child("items"));
  for (const name in properties) validateNested(properties[name], "field", at.child("properties").key(name));
  for (const [keyword, must] of FORBIDDEN) {
    const value = schema[keyword];
    const silent = keyword === "additionalProperties" && value === false;
    const said = must === "undefined" ? value !== undefined && !silent : !isZero(value);
    if (said) at.child(keyword).forbidden(`must be ${must} to be structural`);
  }
  if (properties.metadata) {
    at.child("properties").key("metadata").forbidden("must not be specified in a nested context");
  }
}
