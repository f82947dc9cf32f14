// One document of OpenAPI v3: the operations of a group version, or of one path, and the schemas that they name.
import type { GroupVersion, JsonObject } from "../types.ts";
import type { Content, Operation } from "./operations.ts";
import type { Parameter } from "./parameters.ts";
import { described, type Descriptions, reachable, refTo, type Schemas, withGroupVersions } from "./schemas.ts";

export interface DocumentOptions {
  info: JsonObject;
  schemas: Schemas;
  descriptions: Descriptions;
  /** Those whose objects kinds of every group are said to be. */
  versions: readonly GroupVersion[];
  /** Whether the document says how clients prove who they are. */
  secured: boolean;
}

const SECURITY: JsonObject = {
  BearerToken: {
    type: "apiKey",
    description: "Bearer Token authentication",
    name: "authorization",
    in: "header",
  },
};

export function documentV3(operations: readonly Operation[], options: DocumentOptions): JsonObject {
  const { info, schemas, descriptions, versions, secured } = options;
  const components: JsonObject = {}, named = new Set<string>();
  for (const operation of operations) for (const name of schemasOf(operation)) named.add(name);
  const used: JsonObject = {};
  for (const [name, schema] of reachable(schemas, named)) {
    used[name] = described(name, withGroupVersions(name, schema, versions), descriptions);
  }
  if (Object.keys(used).length > 0) components.schemas = used;
  if (secured) components.securitySchemes = SECURITY;
  return { openapi: "3.0.0", info, paths: pathsOf(operations, parameterV3, operationV3), components };
}

/** The names of the schemas that an operation takes and gives. */
export function schemasOf({ body, responses }: Operation): string[] {
  const names = body === undefined ? [] : [body.schema];
  for (const content of Object.values(responses)) if (content !== "text") names.push(content.schema);
  return names;
}

/** Paths in order, what all operations of a path take told once. */
export function pathsOf(
  operations: readonly Operation[],
  parameterOf: (parameter: Parameter) => JsonObject,
  operationOf: (operation: Operation, parameters: JsonObject[]) => JsonObject,
): JsonObject {
  const byPath = new Map<string, Operation[]>();
  for (const operation of operations) {
    const known = byPath.get(operation.path);
    if (known === undefined) byPath.set(operation.path, [operation]);
    else known.push(operation);
  }
  const paths: JsonObject = {};
  for (const path of [...byPath.keys()].sort()) {
    const group = byPath.get(path)!;
    const common = group[0].parameters.filter((p) => group.every(({ parameters }) => parameters.includes(p)));
    const item: JsonObject = {};
    for (const operation of group) {
      const own = operation.parameters.filter((p) => !common.includes(p));
      item[operation.method] = operationOf(operation, byName(own).map(parameterOf));
    }
    if (common.length > 0) item.parameters = byName(common).map(parameterOf);
    paths[path] = item;
  }
  return paths;
}

function byName(parameters: readonly Parameter[]): Parameter[] {
  const order = (a: Parameter, b: Parameter) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : a.in < b.in ? -1 : a.in > b.in ? 1 : 0;
  return [...parameters].sort(order);
}

function parameterV3(parameter: Parameter): JsonObject {
  const out: JsonObject = { name: parameter.name, in: parameter.in };
  if (parameter.in === "path") out.required = true;
  out.schema = { type: parameter.type, uniqueItems: true };
  return out;
}

/** What status codes say. */
export const MEANINGS: Readonly<Record<string, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  401: "Unauthorized",
};

function operationV3(operation: Operation, parameters: JsonObject[]): JsonObject {
  const { tag, operationId, body, consumes, produces, responses, action, gvk } = operation;
  const out: JsonObject = { tags: [tag], operationId };
  if (parameters.length > 0) out.parameters = parameters;
  if (body !== undefined) {
    out.requestBody = { content: contentOf({ schema: body.schema }, consumes) };
    if (body.required) (out.requestBody as JsonObject).required = true;
  }
  const answers: JsonObject = {};
  for (const [code, content] of Object.entries(responses)) {
    answers[code] = { description: MEANINGS[code], content: contentOf(content, produces) };
  }
  answers[401] = { description: MEANINGS[401] };
  out.responses = answers;
  if (action !== undefined) out["x-kubernetes-action"] = action;
  if (gvk !== undefined) out["x-kubernetes-group-version-kind"] = { ...gvk };
  return out;
}

function contentOf(content: Content, types: readonly string[]): JsonObject {
  const schema = content === "text" ? { type: "string" } : refTo(content.schema);
  return Object.fromEntries([...types].sort().map((type) => [type, { schema }]));
}
