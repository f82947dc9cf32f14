// Makes the storage of a server: one backend, and an Interface over it for each resource.
import { Cacher, type CacherOptions } from "./cacher/cacher.ts";
import { DryRunStorage } from "./dry_run.ts";
import { formatGroupResource, type GroupResource } from "../machinery/types.ts";
import type { Metrics } from "../metrics/mod.ts";
import type { AttributesOf, Backend, Interface } from "./interface.ts";
import { MeasuredBackend } from "./measured.ts";
import { collectFrom, type Monitored, operationRecorder } from "./monitor.ts";
import { SqliteBackend } from "./sqlite/backend.ts";
import { type Encode, Store, type StoreOptions } from "./store.ts";

export interface StorageOptions {
  /** --storage-backend: `sqlite`. */
  backend: string;
  /** The database file of sqlite, or `:memory:`. */
  path: string;
  /** The module that runs the writer when started as a worker named `kubelith-writer`. */
  workerUrl: URL;
  /** Milliseconds between compactions; 0: never by itself. */
  compactionInterval?: number;
  /** Pages (of 1 KiB) that gather in sqlite's write-ahead log before they are copied into the main file. */
  checkpointPages?: number;
  /**
   * Resources (`leases`, `events`, `widgets.example.com`) whose writes are answered before they are on the disk and
   * committed within ten seconds. A crash may lose the last of them; none is torn and no revision is given twice.
   */
  relaxedDurability?: readonly string[];
  /** Resources (named the same way) that are read from the backend every time. */
  uncached?: readonly string[] | "all";
  /** Told of upkeep that failed and will be tried again. */
  onTrouble?: (message: string) => void;
  /** Where to count what happens. */
  metrics?: Metrics;
}

export interface ResourceOptions extends Omit<CacherOptions, "onWait"> {
  /** What the resource's keys start with, ending in `/`: `/registry/pods/`. */
  prefix: string;
  attributesOf: AttributesOf;
  /** What options and metrics call it. */
  resource: GroupResource;
  /** Writes objects with their members in the order of the kind; JSON.stringify unless given. */
  encode?: Encode;
  /** Read from the backend every time. */
  noCache?: boolean;
}

export interface StorageFactory {
  readonly backend: Backend;
  /** The same storage for the same prefix. Starts nothing: the resource is read when first asked for. */
  forResource(options: ResourceOptions): DryRunStorage;
  /** Throws when storage cannot serve. */
  healthy(): Promise<void>;
  /** Writes under way are finished, watches end. */
  close(): Promise<void>;
}

/** Why a backend is not there; a name that is not here either is unknown. */
const REFUSED: Readonly<Record<string, string>> = {
  etcd2: "etcd2 is no longer a supported storage backend",
  etcd3: "etcd3 is not supported yet",
};

/** Opens the engine. Throws an Error with one line that says why it cannot be had. */
export async function createStorage(options: StorageOptions): Promise<StorageFactory> {
  const backend = createBackend(options);
  await backend.start();
  return new Factory(backend, options);
}

function createBackend(options: StorageOptions): Backend {
  const { metrics, onTrouble } = options;
  if (options.backend === "sqlite") {
    return new SqliteBackend({
      ...options,
      onTrouble(message) {
        metrics?.add("upkeepFailures", {});
        onTrouble?.(message);
      },
      onCommit: metrics && ((writes, seconds) => {
        metrics.observe("commitWrites", {}, writes);
        metrics.observe("commitDuration", {}, seconds);
      }),
    });
  }
  throw new Error(`--storage-backend: ${REFUSED[options.backend] ?? `unknown storage type: ${options.backend}`}`);
}

class Factory implements StorageFactory {
  readonly backend: Backend;
  readonly #relaxed: readonly string[];
  readonly #resources = new Map<string, DryRunStorage>();
  readonly #cachers: Cacher[] = [];
  readonly #uncached: readonly string[] | "all";
  readonly #metrics: Metrics | undefined;
  readonly #monitored: Monitored[] = [];

  constructor(backend: Backend, { relaxedDurability = [], uncached = [], metrics }: StorageOptions) {
    this.backend = backend;
    this.#relaxed = relaxedDurability;
    this.#uncached = uncached;
    this.#metrics = metrics;
    if (metrics !== undefined) collectFrom(metrics, backend, this.#monitored);
  }

  forResource(options: ResourceOptions): DryRunStorage {
    let storage = this.#resources.get(options.prefix);
    if (storage === undefined) {
      storage = new DryRunStorage(this.#create(options));
      this.#resources.set(options.prefix, storage);
    }
    return storage;
  }

  healthy(): Promise<void> {
    return this.backend.healthy();
  }

  async close(): Promise<void> {
    for (const cacher of this.#cachers) cacher.close();
    await this.backend.close();
  }

  #create(options: ResourceOptions): Interface {
    const { prefix, resource } = options, metrics = this.#metrics;
    const relaxedDurability = names(this.#relaxed, resource);
    if (metrics === undefined) {
      return this.#storageOver(this.backend, { ...options, relaxedDurability });
    }
    const backend = new MeasuredBackend(this.backend, operationRecorder(metrics, resource));
    const storage = this.#storageOver(backend, {
      ...options,
      relaxedDurability,
      onWait: (seconds) => metrics.observe("cacheReadWait", { ...resource }, seconds),
    });
    const cacher = storage instanceof Cacher ? storage : undefined;
    this.#monitored.push({ resource, cacher, count: () => cacher?.size ?? this.backend.count(prefix) });
    return storage;
  }

  #storageOver(backend: Backend, options: ResourceOptions & CacherOptions & StoreOptions): Store | Cacher {
    const store = new Store(backend, options);
    if (options.noCache || this.#uncached === "all" || names(this.#uncached, options.resource)) return store;
    const cacher = new Cacher(backend, store, options);
    this.#cachers.push(cacher);
    return cacher;
  }
}

/**
 * Whether one of the names means the resource: `widgets.example.com` with its group, `leases` any built-in resource of
 * that name (whose groups have no dot or end in `.k8s.io`).
 */
function names(list: readonly string[], { group, resource }: GroupResource): boolean {
  const builtIn = !group.includes(".") || group.endsWith(".k8s.io");
  return list.some((name) => name === formatGroupResource({ group, resource }) || (builtIn && name === resource));
}
