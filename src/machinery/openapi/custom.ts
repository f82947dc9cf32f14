// The documents of custom resources: their operations, and their schemas with what every object has.
import type { GroupVersionKind, Json, JsonObject } from "../types.ts";
import { type Operation, operationsOf, type PublishedResource } from "./operations.ts";
import { describedTypeMeta, type Descriptions, refTo, type Schemas } from "./schemas.ts";
import { downgrade, KNOWN_GROUP_VERSIONS } from "./v2.ts";
import { documentV3 } from "./v3.ts";

/** One served version of a CustomResourceDefinition. */
export interface CustomDefinition extends GroupVersionKind {
  listKind: string;
  /** The plural of the path. */
  resource: string;
  namespaced: boolean;
  /** Which subresources it has. */
  status: boolean;
  scale: boolean;
  /** Its structural schema (openAPIV3Schema); undefined when it has none. */
  schema?: JsonObject;
  /** Fields that field selectors may name, as JSON paths. */
  selectableFields?: readonly string[];
}

const INFO: JsonObject = { title: "Kubernetes CRD Swagger", version: "v0.1.0" };
const META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
const VERBS = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];
const SUBRESOURCE_VERBS = ["get", "patch", "update"];

/** `stable.example.com/v1, Widget` → `com.example.stable.v1.Widget`. */
function customTypeName({ group, version, kind }: GroupVersionKind): string {
  return `${group.split(".").reverse().join(".")}.${version}.${kind}`;
}

/** What can be done with it. */
export function customOperations(definition: CustomDefinition): Operation[] {
  const { group, version, kind } = definition, gvk = { group, version, kind };
  const subresources: PublishedResource["subresources"][number][] = [];
  if (definition.status) subresources.push({ name: "status", responseKind: gvk, verbs: SUBRESOURCE_VERBS });
  if (definition.scale) {
    const schema = "io.k8s.api.autoscaling.v1.Scale";
    subresources.push({ name: "scale", responseKind: gvk, verbs: SUBRESOURCE_VERBS, schema });
  }
  const { resource, namespaced, listKind } = definition;
  return operationsOf(
    { ...gvk, resource, namespaced, verbs: VERBS, subresources, custom: true },
    (of) => customTypeName(of.kind === kind ? of : { ...of, kind: listKind }),
  );
}

/** Groups of the servers before and behind the one that makes these documents. */
const OF_OTHERS = ["admission.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "imagepolicy.k8s.io"];
const GROUP_VERSIONS = KNOWN_GROUP_VERSIONS.filter(({ group }) => !OF_OTHERS.includes(group));

/** The v3 document of one group version. */
export function customDocumentV3(
  definitions: readonly CustomDefinition[],
  { schemas, descriptions }: { schemas: Schemas; descriptions: Descriptions },
): JsonObject {
  const own: Record<string, JsonObject> = {};
  for (const definition of definitions) Object.assign(own, customSchemas(definition, descriptions));
  return documentV3(definitions.flatMap(customOperations), {
    info: INFO,
    schemas: { ...schemas, ...own },
    descriptions,
    versions: GROUP_VERSIONS,
    secured: false,
  });
}

/** The schemas of its kind and of the list, in the form of v3. */
function customSchemas(definition: CustomDefinition, descriptions: Descriptions): Record<string, JsonObject> {
  const name = customTypeName(definition), { schema } = definition;
  const kind = schema === undefined
    ? { type: "object" }
    : withTypeMeta(unfolded(schema, descriptions) as JsonObject, "ObjectMeta", descriptions);
  return {
    [name]: marked(kind, definition, definition.kind),
    [customTypeName({ ...definition, kind: definition.listKind })]: marked(
      listSchema(definition, refTo(name), descriptions),
      definition,
      definition.listKind,
    ),
  };
}

/** The same in the form of v2, of which clients understand less. */
export function customDefinitionsV2(
  definition: CustomDefinition,
  descriptions: Descriptions,
): Record<string, JsonObject> {
  const name = customTypeName(definition), { schema } = definition;
  const isOpen = schema === undefined || schema[PRESERVE] === true;
  const kind = isOpen
    ? { type: "object" }
    : withTypeMeta(simplified(schema, descriptions) as JsonObject, "ObjectMeta", descriptions);
  const list = listSchema(definition, refTo(name), descriptions);
  return {
    [name]: marked(downgrade(kind) as JsonObject, definition, definition.kind),
    [customTypeName({ ...definition, kind: definition.listKind })]: marked(
      downgrade(list) as JsonObject,
      definition,
      definition.listKind,
    ),
  };
}

const PRESERVE = "x-kubernetes-preserve-unknown-fields";
const EMBEDDED = "x-kubernetes-embedded-resource";
const INT_OR_STRING = "x-kubernetes-int-or-string";

function withTypeMeta(schema: JsonObject, meta: "ObjectMeta" | "ListMeta", descriptions: Descriptions): JsonObject {
  const properties = { ...schema.properties as JsonObject, ...typeMeta(meta, descriptions) };
  return { ...schema, properties };
}

/** Built-in kinds that say of their metadata what all kinds say. */
const EXEMPLARS = { ObjectMeta: "IoK8sApiCoreV1ConfigMap", ListMeta: "IoK8sApiCoreV1ConfigMapList" } as const;

function typeMeta(meta: keyof typeof EXEMPLARS, descriptions: Descriptions): JsonObject {
  const { apiVersion, kind } = describedTypeMeta(descriptions);
  const fields = { apiVersion, kind, metadata: descriptions[EXEMPLARS[meta]]?.fields.metadata };
  const told = (name: "apiVersion" | "kind" | "metadata", schema: JsonObject): JsonObject => {
    const description = fields[name];
    return description === undefined ? schema : { description, ...schema };
  };
  return {
    apiVersion: told("apiVersion", { type: "string" }),
    kind: told("kind", { type: "string" }),
    metadata: told("metadata", { allOf: [refTo(META + meta)] }),
  };
}

function listSchema(
  { listKind, kind, resource }: CustomDefinition,
  item: JsonObject,
  descriptions: Descriptions,
): JsonObject {
  const description = `List of ${resource}.`;
  return withTypeMeta(
    {
      description: `${listKind} is a list of ${kind}`,
      type: "object",
      required: ["items"],
      properties: { items: { description, type: "array", items: item } },
    },
    "ListMeta",
    descriptions,
  );
}

function marked(schema: JsonObject, { group, version, selectableFields = [] }: CustomDefinition, kind: string) {
  const out: JsonObject = { ...schema, "x-kubernetes-group-version-kind": [{ group, version, kind }] };
  if (selectableFields.length > 0) {
    out["x-kubernetes-selectable-fields"] = selectableFields.map((path) => ({ fieldPath: path.replace(/^\./, "") }));
  }
  return out;
}

/** Applies `change` to the schemas within one, then to itself. */
function eachSchema(schema: Json, change: (schema: JsonObject) => JsonObject): Json {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return schema;
  const out: JsonObject = { ...schema };
  if (typeof out.properties === "object" && out.properties !== null) {
    out.properties = Object.fromEntries(
      Object.entries(out.properties as JsonObject).map(([name, property]) => [name, eachSchema(property!, change)]),
    );
  }
  for (const name of ["items", "additionalProperties"]) {
    if (out[name] !== undefined) out[name] = eachSchema(out[name]!, change);
  }
  return change(out);
}

/** A structural schema with what its extensions stand for written out. */
function unfolded(schema: JsonObject, descriptions: Descriptions): Json {
  return eachSchema(schema, (given) => {
    let out = given;
    if (out[INT_OR_STRING] === true && out.anyOf === undefined && out.allOf === undefined) {
      out = { ...out, anyOf: [{ type: "integer" }, { type: "string" }] };
    }
    return out[EMBEDDED] === true ? embedded(out, descriptions) : out;
  });
}

function embedded(schema: JsonObject, descriptions: Descriptions): JsonObject {
  const required = new Set([...(schema.required ?? []) as string[], "kind", "apiVersion"]);
  return { ...withTypeMeta(schema, "ObjectMeta", descriptions), required: [...required] };
}

const JUNCTORS = ["allOf", "oneOf", "anyOf", "not"];

/** A structural schema without what the readers of v2 stumble over. */
function simplified(schema: JsonObject, descriptions: Descriptions): Json {
  return eachSchema(schema, (given) => {
    const out = without(given, [...JUNCTORS, "x-kubernetes-validations"]);
    const isOpen = out[PRESERVE] === true, isNullable = out.nullable === true;
    if (isOpen || isNullable) { for (const name of ["items", "properties"]) delete out[name]; }
    if (isNullable) { for (const name of ["type", "nullable"]) delete out[name]; }
    if (out.type === "array" && out.items === undefined || out.type === "object" && isOpen) delete out.type;
    dropNullableFromRequired(out, given);
    return out[EMBEDDED] === true && !isOpen ? embedded(out, descriptions) : out;
  });
}

function without(schema: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));
}

/** `nullable` is gone from the properties by now: those without a type were nullable. */
function dropNullableFromRequired(out: JsonObject, given: JsonObject): void {
  if (!Array.isArray(out.required)) return;
  const properties = (given.properties ?? {}) as Record<string, JsonObject>;
  const kept = (out.required as string[]).filter((name) => {
    const property = properties[name];
    return property === undefined || property.type !== undefined || property[INT_OR_STRING] === true ||
      property[PRESERVE] === true;
  });
  if (kept.length === 0) delete out.required;
  else out.required = kept;
}
