// Opens the storage that the configuration asks for.
import { logError, logInfo, logWarning } from "../logging/mod.ts";
import type { Metrics } from "../metrics/mod.ts";
import { createStorage, type Encryption, type EngineOptions, type StorageFactory } from "../storage/mod.ts";
import type { StorageConfig } from "./config.ts";
import type { PostStartHook } from "./delegation.ts";
import { serverId } from "./identity.ts";
import type { HealthCheck } from "../endpoints/routes/health.ts";

/** Throws an Error with one line that says what cannot be had. */
export async function openStorage(
  storage: StorageConfig,
  { workerUrl, metrics }: { workerUrl: URL; metrics: Metrics },
): Promise<StorageFactory> {
  const encryption = storage.encryption && await openEncryption(storage.encryption, metrics);
  return await createStorage({
    engine: engineOf(storage, workerUrl),
    compactionInterval: storage.compactionInterval,
    uncached: storage.watchCache ? storage.uncachedResources : "all",
    encryption,
    metrics,
    collect: storage.collect,
    onTrouble: (why) => logWarning("Upkeep of the database failed and will be tried again", { why }),
  });
}

/** Milliseconds between looks at the file of a configuration that may change. */
const RELOAD_INTERVAL = 60_000;

async function openEncryption(
  { file, text, reload }: NonNullable<StorageConfig["encryption"]>,
  metrics: Metrics,
): Promise<Encryption> {
  const { createEncryption, encryptionMeasures, keepReloading } = await import("../storage/encryption/mod.ts");
  const encryption = await createEncryption(text, encryptionMeasures(metrics, serverId()));
  if (reload) {
    keepReloading(encryption, {
      file,
      interval: RELOAD_INTERVAL,
      onReplaced: () => logInfo("The encryption configuration was replaced", { file }),
      onTrouble: (error) => logError("The new encryption configuration cannot be used", error, { file }),
    });
  }
  return encryption;
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
    ...kmsChecks(storage.encryption, config.encryption?.reload ?? false),
    { name: "etcd", endpoints: ["healthz", "livez", "readyz"], check: () => storage.healthy(limits.health) },
    { name: "etcd-readiness", endpoints: ["readyz"], check: () => storage.healthy(limits.ready) },
  ];
}

/** Milliseconds between looks whether storage is ready, and that one look may take. */
const READY_POLL = 100, READY_TIMEOUT = 1000;

/**
 * Keeps the server from being ready until its storage answers, but no longer than --storage-initialization-timeout says.
 * Resources are read into memory when they are first asked for, and whoever asks waits: that makes no server unready.
 */
export function storageReadinessHook(
  storage: Pick<StorageFactory, "healthy">,
  { initializationTimeout }: Pick<StorageConfig, "initializationTimeout">,
): PostStartHook {
  return {
    name: "storage-readiness",
    async run(signal) {
      const deadline = performance.now() + initializationTimeout;
      for (let left = initializationTimeout; left > 0 && !signal.aborted; left = deadline - performance.now()) {
        const trouble = await storage.healthy(Math.min(left, READY_TIMEOUT)).then(() => undefined, (error) => error);
        if (trouble === undefined) return;
        await new Promise((resolve) => setTimeout(resolve, Math.min(left, READY_POLL)));
      }
      if (!signal.aborted) logWarning("Deadline exceeded while waiting for storage readiness... ignoring");
    },
  };
}

/** Those of the KMS plugins, which are one when their number may change. */
function kmsChecks(encryption: Encryption | undefined, reload: boolean): HealthCheck[] {
  if (encryption === undefined) return [];
  const check = (name: string, plugin?: number): HealthCheck => ({
    name,
    endpoints: ["healthz", "livez", "readyz"],
    check: () => encryption.check(plugin),
  });
  if (reload) return [check("kms-providers")];
  return Array.from({ length: encryption.plugins }, (_, i) => check(`kms-provider-${i}`, i));
}
