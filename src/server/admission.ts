// The admission chain out of the server's configuration.
import { type AdmissionOutcome, createAdmissionChain } from "../admission/chain.ts";
import { parseAdmissionConfiguration } from "../admission/configuration.ts";
import type { AdmissionChain, AdmissionPlugin } from "../admission/interface.ts";
import type { FollowHandler, KindReader, PluginContext } from "../admission/plugins/context.ts";
import { DEPRECATED, PLUGINS } from "../admission/plugins.ts";
import { follow } from "../controllers/informer.ts";
import type { ResourceProvider, ServedResource } from "../registry/resource.ts";
import { logWarning } from "../logging/mod.ts";
import { apiVersionOf, type GroupVersionKind, type GroupVersionResource, type Json } from "../machinery/types.ts";
import type { RequestContext } from "../apis/context.ts";
import { getIfThere } from "../registry/rest.ts";
import type { Metrics } from "../metrics/mod.ts";
import type { ServerConfig } from "./config.ts";

export type AdmissionDependencies = Pick<PluginContext, "lookup" | "client" | "authorizer" | "resolveService"> & {
  metrics: Metrics;
  /** Everything that is served, custom resources included. */
  providers(): readonly ResourceProvider[];
  /** What plugins read for themselves. */
  requestContext: RequestContext;
};

/** Throws an Error that names the plugin whose configuration makes no sense. */
export async function createAdmission(
  { generic, extra }: ServerConfig,
  { metrics, providers, requestContext, ...dependencies }: AdmissionDependencies,
): Promise<AdmissionChain> {
  const { plugins, configFile } = generic.admission;
  const configurations: Map<string, Json> = configFile === undefined ? new Map() : await parseAdmissionConfiguration(
    configFile,
    { known: [...PLUGINS.keys()], read: (file) => Deno.readTextFileSync(file) },
  );
  const context = {
    ...dependencies,
    metrics,
    resourcesOf: (apiVersion: string, kind: string) => resourcesOf(providers(), apiVersion, kind),
    equivalentsOf: (resource: GroupVersionResource, subresource: string) =>
      equivalentsOf(providers(), resource, subresource),
    follow: ({ group, version, resource }: GroupVersionResource, handler: FollowHandler) =>
      followObjects(lookupResource(providers(), { group, version, resource }), requestContext, handler),
    readerOf: (apiVersion: string, kind: string) => readerOf(providers(), requestContext, apiVersion, kind),
    features: generic.features,
    tolerationSeconds: {
      notReady: extra.defaultNotReadyTolerationSeconds,
      unreachable: extra.defaultUnreachableTolerationSeconds,
    },
  };
  const built: AdmissionPlugin[] = [];
  for (const name of plugins) {
    if (DEPRECATED.includes(name)) logWarning("Admission plugin is deprecated, please remove it", { plugin: name });
    const plugin = await build(name, { ...context, configuration: configurations.get(name) });
    if (plugin !== undefined) built.push(plugin);
  }
  const labelsOf = ({ operation, type, rejected }: AdmissionOutcome) => ({
    operation,
    type,
    rejected: String(rejected),
  });
  return createAdmissionChain(built, {
    plugin: (name, outcome) => metrics.observer("admissionDuration", { name, ...labelsOf(outcome) }),
    step: (outcome) => metrics.observer("admissionStepDuration", labelsOf(outcome)),
  });
}

function lookupResource(
  providers: readonly ResourceProvider[],
  { group, version, resource }: GroupVersionResource,
): ServedResource | undefined {
  for (const provider of providers) {
    const found = provider.lookup(group, version, resource);
    if (found !== undefined) return found;
  }
}

/** Of a resource that is not served nothing ever comes. */
async function followObjects(
  resource: ServedResource | undefined,
  context: RequestContext,
  { changed, deleted }: FollowHandler,
): Promise<void> {
  if (resource === undefined) return;
  await follow(resource, context, {
    changed: (item) => changed(item.object()),
    deleted: (item) => deleted(item.object()),
  });
}

function readerOf(
  providers: readonly ResourceProvider[],
  context: RequestContext,
  apiVersion: string,
  kind: string,
): KindReader | undefined {
  const found = resourcesOf(providers, apiVersion, kind).find(({ storage }) => storage.get && storage.list);
  if (found === undefined) return undefined;
  const { storage, namespaced, kind: served } = found;
  return {
    namespaced,
    async get(name, namespace) {
      const object = await getIfThere(storage, { ...context, namespace }, name);
      return object && await served.fromStored(object);
    },
    async list(namespace) {
      const { items } = await storage.list!({ ...context, namespace }, {});
      return await Promise.all(items.map((item) => served.fromStored(item.object())));
    },
  };
}

/** Every resource that is served for a kind. */
export function resourcesOf(providers: readonly ResourceProvider[], apiVersion: string, kind: string) {
  return providers.flatMap((provider) => [...provider.all()]).filter(({ group, version, kind: { gvk } }) =>
    gvk.kind === kind && apiVersionOf({ group, version }) === apiVersion
  );
}

/** Other versions of the resource, and other resources with the same objects. */
function equivalentsOf(
  providers: readonly ResourceProvider[],
  { group, version, resource }: GroupVersionResource,
  subresource: string,
) {
  const own = lookupResource(providers, { group, version, resource });
  if (own === undefined) return [];
  return providers.flatMap((provider) => [...provider.all()]).flatMap((other) => {
    const same = sameKind(other.kind.storedGvk, own.kind.storedGvk) ||
      (other.group === group && other.resource === resource);
    if (!same || (other.group === group && other.version === version)) return [];
    const target = subresource === "" ? other : other.subresources.get(subresource);
    if (target === undefined) return [];
    return {
      resource: { group: other.group, version: other.version, resource: other.resource },
      kind: target.kind.gvk,
    };
  });
}

function sameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.group === b.group && a.version === b.version && a.kind === b.kind;
}

/** Undefined, and said, when the plugin is not built yet. */
async function build(name: string, context: PluginContext): Promise<AdmissionPlugin | undefined> {
  const factory = PLUGINS.get(name);
  if (factory === undefined) {
    logWarning("Admission plugin is not enforced yet", { plugin: name });
    return undefined;
  }
  try {
    return await factory(context);
  } catch (e) {
    throw new Error(`admission plugin ${name}: ${(e as Error).message}`);
  }
}
