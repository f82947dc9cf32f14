// Makes the storage of a server: one backend, and an Interface over it for each resource.
import { Cacher, type CacherOptions } from "./cacher/cacher.ts";
import { DryRunStorage } from "./dry_run.ts";
import type { AttributesOf, Backend, Interface } from "./interface.ts";
import { SqliteBackend } from "./sqlite/backend.ts";
import { type Encode, Store } from "./store.ts";

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
  /** Told of upkeep that failed and will be tried again. */
  onTrouble?: (message: string) => void;
}

export interface ResourceOptions extends CacherOptions {
  /** What the resource's keys start with, ending in `/`: `/registry/pods/`. */
  prefix: string;
  attributesOf: AttributesOf;
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
  return new Factory(backend, options.relaxedDurability ?? []);
}

function createBackend(options: StorageOptions): Backend {
  if (options.backend === "sqlite") return new SqliteBackend(options);
  throw new Error(`--storage-backend: ${REFUSED[options.backend] ?? `unknown storage type: ${options.backend}`}`);
}

class Factory implements StorageFactory {
  readonly backend: Backend;
  /** How the prefixes of resources with relaxed durability end. */
  readonly #relaxed: readonly string[];
  readonly #resources = new Map<string, DryRunStorage>();
  readonly #cachers: Cacher[] = [];

  constructor(backend: Backend, relaxed: readonly string[]) {
    this.backend = backend;
    this.#relaxed = relaxed.map(endOfResourcePrefix);
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
    const relaxedDurability = this.#relaxed.some((end) => options.prefix.endsWith(end));
    const store = new Store(this.backend, { ...options, relaxedDurability });
    if (options.noCache) return store;
    const cacher = new Cacher(this.backend, store, options);
    this.#cachers.push(cacher);
    return cacher;
  }
}

/** `leases` → `/leases/`, `widgets.example.com` → `/example.com/widgets/`. */
function endOfResourcePrefix(name: string): string {
  const dot = name.indexOf(".");
  return dot < 0 ? `/${name}/` : `/${name.slice(dot + 1)}/${name.slice(0, dot)}/`;
}
