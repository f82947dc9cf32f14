// What is served, gathered by group and version.
import { compareVersions } from "../../machinery/versions.ts";
import type { ResourceProvider, ServedResource } from "../../registry/resource.ts";

export interface DiscoveredVersion {
  version: string;
  resources: ServedResource[];
}

export interface DiscoveredGroup {
  name: string;
  /** Of custom resources. */
  custom: boolean;
  /** Preferred first. */
  versions: DiscoveredVersion[];
}

/** Groups in the order of the providers; those of custom resources by name, their versions most stable first. */
export function discoverGroups(providers: Iterable<ResourceProvider>): DiscoveredGroup[] {
  const groups = new Map<string, DiscoveredGroup>();
  for (const provider of providers) {
    for (const resource of provider.all()) addResource(groups, resource);
  }
  const builtIn: DiscoveredGroup[] = [];
  const custom: DiscoveredGroup[] = [];
  for (const group of groups.values()) {
    if (!group.custom) {
      builtIn.push(group);
      continue;
    }
    group.versions.sort((a, b) => compareVersions(a.version, b.version));
    for (const { resources } of group.versions) resources.sort((a, b) => a.resource < b.resource ? -1 : 1);
    custom.push(group);
  }
  return [...builtIn, ...custom.sort((a, b) => a.name < b.name ? -1 : 1)];
}

function addResource(groups: Map<string, DiscoveredGroup>, resource: ServedResource): void {
  let group = groups.get(resource.group);
  if (group === undefined) {
    group = { name: resource.group, custom: resource.kind.custom, versions: [] };
    groups.set(resource.group, group);
  }
  let version = group.versions.find((v) => v.version === resource.version);
  if (version === undefined) group.versions.push(version = { version: resource.version, resources: [] });
  version.resources.push(resource);
}
