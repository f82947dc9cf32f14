// Makes the storage of a server: one backend, and an Interface over it for each resource.
import { parseExactly } from "../machinery/big_integers.ts";
import { Cacher, type CacherOptions } from "./cacher/cacher.ts";
import { DryRunStorage } from "./dry_run.ts";
import type { ConnectionOptions } from "./etcd3/connection.ts";
import { formatGroupResource, type GroupResource } from "../machinery/types.ts";
import type { Metrics } from "../metrics/mod.ts";
import type { AttributesOf, Backend, Interface } from "./interface.ts";
import { EncryptedBackend } from "./encryption/backend.ts";
import type { Encryption } from "./encryption/mod.ts";
import { MeasuredBackend } from "./measured.ts";
import { collectBackend, collectResources, type Monitored, operationRecorder } from "./monitor.ts";
import { SqliteBackend } from "./sqlite/backend.ts";
import { type Encode, Store, type StoredForm, type StoreOptions } from "./store.ts";

export interface StorageOptions {
  engine: EngineOptions;
  /** Milliseconds between compactions; 0: never by itself. */
  compactionInterval?: number;
  /** Resources (named as in `relaxedDurability`) that are read from the backend every time. */
  uncached?: readonly string[] | "all";
  /** Told of upkeep that failed and will be tried again. */
  onTrouble?: (message: string) => void;
  /** Encrypts what it is configured for. The factory closes it. */
  encryption?: Encryption;
  /** Where to count what happens. */
  metrics?: Metrics;
  /** What is counted and measured at each scrape; both unless given. */
  collect?: { objects: boolean; size: boolean };
}

export type EngineOptions = SqliteEngine | EtcdEngine;

export interface SqliteEngine {
  backend: "sqlite";
  /** The database file, or `:memory:`. */
  path: string;
  /** The module that runs the writer when started as a worker named `kubelith-writer`. */
  workerUrl: URL;
  /** Pages (of 1 KiB) that gather in the write-ahead log before they are copied into the main file. */
  checkpointPages?: number;
  /**
   * Resources (`leases`, `events`, `widgets.example.com`) whose writes are answered before they are on the disk and
   * committed within fifteen seconds. A crash may lose the last of them; none is torn and no revision is given twice.
   */
  relaxedDurability?: readonly string[];
}

export interface EtcdEngine extends ConnectionOptions {
  backend: "etcd3";
  /** Resources that are kept by other servers. */
  overrides: readonly (GroupResource & { servers: readonly string[] })[];
  /** What takes the place of `/registry` at the beginning of keys. */
  prefix: string;
  leaseReuseSeconds: number;
}

export interface ResourceOptions extends Omit<CacherOptions, "onWait"> {
  /** What the resource's keys start with, ending in `/`: `/registry/pods/`. */
  prefix: string;
  attributesOf: AttributesOf;
  /** What options and metrics call it. */
  resource: GroupResource;
  /** Writes objects with their members in the order of the kind; JSON.stringify unless given. */
  encode?: Encode;
  /** What else there may be than JSON as it is written here. */
  form?: StoredForm;
  /** Read from the backend every time. */
  noCache?: boolean;
}

export interface StorageFactory {
  /** Where everything is that is nowhere else. */
  readonly backend: Backend;
  readonly encryption: Encryption | undefined;
  /** The same storage for the same prefix. Starts nothing: the resource is read when first asked for. */
  forResource(options: ResourceOptions): DryRunStorage;
  /** Forgets the storage of a prefix, whose watches end: the resource is gone. */
  release(prefix: string): void;
  /**
   * Throws when storage cannot serve.
   * @param timeout milliseconds that an engine at a distance has to answer
   */
  healthy(timeout: number): Promise<void>;
  /** Writes under way are finished, watches end. */
  close(): Promise<void>;
}

/** Opens the engine. Throws an Error with one line that says why it cannot be had. */
export async function createStorage(options: StorageOptions): Promise<StorageFactory> {
  const { engine } = options;
  if (engine.backend === "sqlite") {
    const backend = sqliteBackend(engine, options);
    await backend.start();
    return new Factory({ backend, others: [] }, options);
  }
  // grpc takes 60 ms to load.
  const { EtcdBackend } = await import("./etcd3/backend.ts");
  const started = async (servers: readonly string[]) => {
    const { compactionInterval = 0, onTrouble = () => {} } = options;
    const backend = new EtcdBackend({ ...engine, servers, compactionInterval, onTrouble });
    await backend.start();
    return backend;
  };
  const backend = await started(engine.servers);
  const others: { resource: GroupResource; backend: Backend }[] = [];
  for (const { group, resource, servers } of engine.overrides) {
    others.push({ resource: { group, resource }, backend: await started(servers) });
  }
  return new Factory({ backend, others }, options);
}

function sqliteBackend(engine: SqliteEngine, { metrics, onTrouble, compactionInterval }: StorageOptions): Backend {
  return new SqliteBackend({
    ...engine,
    compactionInterval,
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

/** What every key begins with. */
const ROOT = "/registry";

/** The engines of a server. */
interface Backends {
  backend: Backend;
  /** Those of single resources. */
  others: readonly { resource: GroupResource; backend: Backend }[];
}

class Factory implements StorageFactory {
  readonly backend: Backend;
  readonly #others: Backends["others"];
  readonly encryption: Encryption | undefined;
  /** What `/registry` is called in the database. */
  readonly #root: string;
  readonly #relaxed: readonly string[];
  readonly #resources = new Map<string, DryRunStorage>();
  readonly #cachers = new Map<string, Cacher>();
  readonly #uncached: readonly string[] | "all";
  readonly #metrics: Metrics | undefined;
  readonly #monitored: Monitored[] = [];

  constructor({ backend, others }: Backends, { engine, encryption, uncached = [], metrics, collect }: StorageOptions) {
    this.backend = backend;
    this.#others = others;
    this.encryption = encryption;
    this.#root = engine.backend === "etcd3" ? engine.prefix : ROOT;
    this.#relaxed = engine.backend === "sqlite" ? engine.relaxedDurability ?? [] : [];
    this.#uncached = uncached;
    this.#metrics = metrics;
    if (metrics === undefined) return;
    const { objects, size } = collect ?? { objects: true, size: true };
    if (size) collectBackend(metrics, backend);
    collectResources(metrics, this.#monitored, objects);
  }

  forResource(options: ResourceOptions): DryRunStorage {
    let storage = this.#resources.get(options.prefix);
    if (storage === undefined) {
      const { encode } = options;
      storage = new DryRunStorage(this.#create(options), encode && ((object) => parseExactly(encode(object))));
      this.#resources.set(options.prefix, storage);
    }
    return storage;
  }

  release(prefix: string): void {
    this.#resources.delete(prefix);
    const cacher = this.#cachers.get(prefix);
    this.#cachers.delete(prefix);
    const at = this.#monitored.findIndex((monitored) => monitored.prefix === prefix);
    if (at >= 0) this.#monitored.splice(at, 1);
    cacher?.close();
  }

  async healthy(timeout: number): Promise<void> {
    for (const backend of this.#backends()) await backend.healthy(timeout);
  }

  async close(): Promise<void> {
    for (const cacher of this.#cachers.values()) cacher.close();
    for (const backend of this.#backends()) await backend.close();
    this.encryption?.close();
  }

  #backends(): Backend[] {
    return [this.backend, ...this.#others.map(({ backend }) => backend)];
  }

  #backendOf({ group, resource }: GroupResource): Backend {
    const other = this.#others.find((o) => o.resource.group === group && o.resource.resource === resource);
    return other?.backend ?? this.backend;
  }

  #create(options: ResourceOptions): Interface {
    const { prefix, resource } = options, metrics = this.#metrics;
    const relaxedDurability = names(this.#relaxed, resource);
    const engine = this.#backendOf(resource);
    if (metrics === undefined) {
      return this.#storageOver(this.#encrypted(engine, resource), { ...options, relaxedDurability });
    }
    const backend = new MeasuredBackend(engine, operationRecorder(metrics, resource));
    const storage = this.#storageOver(this.#encrypted(backend, resource), {
      ...options,
      relaxedDurability,
      onWait: (seconds) => metrics.observe("cacheReadWait", { ...resource }, seconds),
    });
    const cacher = storage instanceof Cacher ? storage : undefined;
    this.#monitored.push({ prefix, resource, cacher, count: () => cacher?.size ?? engine.count(prefix) });
    return storage;
  }

  #encrypted(backend: Backend, resource: GroupResource): Backend {
    const encryption = this.encryption;
    if (encryption === undefined) return backend;
    return new EncryptedBackend(backend, {
      transformer: () => encryption.transformerFor(resource),
      contextOf: (key) => this.#root + key.slice(ROOT.length),
    });
  }

  #storageOver(backend: Backend, options: ResourceOptions & CacherOptions & StoreOptions): Store | Cacher {
    const store = new Store(backend, options);
    if (options.noCache || this.#uncached === "all" || names(this.#uncached, options.resource)) return store;
    const cacher = new Cacher(backend, store, options);
    this.#cachers.set(options.prefix, cacher);
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
