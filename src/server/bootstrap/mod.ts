// Everything that a new cluster is given, as post-start hooks in the order in which they run.
import type { ServerConfig } from "../config.ts";
import type { PostStartHook, PreShutdownHook } from "../delegation.ts";
import type { StorageFactory } from "../../storage/mod.ts";
import type { LoopbackClient } from "../loopback_client.ts";
import { clusterAuthenticationHook } from "./cluster_authentication.ts";
import { apiServicesHook, flowControlHook, priorityClassesHook, systemNamespacesHook } from "./hooks.ts";
import { kubernetesServiceHooks, serviceCIDRHook } from "./kubernetes_service.ts";
import { legacyTokenTrackingHook } from "./legacy_tokens.ts";
import { rbacHook } from "./rbac.ts";
import { leasedAddresses, ownAddress, type ServerAddresses } from "./server_addresses.ts";

export interface BootstrapHooks {
  postStart: PostStartHook[];
  preShutdown: PreShutdownHook[];
}

export function bootstrapHooks(client: LoopbackClient, config: ServerConfig, storage: StorageFactory): BootstrapHooks {
  const { generic, extra } = config;
  const service = kubernetesServiceHooks(client, {
    addresses: serverAddresses(config, storage),
    securePort: generic.secureServing.port,
    serviceIP: extra.apiServerServiceIP,
    servicePort: 443,
    nodePort: extra.kubernetesServiceNodePort,
  });
  return {
    postStart: [
      systemNamespacesHook(client),
      rbacHook(client),
      priorityClassesHook(client),
      flowControlHook(client),
      serviceCIDRHook(client, extra.serviceClusterIPRanges),
      service.postStart,
      clusterAuthenticationHook(client, generic.authentication),
      legacyTokenTrackingHook(client),
      apiServicesHook(client),
    ],
    preShutdown: [service.preShutdown],
  };
}

/** Nothing of who can be reached from this machine only: endpoints may not have loopback addresses. */
function serverAddresses({ generic, extra }: ServerConfig, storage: StorageFactory): ServerAddresses | undefined {
  const address = generic.publicAddress, isLoopback = address.startsWith("127.") || address === "::1";
  if (isLoopback || extra.endpointReconciler === "none") return undefined;
  // With SQLite this process is the only one.
  const leases = extra.endpointReconciler === "lease" && generic.storage.backend === "etcd3";
  return leases ? leasedAddresses(address, storage) : ownAddress(address);
}
