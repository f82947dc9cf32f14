// storage.Interface: what the registry asks of storage, and Backend: what a key-value engine must offer under it.
//
//   registry ─▶ DryRun ─▶ Cacher ─▶ Store (codec, encryption) ─▶ Backend: sqlite | etcd3
//
// Storage knows keys, revisions and JSON text; it knows nothing of kinds. A revision is a positive integer that rises
// with every write of the whole database, and is an object's resourceVersion.
import type { KubeObject } from "../machinery/types.ts";

/** One stored object at one revision. Immutable; shared by the cache, lists and watches. */
export interface Item {
  readonly key: string;
  /** The revision of its last write (its resourceVersion). */
  readonly revision: number;
  /**
   * Ready JSON: `{"kind":…,"apiVersion":…,"metadata":{…}` first, in this order, resourceVersion included.
   * A get answers it as it is.
   */
  readonly text: string;
  /** Where the text goes on behind kind and apiVersion: `"{" + text.slice(bodyStart)` is the item of a typed list. */
  readonly bodyStart: number;
  readonly labels: Readonly<Record<string, string>>;
  /** Selectable fields beyond metadata.name and metadata.namespace included: every one a field selector may name. */
  readonly fields: Readonly<Record<string, string>>;
  /** A fresh copy that the caller may change. */
  object(): KubeObject;
  /** The same object at another revision: how a deletion shows what was deleted. */
  withRevision(revision: number): Item;
}

/** Reads labels and selectable fields off an object, once per write. */
export type AttributesOf = (object: KubeObject) => {
  labels: Readonly<Record<string, string>>;
  fields: Readonly<Record<string, string>>;
};

/** What a list or watch lets through: label and field selectors. */
export interface Predicate {
  /** True when everything passes: the fast path. */
  readonly everything: boolean;
  matches(attributes: Pick<Item, "labels" | "fields">): boolean;
  /** The value that a field must have exactly (`metadata.name`, `spec.nodeName`), for indexes; undefined otherwise. */
  requiresField(field: string): string | undefined;
}

/** What must hold of the stored object before it is changed or deleted. */
export interface Preconditions {
  uid?: string;
  resourceVersion?: string;
}

export type ResourceVersionMatch = "" | "Exact" | "NotOlderThan";

export interface GetOptions {
  /** "" is the newest, "0" any, a number not older than it. */
  resourceVersion?: string;
}

export interface ListOptions {
  resourceVersion?: string;
  resourceVersionMatch?: ResourceVersionMatch;
  predicate?: Predicate;
  /** At most so many items; 0 is all. */
  limit?: number;
  /** The token of the page before. */
  continue?: string;
}

export interface ListResult {
  items: readonly Item[];
  /** The revision that the list is a snapshot of. */
  revision: number;
  /** The token of the next page; undefined on the last. */
  continue?: string;
  /** How many more there are; undefined when a selector makes it unknown. */
  remaining?: number;
}

export type WatchEvent =
  | { type: "ADDED" | "MODIFIED" | "DELETED"; item: Item }
  /** `initialEventsEnd`: carries the annotation k8s.io/initial-events-end. */
  | { type: "BOOKMARK"; revision: number; initialEventsEnd?: boolean }
  /** The last event of a watch that cannot go on: a StatusError, usually 410 Expired. */
  | { type: "ERROR"; error: Error };

export interface WatchOptions {
  /** "" and "0": begin with the present state as ADDED events; a number: events after it. */
  resourceVersion?: string;
  resourceVersionMatch?: ResourceVersionMatch;
  predicate?: Predicate;
  allowWatchBookmarks?: boolean;
  /** Send the present state first, then a bookmark with initialEventsEnd (KEP-3157). */
  sendInitialEvents?: boolean;
  /** Ends the watch. */
  signal: AbortSignal;
}

/**
 * A running watch. Events come in batches, so that a burst costs one write to the client. The iteration ends when the
 * signal aborts or after an ERROR event. The buffer is bounded: a reader that falls too far behind is ended.
 */
export interface Watcher extends AsyncIterable<readonly WatchEvent[]> {
  stop(): void;
}

/** What an update function gives back: the new object, or the same to change nothing. */
export interface UpdateResult {
  object: KubeObject;
  /** Seconds to live from now on; 0 for ever, undefined leaves it. */
  ttl?: number;
}

export interface Interface {
  /**
   * Throws AlreadyExists (storage error) when the key is taken. `object.metadata.resourceVersion` must be unset.
   * @param options.ttl seconds to live
   */
  create(key: string, object: KubeObject, options?: { ttl?: number }): Promise<Item>;
  /** Throws KeyNotFound. */
  get(key: string, options?: GetOptions): Promise<Item>;
  /** Without a wait where the cache is sure to be current: undefined when it is not, null when there is no such key. */
  getCached?(key: string): Item | null | undefined;
  /** Every item under a prefix (ending in `/`) likewise; undefined when the cache is not sure to be current. */
  listCached?(prefix: string): Item[] | undefined;
  /** Items under a prefix (ending in `/`) in the order of their keys, or the one object of a whole key. */
  list(prefix: string, options?: ListOptions): Promise<ListResult>;
  watch(prefix: string, options: WatchOptions): Promise<Watcher>;
  /**
   * Deletes and returns what was deleted, its text carrying the revision of the deletion.
   * `validate` may throw to refuse; it sees the present object and is called again when that changed meanwhile.
   */
  delete(
    key: string,
    options?: {
      preconditions?: Preconditions;
      validate?: (current: KubeObject, item: Item) => void | Promise<void>;
      suggestion?: Item;
    },
  ): Promise<Item>;
  /**
   * Reads, lets `update` compute the new object and writes it unless the object was changed meanwhile, in which case it
   * starts over. No write when the text is the same: the present item comes back with its revision unchanged.
   * @param update gets a copy it may change; `item` is undefined and the object an empty one when nothing is stored
   *               and `ignoreNotFound` is set
   */
  guaranteedUpdate(
    key: string,
    update: (current: KubeObject, item: Item | undefined) => UpdateResult | Promise<UpdateResult>,
    options?: { ignoreNotFound?: boolean; preconditions?: Preconditions; suggestion?: Item },
  ): Promise<Item>;
  count(prefix: string): Promise<number>;
  /** The newest revision of the database. */
  currentRevision(): Promise<number>;
}

export type StorageErrorCode =
  | "KeyNotFound"
  | "KeyExists"
  | "ResourceVersionConflicts"
  | "InvalidObject"
  | "Unreachable";

/** Errors of storage; the registry words them for the API (`registry/storage_errors.ts`). */
export class StorageError extends Error {
  constructor(readonly code: StorageErrorCode, readonly key: string, message: string, readonly revision = 0) {
    super(message);
    this.name = "StorageError";
  }
}

/** What an engine keeps: JSON, or bytes that are something else (protobuf, encrypted). */
export type Value = string | Uint8Array;

/** A key with its value at a revision, as an engine holds it. */
export interface KeyValue {
  key: string;
  value: Value;
  revision: number;
  /** Written in another way than it would be written now (with an old key): the same object is to be written again. */
  stale?: boolean;
}

/** A change in the log of an engine, in the order of revisions. */
export interface Change {
  type: "put" | "delete";
  key: string;
  value: Value;
  revision: number;
  /** The revision of the key's value before, 0 for a create; engines know it for sure when asked for previous values. */
  prevRevision: number;
  /** The value before, when the reader asked for it; a delete's `value` is "" otherwise. */
  prevValue?: Value;
  stale?: boolean;
}

/** The outcome of a compare-and-set write: done at `revision`, or refused with what is there now. */
export type WriteResult =
  | { ok: true; revision: number }
  | { ok: false; current: KeyValue | undefined };

/** A running watch of an engine. */
export interface BackendWatch {
  stop(): void;
  /** The revision up to which nothing is missing, at this moment. */
  progress(): number;
  /** Asks an engine at a distance to say how far it is: somebody waits for it. */
  requestProgress?(): void;
}

/** A key-value engine with revisions: sqlite or etcd3. Every promise of a write resolves once it is durable. */
export interface Backend {
  start(): Promise<void>;
  close(): Promise<void>;
  /**
   * Writes when the key's revision is `expected` (0: when there is no such key).
   * @param options.relaxed a crash may lose the write, in which case it loses everything relaxed behind it too
   */
  put(
    key: string,
    value: Value,
    options: { expected: number; ttl?: number; relaxed?: boolean },
  ): Promise<WriteResult>;
  /** Deletes when the key's revision is `expected`. */
  delete(key: string, options: { expected: number; relaxed?: boolean }): Promise<WriteResult>;
  get(key: string): Promise<KeyValue | undefined>;
  /**
   * Keys from `start` (inclusive) below `end` (exclusive), in order, at `revision` or now.
   * Throws Compacted below the compaction revision.
   */
  range(
    start: string,
    end: string,
    options?: { revision?: number; limit?: number },
  ): Promise<{ items: KeyValue[]; revision: number; more: boolean; count: number }>;
  count(prefix: string): Promise<number>;
  currentRevision(): Promise<number>;
  /**
   * The newest revision, when this process is the only writer: an answered write is never newer, and every watch has
   * been handed everything up to it.
   */
  readonly appliedRevision?: number;
  /** The newest revision whose history is gone; 0 when all of it is there. */
  compactRevision(): Promise<number>;
  /**
   * Changes of keys under `prefix` with a revision above `after`, in order, then every new one as it is committed.
   * `onChanges` also gets the revision up to which nothing is missing, with an empty list for progress alone.
   * `onEnd` is called once, with an error when the watch cannot go on (Compacted, connection lost for good).
   * @param options.previous fill in the values before
   */
  watch(
    prefix: string,
    after: number,
    onChanges: (changes: readonly Change[], upTo: number) => void,
    onEnd: (error?: Error) => void,
    options?: { previous?: boolean },
  ): BackendWatch;
  compact(revision: number): Promise<void>;
  /** Throws when the engine cannot serve, or does not answer within so many milliseconds. */
  healthy(timeout: number): Promise<void>;
  stats(): Promise<BackendStats>;
}

/** Figures of an engine, for the metrics; undefined: it has no such thing. */
export interface BackendStats {
  /** Bytes of each database that is behind it. */
  clusters: readonly { id: string; bytes: number }[];
  /** Writes that wait for their commit. */
  writesWaiting?: number;
  /** Bytes inside of the file that hold nothing. */
  freeBytes?: number;
  /** Bytes of the write-ahead log. */
  logBytes?: number;
  /** The revision up to which compaction has deleted what was superseded. */
  sweptRevision?: number;
}

/** Asked for history at or below the compaction revision. */
export class CompactedError extends Error {
  constructor(readonly compactRevision: number) {
    super(`revision has been compacted (compacted up to ${compactRevision})`);
    this.name = "CompactedError";
  }
}
