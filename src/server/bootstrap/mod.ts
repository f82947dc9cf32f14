// Everything that a new cluster is given, as post-start hooks in the order in which they run.
import type { ServerConfig } from "../config.ts";
import type { PostStartHook } from "../delegation.ts";
import type { LoopbackClient } from "../loopback_client.ts";
import { clusterAuthenticationHook } from "./cluster_authentication.ts";
import { apiServicesHook, flowControlHook, priorityClassesHook, systemNamespacesHook } from "./hooks.ts";
import { kubernetesServiceHook, serviceCIDRHook } from "./kubernetes_service.ts";
import { legacyTokenTrackingHook } from "./legacy_tokens.ts";
import { rbacHook } from "./rbac.ts";

export function bootstrapHooks(client: LoopbackClient, { generic, extra }: ServerConfig): PostStartHook[] {
  return [
    systemNamespacesHook(client),
    rbacHook(client),
    priorityClassesHook(client),
    flowControlHook(client),
    serviceCIDRHook(client, extra.serviceClusterIPRanges),
    kubernetesServiceHook(client, {
      advertiseAddress: generic.publicAddress,
      securePort: generic.secureServing.port,
      serviceIP: extra.apiServerServiceIP,
      servicePort: 443,
      nodePort: extra.kubernetesServiceNodePort,
    }),
    clusterAuthenticationHook(client, generic.authentication),
    legacyTokenTrackingHook(client),
    apiServicesHook(client),
  ];
}
