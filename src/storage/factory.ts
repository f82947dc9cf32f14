// Builds storage out of a server's configuration: one engine, and for each resource a store with a cacher before it.
import type { KubeObject } from "../machinery/types.ts";
import { Cacher } from "./cacher/cacher.ts";
import { DryRunStorage } from "./dry_run.ts";
import type { AttributesOf, Backend } from "./interface.ts";
import { SqliteBackend } from "./sqlite/backend.ts";
import { Store } from "./store.ts";

export interface StorageOptions {
  /** `sqlite` or `etcd3`. */
  backend: string;
  /** The database file of sqlite, or `:memory:`. */
  path: string;
  /** The module that workers run. */
  workerUrl: URL;
  /** How long history is kept at least, in milliseconds; 0 for ever. */
  compactionInterval?: number;
}

export interface ResourceStorageOptions {
  /** `/registry/pods/`: begins every key of the resource. */
  prefix: string;
  attributesOf: AttributesOf;
  encode?: (object: KubeObject) => string;
}

export interface StorageFactory {
  readonly backend: Backend;
  /** The same storage for the same prefix, whatever the version of the resource that asks. */
  forResource(options: ResourceStorageOptions): DryRunStorage;
  close(): Promise<void>;
}

/** Opens the engine. Throws an Error with one line that names the flag when it cannot be had. */
export async function createStorage(options: StorageOptions): Promise<StorageFactory> {
  const backend = createBackend(options);
  await backend.start();
  const resources = new Map<string, DryRunStorage>();
  return {
    backend,
    forResource({ prefix, attributesOf, encode }) {
      let storage = resources.get(prefix);
      if (storage === undefined) {
        const store = new Store({ backend, attributesOf, encode });
        storage = new DryRunStorage(new Cacher({ backend, store, prefix, attributesOf }));
        resources.set(prefix, storage);
      }
      return storage;
    },
    close: () => backend.close(),
  };
}

function createBackend(options: StorageOptions): Backend {
  switch (options.backend) {
    case "sqlite":
      return new SqliteBackend(options);
    case "etcd3":
      throw new Error("--storage-backend: etcd3 is not supported yet");
    case "etcd2":
      throw new Error("--storage-backend: etcd2 is no longer a supported storage backend");
    default:
      throw new Error(`--storage-backend: unknown storage type: ${options.backend}`);
  }
}
