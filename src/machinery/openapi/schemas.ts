// The published schemas of types, with descriptions where there are any.
import type { GroupVersion, JsonObject } from "../types.ts";

/** Schemas of OpenAPI v3 by the names of their types. */
export type Schemas = Readonly<Record<string, JsonObject>>;

/** The text of a type, and of its fields by name. */
export interface TypeDescription {
  text?: string;
  fields: Readonly<Record<string, string>>;
}

/** By the names of types, written in one word: `IoK8sApiCoreV1Pod`. */
export type Descriptions = Readonly<Record<string, TypeDescription>>;

let builtin: Promise<Schemas> | undefined;

/** The schemas of the built-in types, without descriptions. Loaded when first asked for; not to be changed. */
export function builtinSchemas(): Promise<Schemas> {
  return builtin ??= import("../../facts/generated/openapi_schemas.ts").then(({ SCHEMAS_TEXT }) =>
    JSON.parse(SCHEMAS_TEXT)
  );
}

const REF = "#/components/schemas/";

/** `{"$ref": "#/components/schemas/NAME"}`. */
export function refTo(name: string): JsonObject {
  return { $ref: REF + name };
}

/** The schemas that are named, and all that these refer to. */
export function reachable(schemas: Schemas, names: Iterable<string>): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>(), open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const schema = schemas[name];
    if (found.has(name) || schema === undefined) continue;
    found.set(name, schema);
    for (const [, ref] of JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) open.push(ref);
  }
  return new Map([...found].sort(([a], [b]) => a < b ? -1 : 1));
}

const EVERYWHERE = ["DeleteOptions", "WatchEvent"].map((kind) => `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`);

/** Kinds that every group has are said to be of those of the document. */
export function withGroupVersions(name: string, schema: JsonObject, versions: readonly GroupVersion[]): JsonObject {
  if (!EVERYWHERE.includes(name)) return schema;
  const kind = name.slice(name.lastIndexOf(".") + 1);
  return { ...schema, "x-kubernetes-group-version-kind": versions.map((gv) => ({ ...gv, kind })) };
}

/** The schema of a type with its description and those of its fields. */
export function described(name: string, schema: JsonObject, descriptions: Descriptions): JsonObject {
  const { text, fields } = descriptions[declaredName(name)] ?? NOTHING;
  const isKind = schema["x-kubernetes-group-version-kind"] !== undefined;
  const out: JsonObject = text === undefined ? { ...schema } : { description: text, ...schema };
  const properties = schema.properties as Record<string, JsonObject> | undefined;
  if (properties !== undefined) {
    out.properties = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const about = fields[name] ?? (isKind ? describedTypeMeta(descriptions)[name] : undefined);
        return [name, about === undefined ? property : { description: about, ...property }];
      }),
    );
  }
  return out;
}

const NOTHING: TypeDescription = { fields: {} };

/** What is said of every kind's `apiVersion` and `kind`; the declarations say it of options only. */
export function describedTypeMeta(descriptions: Descriptions): Readonly<Record<string, string | undefined>> {
  const { apiVersion, kind } = (descriptions.IoK8sApimachineryPkgApisMetaV1DeleteOptions ?? NOTHING).fields;
  return { apiVersion, kind };
}

/** `io.k8s.api.core.v1.Pod` → `IoK8sApiCoreV1Pod`. */
function declaredName(name: string): string {
  return name.split(/[.-]/).map((part) => part[0].toUpperCase() + part.slice(1)).join("");
}
