// The one document of OpenAPI v2 (Swagger): every operation and every schema.
import type { GroupVersion, Json, JsonObject } from "../types.ts";
import type { Content, Operation } from "./operations.ts";
import { type Parameter, sharedParameters } from "./parameters.ts";
import { described, type Descriptions, reachable, type Schemas, withGroupVersions } from "./schemas.ts";
import { MEANINGS, pathsOf, schemasOf } from "./v3.ts";

export interface DocumentV2Options {
  info: JsonObject;
  schemas: Schemas;
  descriptions: Descriptions;
  /** Those of custom resources, in the form of this document. */
  custom?: JsonObject;
}

const META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
/** Bodies that many operations share, by their schemas. */
const SHARED_BODIES: Readonly<Record<string, string>> = {
  [`${META}DeleteOptions`]: "body-2Y1dVQaQ",
  [`${META}Patch`]: "body-78PwaGsr",
};

export function documentV2(operations: readonly Operation[], options: DocumentV2Options): JsonObject {
  const { info, schemas, descriptions, custom = {} } = options;
  const definitions: JsonObject = { ...custom };
  for (const [name, schema] of reachable(schemas, operations.flatMap(schemasOf))) {
    const whole = described(name, withGroupVersions(name, schema, KNOWN_GROUP_VERSIONS), descriptions);
    definitions[name] = definition(name, whole);
  }
  return {
    swagger: "2.0",
    info,
    paths: pathsOf(operations, parameterV2, operationV2),
    definitions,
    parameters: parameters(),
    securityDefinitions: {
      BearerToken: {
        description: "Bearer Token authentication",
        type: "apiKey",
        name: "authorization",
        in: "header",
      },
    },
    security: [{ BearerToken: [] }],
  };
}

/** The document's own form of types that v3 says more about. */
const DEFINITIONS: Readonly<Record<string, JsonObject>> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": { type: "string" },
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": { type: "string", format: "int-or-string" },
};

function definition(name: string, schema: JsonObject): JsonObject {
  const own = DEFINITIONS[name];
  if (own !== undefined) return schema.description === undefined ? own : { description: schema.description, ...own };
  return downgrade(schema) as JsonObject;
}

/** A schema of v3 in the words of v2: no defaults, references that stand alone. */
export function downgrade(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(downgrade);
  const out: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (key === "default") continue;
    if (key === "allOf" && Array.isArray(member) && member.length === 1) Object.assign(out, downgrade(member[0]));
    else if (key === "$ref") out.$ref = String(member).replace("#/components/schemas/", "#/definitions/");
    else if (key === "properties") out.properties = mapMembers(member as JsonObject, downgrade);
    else out[key] = downgrade(member!);
  }
  return out;
}

function mapMembers(object: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, change(member!)]));
}

function parameters(): JsonObject {
  const shared: JsonObject = {};
  for (const [key, parameter] of sharedParameters()) shared[key] = written(parameter);
  for (const [schema, key] of Object.entries(SHARED_BODIES)) {
    shared[key] = bodyParameter(schema, schema.endsWith("Patch"));
  }
  return Object.fromEntries(Object.entries(shared).sort(([a], [b]) => a < b ? -1 : 1));
}

function written({ name, in: place, type }: Parameter): JsonObject {
  const out: JsonObject = { uniqueItems: true, type, name, in: place };
  if (place === "path") out.required = true;
  return out;
}

function bodyParameter(schema: string, required: boolean): JsonObject {
  const out: JsonObject = { name: "body", in: "body", schema: { $ref: `#/definitions/${schema}` } };
  if (required) out.required = true;
  return out;
}

function parameterV2(parameter: Parameter): JsonObject {
  return parameter.shared === undefined ? written(parameter) : { $ref: `#/parameters/${parameter.shared}` };
}

function operationV2(operation: Operation, parameters: JsonObject[]): JsonObject {
  const { tag, operationId, body, consumes, produces, responses, action, gvk } = operation;
  const out: JsonObject = {};
  if (consumes.length > 0) out.consumes = [...consumes];
  Object.assign(out, { produces: [...produces], schemes: ["https"], tags: [tag], operationId });
  const all = body === undefined ? parameters : [bodyReference(body), ...parameters];
  if (all.length > 0) out.parameters = all;
  const answers: JsonObject = {};
  for (const [code, content] of Object.entries(responses)) {
    answers[code] = { description: MEANINGS[code], schema: schemaOf(content) };
  }
  answers[401] = { description: MEANINGS[401] };
  out.responses = answers;
  if (action !== undefined) out["x-kubernetes-action"] = action;
  if (gvk !== undefined) out["x-kubernetes-group-version-kind"] = { ...gvk };
  return out;
}

function bodyReference({ schema, required }: { schema: string; required: boolean }): JsonObject {
  const shared = SHARED_BODIES[schema];
  return shared === undefined ? bodyParameter(schema, required) : { $ref: `#/parameters/${shared}` };
}

function schemaOf(content: Content): JsonObject {
  return content === "text" ? { type: "string" } : { $ref: `#/definitions/${content.schema}` };
}

/** Every version that the real server has types of, served or not. */
export const KNOWN_GROUP_VERSIONS: readonly GroupVersion[] = [
  ["", "v1"],
  ["admission.k8s.io", "v1", "v1beta1"],
  ["admissionregistration.k8s.io", "v1", "v1alpha1", "v1beta1"],
  ["apiextensions.k8s.io", "v1", "v1beta1"],
  ["apiregistration.k8s.io", "v1", "v1beta1"],
  ["apps", "v1", "v1beta1", "v1beta2"],
  ["authentication.k8s.io", "v1", "v1alpha1", "v1beta1"],
  ["authorization.k8s.io", "v1", "v1beta1"],
  ["autoscaling", "v1", "v2"],
  ["batch", "v1", "v1beta1"],
  ["certificates.k8s.io", "v1", "v1alpha1", "v1beta1"],
  ["coordination.k8s.io", "v1", "v1alpha2", "v1beta1"],
  ["discovery.k8s.io", "v1", "v1beta1"],
  ["events.k8s.io", "v1", "v1beta1"],
  ["extensions", "v1beta1"],
  ["flowcontrol.apiserver.k8s.io", "v1", "v1beta1", "v1beta2", "v1beta3"],
  ["imagepolicy.k8s.io", "v1alpha1"],
  ["internal.apiserver.k8s.io", "v1alpha1"],
  ["networking.k8s.io", "v1", "v1beta1"],
  ["node.k8s.io", "v1", "v1alpha1", "v1beta1"],
  ["policy", "v1", "v1beta1"],
  ["rbac.authorization.k8s.io", "v1", "v1alpha1", "v1beta1"],
  ["resource.k8s.io", "v1", "v1alpha3", "v1beta1", "v1beta2"],
  ["scheduling.k8s.io", "v1", "v1alpha2", "v1beta1"],
  ["storage.k8s.io", "v1", "v1alpha1", "v1beta1"],
  ["storagemigration.k8s.io", "v1beta1"],
].flatMap(([group, ...versions]) => versions.map((version) => ({ group, version })));
