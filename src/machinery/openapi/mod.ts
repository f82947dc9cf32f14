// The OpenAPI documents of the built-in resources, and the pieces that those of custom ones are made of.
import { RESOURCES } from "../../facts/generated/resources.ts";
import { builtinSchema } from "../schema/builtin.ts";
import { type GroupVersion, type GroupVersionKind, type JsonObject, parseApiVersion } from "../types.ts";
import { type CustomDefinition, customDefinitionsV2, customOperations } from "./custom.ts";
import {
  groupOperation,
  groupVersionOperation,
  NON_RESOURCE_OPERATIONS,
  type Operation,
  operationsOf,
  rootOf,
} from "./operations.ts";
import { builtinSchemas, type Descriptions } from "./schemas.ts";
import { documentV2 } from "./v2.ts";
import { documentV3 } from "./v3.ts";

export type { CustomDefinition } from "./custom.ts";
export type { PublishedResource } from "./operations.ts";

const INFO: JsonObject = { title: "Kubernetes", version: "1.36" };

function schemaOfBuiltin(gvk: GroupVersionKind): string {
  const type = builtinSchema().typeOfKind(gvk);
  if (type === undefined) throw new TypeError(`no schema of ${gvk.group}/${gvk.version}, Kind=${gvk.kind}`);
  return type.name;
}

/** Names of the built-in v3 documents, as their paths below /openapi/v3: `api/v1`, `apis/apps`, `version`. */
export function builtinDocumentsV3(): string[] {
  const versions = builtinGroupVersions();
  const groups = new Set(versions.map(({ group }) => group).filter((group) => group !== ""));
  return [
    ...NON_RESOURCE_OPERATIONS.keys(),
    ...Array.from(groups, (group) => `apis/${group}`),
    ...versions.map((gv) => rootOf(gv).slice(1)),
  ].sort();
}

function builtinGroupVersions(): GroupVersion[] {
  const versions = new Map<string, GroupVersion>();
  for (const { group, version } of RESOURCES) versions.set(`${group}/${version}`, { group, version });
  return [...versions.values()];
}

function operationsOfGroupVersion({ group, version }: GroupVersion): Operation[] {
  const resources = RESOURCES.filter((r) => r.group === group && r.version === version);
  return [
    groupVersionOperation({ group, version }),
    ...resources.flatMap((resource) => operationsOf(resource, schemaOfBuiltin)),
  ];
}

/** A built-in v3 document by its name; undefined when there is none. */
export async function openapiV3(name: string, descriptions: Descriptions = {}): Promise<JsonObject | undefined> {
  const found = operationsNamed(name);
  if (found === undefined) return undefined;
  const { operations, gv } = found, core = { group: "", version: "v1" };
  const versions = gv === undefined || gv.group === "" ? [core] : [core, gv];
  return documentV3(operations, { info: INFO, schemas: await builtinSchemas(), descriptions, versions, secured: true });
}

function operationsNamed(name: string): { operations: Operation[]; gv?: GroupVersion } | undefined {
  const single = NON_RESOURCE_OPERATIONS.get(name);
  if (single !== undefined) return { operations: [single] };
  const gv = name.startsWith("apis/") ? parseApiVersion(name.slice(5)) : parseApiVersion(name.replace(/^api\//, ""));
  if (gv === undefined || !builtinDocumentsV3().includes(name)) return undefined;
  // `apis/apps` reads as the version `apps` of the core group.
  if (name.startsWith("apis/") && gv.group === "") return { operations: [groupOperation(gv.version)] };
  return { operations: operationsOfGroupVersion(gv), gv };
}

/** The v2 document of the built-in resources and of custom ones. */
export async function openapiV2(
  descriptions: Descriptions = {},
  definitions: readonly CustomDefinition[] = [],
): Promise<JsonObject> {
  const versions = builtinGroupVersions(), groups = new Set(versions.map(({ group }) => group));
  groups.delete("");
  const operations = [
    ...NON_RESOURCE_OPERATIONS.values(),
    ...Array.from(groups, groupOperation),
    ...versions.flatMap(operationsOfGroupVersion),
    ...definitions.flatMap(customOperations),
  ];
  const custom = Object.assign({}, ...definitions.map((definition) => customDefinitionsV2(definition, descriptions)));
  return documentV2(operations, { info: INFO, schemas: await builtinSchemas(), descriptions, custom });
}
