// A server of resources: some groups of a provider, as one link of the delegation chain.
import { handleResourceRequest } from "../endpoints/handler.ts";
import type { EndpointDependencies } from "../endpoints/dependencies.ts";
import type { ResourceProvider } from "../registry/resource.ts";
import type { HealthCheck } from "../endpoints/routes/health.ts";
import type { DelegationTarget, PostStartHook, PreShutdownHook } from "./delegation.ts";

export interface ResourceServerOptions {
  name: string;
  provider: ResourceProvider;
  dependencies: EndpointDependencies;
  postStartHooks?: readonly PostStartHook[];
  preShutdownHooks?: readonly PreShutdownHook[];
  healthChecks?: readonly HealthCheck[];
}

export function createResourceServer(options: ResourceServerOptions): DelegationTarget {
  const { name, provider, dependencies } = options;
  return {
    name,
    handle: (c) => handleResourceRequest(c, provider, dependencies),
    listedPaths() {
      const paths = new Set<string>();
      for (const { group, version } of provider.all()) {
        const root = group === "" ? "/api" : `/apis/${group}`;
        paths.add(root).add(`${root}/${version}`);
      }
      return [...paths];
    },
    postStartHooks: options.postStartHooks ?? [],
    preShutdownHooks: options.preShutdownHooks ?? [],
    healthChecks: options.healthChecks ?? [],
  };
}

/** The part of a provider that a server answers for. */
export function groupsOf(provider: ResourceProvider, mine: (group: string) => boolean): ResourceProvider {
  return {
    lookup: (group, version, resource) => mine(group) ? provider.lookup(group, version, resource) : undefined,
    *all() {
      for (const resource of provider.all()) if (mine(resource.group)) yield resource;
    },
  };
}
