// The parameters with which a binding puts its policy in force.
import type { ParamKind, ParamRef } from "../../facts/generated/types.ts";
import { selectorMatches } from "../../machinery/validation/mod.ts";
import { parseApiVersion } from "../../machinery/types.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { KindReader, PluginContext } from "../plugins/context.ts";

/** What a policy or a binding says makes no sense for the request. */
export class ConfigurationError extends Error {}

/** Undefined when the policy has no parameters. Throws {@link ConfigurationError} for a kind that nobody serves. */
export function paramReader(
  kind: ParamKind | undefined,
  { readerOf }: Pick<PluginContext, "readerOf">,
): KindReader | undefined {
  if (!kind) return undefined;
  const { apiVersion = "", kind: name = "" } = kind;
  const reader = readerOf(apiVersion, name);
  if (reader !== undefined) return reader;
  const { group, version } = parseApiVersion(apiVersion) ?? { group: "", version: apiVersion };
  throw new ConfigurationError(
    `failed to find resource referenced by paramKind: '${group}/${version}, Kind=${name}'`,
  );
}

/**
 * Undefined stands for a run without parameters; an empty list means that the policy is not in force.
 * Throws {@link ConfigurationError}.
 */
export async function collectParams(
  reader: KindReader | undefined,
  ref: ParamRef | undefined,
  requestNamespace: string,
): Promise<(KubeObject | undefined)[]> {
  if (reader === undefined || !ref) return [undefined];
  const found = await find(reader, ref, namespaceOf(reader, ref, requestNamespace));
  if (found.length === 0 && ref.parameterNotFoundAction === "Deny") {
    throw new ConfigurationError("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return found;
}

function namespaceOf({ namespaced }: KindReader, { namespace = "" }: ParamRef, requestNamespace: string): string {
  if (!namespaced) {
    if (namespace === "") return "";
    throw new ConfigurationError("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  if (namespace !== "" || requestNamespace !== "") return namespace || requestNamespace;
  throw new ConfigurationError(
    "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
  );
}

async function find(reader: KindReader, { name = "", selector }: ParamRef, namespace: string): Promise<KubeObject[]> {
  if (name !== "") {
    const object = await reader.get(name, namespace);
    return object === undefined ? [] : [object];
  }
  return (await reader.list(namespace)).filter(({ metadata }) => selectorMatches(selector, metadata.labels));
}
