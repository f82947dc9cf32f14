// The controllers that `up` embeds, so that namespaces and owned objects really go without kube-controller-manager.
import type { ResourceProvider, ServedResource } from "../endpoints/resource.ts";
import { startGarbageCollector } from "./garbage_collector/mod.ts";
import { startNamespaceController } from "./namespace.ts";

export interface ControllersOptions {
  providers: readonly ResourceProvider[];
  /** Work that failed and will be tried again; `object` is a namespace or a uid. */
  onError(controller: string, object: string, error: unknown): void;
}

/** Resolves when they follow everything; they run until the signal ends. */
export async function startControllers(options: ControllersOptions, signal: AbortSignal): Promise<void> {
  const { providers, onError } = options;
  function* resources(): Generator<ServedResource> {
    for (const provider of providers) yield* provider.all();
  }
  const namespaces = providers.map((p) => p.lookup("", "v1", "namespaces")).find((r) => r !== undefined);
  if (namespaces === undefined) throw new Error("namespaces are not served");
  await Promise.all([
    startNamespaceController({
      namespaces,
      namespacedResources: resources,
      onError: (namespace, error) => onError("namespace-controller", namespace, error),
    }, signal),
    startGarbageCollector({
      resources,
      onError: (uid, error) => onError("garbage-collector", uid, error),
    }, signal),
  ]);
}
