// Everything that a new cluster is given, as post-start hooks in the order in which they run.
import type { ServerConfig } from "../config.ts";
import type { PostStartHook } from "../delegation.ts";
import type { LoopbackClient } from "../loopback_client.ts";
import { apiServicesHook, flowControlHook, priorityClassesHook, systemNamespacesHook } from "./hooks.ts";
import { clusterAuthenticationHook, kubernetesServiceHook, serviceCIDRHook } from "./kubernetes_service.ts";
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
    clusterAuthenticationHook(client, authenticationData(generic.authentication)),
    legacyTokenTrackingHook(client),
    apiServicesHook(client),
  ];
}

/** What extension servers need to know to trust the same clients. */
function authenticationData({ clientCA, requestHeader }: ServerConfig["generic"]["authentication"]) {
  const data: Record<string, string> = {};
  if (clientCA !== undefined) data["client-ca-file"] = clientCA.pem;
  if (requestHeader !== undefined) {
    data["requestheader-client-ca-file"] = requestHeader.clientCA.pem;
    data["requestheader-allowed-names"] = JSON.stringify(requestHeader.allowedNames);
    data["requestheader-username-headers"] = JSON.stringify(requestHeader.usernameHeaders);
    data["requestheader-uid-headers"] = JSON.stringify(requestHeader.uidHeaders);
    data["requestheader-group-headers"] = JSON.stringify(requestHeader.groupHeaders);
    data["requestheader-extra-headers-prefix"] = JSON.stringify(requestHeader.extraHeadersPrefix);
  }
  return data;
}
