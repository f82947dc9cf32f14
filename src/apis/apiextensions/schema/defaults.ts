// Defaults are valid values of their schemas, with nothing in them that would be pruned.
import { parseExactly } from "../../../machinery/big_integers.ts";
import { compileSchema, validateEmbedded } from "../../../machinery/schema_validation/mod.ts";
import { aggregate, type FieldError, path } from "../../../machinery/field_error.ts";
import { clone } from "../../../machinery/clone.ts";
import { isObject, type Json } from "../../../machinery/types.ts";
import type { Field } from "../../../machinery/validation/mod.ts";
import { itemsOf } from "../../../machinery/schema/structural_schema.ts";
import { type JsonSchema, someSchema } from "./json_schema.ts";
import type { RuleChecker } from "./rules.ts";
import { hasUnknownFields } from "./unknown_fields.ts";

const EMBEDDED = "x-kubernetes-embedded-resource";
const INT_OR_STRING = "x-kubernetes-int-or-string";
const META_FIELDS = new Set(["metadata", "apiVersion", "kind"]);

export interface DefaultsOptions {
  /** Fields that would be pruned are errors. */
  requirePruned: boolean;
  rules?: RuleChecker;
}

/** The resource that a schema is part of: the whole object or one embedded in it. */
interface Resource {
  schema: JsonSchema;
  /** Puts a value of the schema in its place in the resource. */
  around(value: Json): Json;
  /** The schema is part of metadata, apiVersion or kind. */
  insideMeta: boolean;
}

/** Every default of an object's schema. */
export function validateDefaults(schema: JsonSchema, at: Field, options: DefaultsOptions): void {
  const root = { ...schema, [EMBEDDED]: true };
  visit(root, at, { schema: root, around: (value) => value, insideMeta: false }, options);
}

function visit(schema: JsonSchema, at: Field, within: Resource, options: DefaultsOptions): void {
  const embedded = schema[EMBEDDED] ?? false;
  const resource: Resource = embedded ? { schema, around: (value) => value, insideMeta: false } : within;
  if (schema.default !== undefined && schema.default !== null) {
    validateDefault(schema, schema.default, at.child("default"), resource, options);
  }
  const items = itemsOf(schema), { properties = {} } = schema;
  if (items) {
    visit(items, at.child("items"), { ...resource, around: (value) => resource.around([value]) }, options);
  }
  for (const name in properties) {
    visit(properties[name], at.child("properties").key(name), {
      ...resource,
      around: (value) => resource.around({ [name]: value }),
      insideMeta: resource.insideMeta || (embedded && META_FIELDS.has(name)),
    }, options);
  }
}

/** Of several kinds of errors the first is told. */
function validateDefault(
  schema: JsonSchema,
  value: Json,
  at: Field,
  resource: Resource,
  options: DefaultsOptions,
): void {
  if (!resource.insideMeta && options.requirePruned && hasUnknownFields(value, schema)) {
    at.invalid(value, "must not have unknown fields");
  }
  const problems = resource.insideMeta ? metadataProblems(value, at, resource) : headerProblems(value, schema, at);
  const errors = problems.length > 0 ? problems : valueProblems(schema, value, at);
  if (errors.length > 0) at.add(errors);
  else options.rules?.checkDefault(schema, value, at, { isRoot: schema === resource.schema });
}

/** For defaults, unlike other values, x-kubernetes-int-or-string says nothing: so it is in kube-apiserver. */
function valueProblems(schema: JsonSchema, value: Json, at: Field): FieldError[] {
  const plain = someSchema(schema, (inside) => inside[INT_OR_STRING] === true)
    ? parseExactly<JsonSchema>(JSON.stringify(schema, (name, part) => name === INT_OR_STRING ? undefined : part))
    : schema;
  return compileSchema(plain).validate(value, { at: at.path });
}

/** What is wrong with metadata that has this default in it. */
function metadataProblems(value: Json, at: Field, { schema, around }: Resource): FieldError[] {
  const object = around(clone(value));
  const whole = isObject(object) ? { kind: "Validation", apiVersion: "validation/v1", ...object } : object;
  const errors = malformedFirst(validateEmbedded(whole, schema, { at: path(), isRoot: true }));
  if (errors.length === 0) return [];
  const detail = `must result in valid metadata: ${aggregate(errors)}`;
  return [{ type: "FieldValueInvalid", field: at.text, value, detail }];
}

function headerProblems(value: Json, schema: JsonSchema, at: Field): FieldError[] {
  return malformedFirst(validateEmbedded(value, schema, { at: at.path, isRoot: false }));
}

/** Values of the wrong type keep everything else from being looked at. */
function malformedFirst(errors: FieldError[]): FieldError[] {
  const malformed = errors.find(({ detail }) => detail === "must be a string" || detail.startsWith("json: "));
  return malformed === undefined ? errors : [malformed];
}
