// The controllers that `up` embeds, so that a cluster without kube-controller-manager is one to work with: namespaces and
// owned objects really go, pods find the account they run as, roles gather their rules.
import type { ResourceProvider, ServedResource } from "../registry/resource.ts";
import { startClusterRoleAggregation } from "./cluster_role_aggregation.ts";
import { startGarbageCollector } from "./garbage_collector/mod.ts";
import { startNamespaceController } from "./namespace.ts";
import { startNamespaceDefaults } from "./namespace_defaults.ts";

export interface ControllersOptions {
  providers: readonly ResourceProvider[];
  /** PEM of who signed the serving certificate. */
  rootCA: string;
  /** Work that failed and will be tried again; `object` is a namespace or a uid. */
  onError(controller: string, object: string, error: unknown): void;
}

/** Resolves when they follow everything; they run until the signal ends. */
export async function startControllers(options: ControllersOptions, signal: AbortSignal): Promise<void> {
  const { providers, onError } = options;
  function* resources(): Generator<ServedResource> {
    for (const provider of providers) yield* provider.all();
  }
  const served = (group: string, resource: string): ServedResource => {
    const found = providers.map((p) => p.lookup(group, "v1", resource)).find((r) => r !== undefined);
    if (found === undefined) throw new Error(`${resource} are not served`);
    return found;
  };
  const namespaces = served("", "namespaces");
  await Promise.all([
    startNamespaceController({
      namespaces,
      namespacedResources: resources,
      onError: (namespace, error) => onError("namespace-controller", namespace, error),
    }, signal),
    startNamespaceDefaults({
      namespaces,
      serviceAccounts: served("", "serviceaccounts"),
      configMaps: served("", "configmaps"),
      rootCA: options.rootCA,
      onError: (namespace, error) => onError("namespace-defaults", namespace, error),
    }, signal),
    startClusterRoleAggregation({
      clusterRoles: served("rbac.authorization.k8s.io", "clusterroles"),
      onError: (role, error) => onError("clusterrole-aggregation-controller", role, error),
    }, signal),
    startGarbageCollector({
      resources,
      onError: (uid, error) => onError("garbage-collector", uid, error),
    }, signal),
  ]);
}
