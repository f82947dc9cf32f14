// The controllers that `up` embeds, so that namespaces and owned objects really go without kube-controller-manager.
import type { ResourceProvider, ServedResource } from "../endpoints/resource.ts";
import { logError } from "../logging/mod.ts";
import { startGarbageCollector } from "./garbage_collector/mod.ts";
import { startNamespaceController } from "./namespace.ts";

/** Resolves when they follow everything; they run until the signal ends. */
export async function startControllers(providers: readonly ResourceProvider[], signal: AbortSignal): Promise<void> {
  function* resources(): Generator<ServedResource> {
    for (const provider of providers) yield* provider.all();
  }
  const namespaces = providers.map((p) => p.lookup("", "v1", "namespaces")).find((r) => r !== undefined);
  if (namespaces === undefined) throw new Error("namespaces are not served");
  await Promise.all([
    startNamespaceController({
      namespaces,
      namespacedResources: resources,
      onError: (namespace, error) => logError("Cannot empty a namespace", { namespace, error: String(error) }),
    }, signal),
    startGarbageCollector({
      resources,
      onError: (uid, error) => logError("Cannot collect an object", { uid, error: String(error) }),
    }, signal),
  ]);
}
