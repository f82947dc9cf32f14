// Objects within objects (x-kubernetes-embedded-resource): kind, apiVersion and metadata are checked like their own.
import { builtinSchema } from "../schema/builtin.ts";
import { decodeTyped } from "../codec/typed.ts";
import { type FieldError, invalid, type Path, required } from "../field_error.ts";
import { isObject, type Json, type JsonObject, type ObjectMeta, parseApiVersion } from "../types.ts";
import { isDNS1035Label, nameIsPathSegment, validateObjectMeta } from "../validation/mod.ts";
import { additionalOf, anywhere, itemsOf, type JSONSchema } from "../schema/structural_schema.ts";

const EMBEDDED = "x-kubernetes-embedded-resource";

export interface EmbeddedOptions {
  /** The path of the value; that of an object is "". */
  at: Path;
  /** The value is a whole object itself. */
  isRoot?: boolean;
}

/** Everything wrong with the header of each embedded object. */
export function validateEmbedded(
  value: Json,
  schema: JSONSchema | undefined,
  { at, isRoot = false }: EmbeddedOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  if (isRoot && isObject(value)) checkHeader(value, at, errors);
  if (schema !== undefined) visit(value, schema, at, errors);
  return errors;
}

const hasEmbedded = anywhere((schema) => schema[EMBEDDED] === true);

function visit(value: Json, schema: JSONSchema, at: Path, errors: FieldError[]): void {
  if (typeof value !== "object" || value === null || !hasEmbedded(schema)) return;
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    if (items !== undefined) value.forEach((element, i) => visit(element, items, at.index(i), errors));
    return;
  }
  if (schema[EMBEDDED]) checkHeader(value, at, errors);
  const additional = additionalOf(schema), properties = schema.properties ?? {};
  for (const name in value) {
    if (Object.hasOwn(properties, name)) visit(value[name]!, properties[name], at.child(name), errors);
    else if (additional !== undefined) visit(value[name]!, additional, at.key(name), errors);
  }
}

function checkHeader(object: JsonObject, at: Path, errors: FieldError[]): void {
  const { apiVersion, kind, metadata } = object;
  if (apiVersion === undefined) errors.push(required(at.child("apiVersion")));
  if (kind === undefined) errors.push(required(at.child("kind")));
  if (apiVersion !== undefined) {
    const problem = apiVersionProblem(apiVersion);
    if (problem !== undefined) errors.push(invalid(at.child("apiVersion"), apiVersion, problem));
  }
  if (kind !== undefined) {
    const problem = kindProblem(kind);
    if (problem !== undefined) errors.push(invalid(at.child("kind"), kind, problem));
  }
  if (metadata !== undefined) checkMetadata(metadata, at.child("metadata"), errors);
}

function apiVersionProblem(value: Json): string | undefined {
  if (typeof value !== "string") return "must be a string";
  if (value === "") return "must not be empty";
  return parseApiVersion(value) === undefined ? `unexpected GroupVersion string: ${value}` : undefined;
}

function kindProblem(value: Json): string | undefined {
  if (typeof value !== "string") return "must be a string";
  if (value === "") return "must not be empty";
  const problems = isDNS1035Label(value.toLowerCase());
  if (problems.length === 0) return undefined;
  return `may have mixed case, but should otherwise match: ${problems.join(",")}`;
}

function checkMetadata(given: Json, at: Path, errors: FieldError[]): void {
  const type = builtinSchema().typeByName("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")!;
  const outcome = decodeTyped(type, given, { strict: false });
  if (outcome.error !== undefined) {
    errors.push(invalid(at, given, outcome.error));
    return;
  }
  const metadata = outcome.object as unknown as ObjectMeta;
  // An embedded object may do without a name.
  const meta = { ...metadata, name: metadata.name || "fakename" };
  errors.push(...validateObjectMeta(meta, {
    namespaced: (meta.namespace ?? "") !== "",
    validateName: nameIsPathSegment,
    path: at,
  }));
}
