// The discovery documents: APIVersions, APIGroupList, APIGroup, APIResourceList and APIGroupDiscoveryList.
import { apiVersionOf, type GroupVersion, type JsonObject } from "../../machinery/types.ts";
import type { ServedResource, ServedSubresource } from "../../registry/resource.ts";
import type { DiscoveredGroup, DiscoveredVersion } from "./groups.ts";
import { publishedStorageVersion, storageVersionHash } from "./storage_version_hash.ts";

/** `/api` */
export function apiVersionsDocument(group: DiscoveredGroup | undefined, serverAddress: string): JsonObject {
  return {
    kind: "APIVersions",
    versions: group?.versions.map((v) => v.version) ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

/** `/apis` */
export function groupListDocument(groups: readonly DiscoveredGroup[]): JsonObject {
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map(describeGroup) };
}

/** `/apis/GROUP` */
export function groupDocument(group: DiscoveredGroup): JsonObject {
  return { kind: "APIGroup", apiVersion: "v1", ...describeGroup(group) };
}

function describeGroup(group: DiscoveredGroup): JsonObject {
  const versions = group.versions.map(({ version }) => ({
    groupVersion: apiVersionOf({ group: group.name, version }),
    version,
  }));
  return { name: group.name, versions, preferredVersion: versions[0] };
}

/** `/api/v1` and `/apis/GROUP/VERSION` */
export function resourceListDocument(group: DiscoveredGroup, version: DiscoveredVersion): JsonObject {
  const resources: JsonObject[] = [];
  for (const resource of version.resources) {
    resources.push(describeResource(resource));
    for (const subresource of resource.subresources.values()) {
      resources.push(describeSubresource(resource, subresource));
    }
  }
  const document: JsonObject = { kind: "APIResourceList", apiVersion: "v1" };
  if (group.name === "") delete document.apiVersion;
  document.groupVersion = apiVersionOf({ group: group.name, version: version.version });
  document.resources = resources;
  return document;
}

/** Kinds that are kept: only these have a storage version. */
function isStored(resource: ServedResource): boolean {
  return resource.verbs.includes("watch");
}

function describeResource(resource: ServedResource): JsonObject {
  const { kind, shortNames, categories } = resource;
  return {
    name: resource.resource,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: kind.gvk.kind,
    verbs: [...resource.verbs],
    shortNames: shortNames.length > 0 ? [...shortNames] : undefined,
    categories: categories.length > 0 ? [...categories] : undefined,
    storageVersionHash: isStored(resource)
      ? storageVersionHash(resource.storageVersion ?? publishedStorageVersion(kind.storedGvk))
      : undefined,
  };
}

function describeSubresource(resource: ServedResource, subresource: ServedSubresource): JsonObject {
  const { group, version } = foreignVersion(resource, subresource.responseKind);
  return {
    name: `${resource.resource}/${subresource.name}`,
    singularName: "",
    namespaced: resource.namespaced,
    group: group || undefined,
    version: version || undefined,
    kind: subresource.responseKind.kind,
    verbs: [...subresource.verbs],
  };
}

/** Group and version of a kind where they are not the resource's own. */
function foreignVersion(resource: ServedResource, { group, version }: GroupVersion): GroupVersion {
  return group === resource.group && version === resource.version ? { group: "", version: "" } : { group, version };
}

/** Aggregated discovery (KEP-3352): all of `/api` or `/apis` in one document. */
export function groupDiscoveryListDocument(groups: readonly DiscoveredGroup[]): JsonObject {
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map((group) => ({
      metadata: group.name === "" ? {} : { name: group.name },
      versions: group.versions.map(({ version, resources }) => ({
        version,
        resources: resources.map(aggregateResource),
        freshness: "Current",
      })),
    })),
  };
}

function aggregateResource(resource: ServedResource): JsonObject {
  const { shortNames, categories, subresources } = resource;
  return {
    resource: resource.resource,
    responseKind: { group: "", version: "", kind: resource.kind.gvk.kind },
    scope: resource.namespaced ? "Namespaced" : "Cluster",
    singularResource: resource.singular,
    verbs: [...resource.verbs],
    shortNames: shortNames.length > 0 ? [...shortNames] : undefined,
    categories: categories.length > 0 ? [...categories] : undefined,
    subresources: subresources.size > 0
      ? Array.from(subresources.values(), (s) => ({
        subresource: s.name,
        responseKind: { ...foreignVersion(resource, s.responseKind), kind: s.responseKind.kind },
        verbs: [...s.verbs],
      }))
      : undefined,
  };
}
