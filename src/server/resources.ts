// The built-in resources by configuration, with what is particular to some of them: hooks, subresources, resources without
// objects.
import { controllerContext } from "../controllers/informer.ts";
import { PROTOBUF_TYPE } from "../endpoints/negotiation.ts";
import { paramAccessHooks } from "../registry/admissionpolicies/param_access.ts";
import { type BuiltinResources, createBuiltinResources } from "../registry/builtin.ts";
import { connectedSubresources } from "../registry/connected.ts";
import { legacyBindings } from "../registry/pods/binding.ts";
import type { KubeletOptions } from "../registry/proxy/kubelets.ts";
import type { ResourceProvider } from "../registry/resource.ts";
import { resourceClaimHooks } from "../registry/resourceclaims/hooks.ts";
import { serviceHooks } from "../registry/services/allocate.ts";
import { componentStatuses } from "../registry/virtual/component_status.ts";
import type { StorageFactory } from "../storage/mod.ts";
import type { Access } from "./access.ts";
import { resourcesOf } from "./admission.ts";
import type { KubeletClientConfig, ServerConfig } from "./config.ts";

export interface ResourceParts {
  access: Access;
  storage: StorageFactory;
  /** Everything that is served, once requests come. */
  providers(): readonly ResourceProvider[];
  stopped: AbortSignal;
}

export function createResources({ generic, extra }: ServerConfig, parts: ResourceParts): BuiltinResources {
  const { access, storage, providers, stopped } = parts, { authorizer } = access;
  const resources: BuiltinResources = createBuiltinResources({
    storage,
    protobufStorage: generic.storage.mediaType === PROTOBUF_TYPE,
    virtual: {
      ...access.virtual,
      bindings: legacyBindings(() => resources.store("", "pods")),
      componentstatuses: componentStatuses(() => storage.healthy(0)),
    },
    subresources: { ...access.subresources, ...connectedSubresources(kubeletOptions(extra.kubelet), authorizer) },
    enabled: (group, version, resource) => generic.resources.resourceEnabled(group, version, resource),
    garbageCollection: generic.storage.garbageCollection,
    deleteCollectionWorkers: generic.storage.deleteCollectionWorkers,
    eventTtl: extra.eventTtl / 1000,
    hooks: {
      ...access.storeHooks,
      ...resourceClaimHooks(authorizer),
      ...paramAccessHooks({
        authorizer,
        resourceOf: (apiVersion, kind) => resourcesOf(providers(), apiVersion, kind)[0],
      }),
      services: (builtin) =>
        serviceHooks(builtin, {
          clusterIPRanges: extra.serviceClusterIPRanges,
          nodePorts: extra.serviceNodePortRange,
          context: controllerContext("ipallocator", stopped),
        }),
    },
  });
  return resources;
}

function kubeletOptions({ certificateAuthority, client, ...rest }: KubeletClientConfig): KubeletOptions {
  return { ...rest, certificateAuthority: certificateAuthority?.pem, client };
}
