// Opens the storage that the configuration asks for.
import { logWarning } from "../logging/mod.ts";
import type { Metrics } from "../metrics/mod.ts";
import { createStorage, type EngineOptions, type StorageFactory } from "../storage/mod.ts";
import type { StorageConfig } from "./config.ts";
import type { HealthCheck } from "./delegation.ts";

/** Throws an Error with one line that says what cannot be had. */
export async function openStorage(
  storage: StorageConfig,
  { workerUrl, metrics }: { workerUrl: URL; metrics: Metrics },
): Promise<StorageFactory> {
  return await createStorage({
    engine: engineOf(storage, workerUrl),
    compactionInterval: storage.compactionInterval,
    uncached: storage.watchCache ? storage.uncachedResources : "all",
    metrics,
    collect: storage.collect,
    onTrouble: (why) => logWarning("Upkeep of the database failed and will be tried again", { why }),
  });
}

function engineOf(storage: StorageConfig, workerUrl: URL): EngineOptions {
  if (storage.backend === "etcd3") return { backend: "etcd3", ...storage.etcd };
  return { backend: "sqlite", path: storage.path, relaxedDurability: storage.relaxedDurability, workerUrl };
}

/** The checks of storage, by kube-apiserver's names. */
export function storageChecks(storage: StorageFactory, config: StorageConfig): HealthCheck[] {
  const limits = config.backend === "etcd3"
    ? { health: config.etcd.healthcheckTimeout, ready: config.etcd.readycheckTimeout }
    : { health: 0, ready: 0 };
  return [
    { name: "etcd", endpoints: ["healthz", "livez", "readyz"], check: () => storage.healthy(limits.health) },
    { name: "etcd-readiness", endpoints: ["readyz"], check: () => storage.healthy(limits.ready) },
  ];
}
