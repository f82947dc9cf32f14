// Metrics of storage: kube-apiserver's where it has them, and the database's own.
import type { MetricDefinition } from "./definitions.ts";

const RESOURCE = ["group", "resource"] as const;
/** From 100 µs, a commit to memory, to a minute, a flash card at its end. */
const COMMIT_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60];

export const STORAGE_METRICS = {
  storageRequests: {
    name: "etcd_requests_total",
    type: "counter",
    labels: ["operation", ...RESOURCE],
    help: "Operations of the storage engine, whichever it is.",
  },
  storageRequestErrors: {
    name: "etcd_request_errors_total",
    type: "counter",
    labels: ["operation", ...RESOURCE],
    help: "Operations of the storage engine that failed.",
  },
  storageRequestDuration: {
    name: "etcd_request_duration_seconds",
    type: "histogram",
    labels: ["operation", ...RESOURCE],
    help: "Seconds that an operation of the storage engine took.",
    buckets: [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60],
  },
  objects: {
    name: "apiserver_resource_objects",
    type: "gauge",
    labels: RESOURCE,
    help: "Objects stored, by resource.",
  },
  storageObjects: {
    name: "apiserver_storage_objects",
    type: "gauge",
    labels: ["resource"],
    help: "Objects stored, by resource and group.",
  },
  resourceSize: {
    name: "apiserver_resource_size_estimate_bytes",
    type: "gauge",
    labels: RESOURCE,
    help: "Bytes of the objects stored, of resources that are in memory.",
  },
  storageSize: {
    name: "apiserver_storage_size_bytes",
    type: "gauge",
    labels: ["storage_cluster_id"],
    help: "Bytes of the database.",
  },
  cacheInitializations: {
    name: "apiserver_watch_cache_initializations_total",
    type: "counter",
    labels: RESOURCE,
    help: "How often a resource was read into memory.",
  },
  cacheEventsReceived: {
    name: "apiserver_watch_cache_events_received_total",
    type: "counter",
    labels: RESOURCE,
    help: "Changes that the cache of a resource took in.",
  },
  storageEventsReceived: {
    name: "apiserver_storage_events_received_total",
    type: "counter",
    labels: RESOURCE,
    help: "Changes that the storage engine told of.",
  },
  cacheConsistentReads: {
    name: "apiserver_watch_cache_consistent_read_total",
    type: "counter",
    labels: [...RESOURCE, "success", "fallback"],
    help: "Lists of the newest state that were answered from memory, once it had caught up.",
  },
  cacheEventsDispatched: {
    name: "apiserver_watch_cache_events_dispatched_total",
    type: "counter",
    labels: RESOURCE,
    help: "Changes that were offered to watches.",
  },
  cacheInitEvents: {
    name: "apiserver_init_events_total",
    type: "counter",
    labels: RESOURCE,
    help: "Events of present objects that watches began with.",
  },
  cacheReadWait: {
    name: "apiserver_watch_cache_read_wait_seconds",
    type: "histogram",
    labels: RESOURCE,
    help: "Seconds that a read waited for the cache to catch up.",
    buckets: [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3],
  },
  cacheRevision: {
    name: "apiserver_watch_cache_resource_version",
    type: "gauge",
    labels: RESOURCE,
    help: "The revision that the cache of a resource is at.",
  },
  cacheCapacity: {
    name: "watch_cache_capacity",
    type: "gauge",
    labels: RESOURCE,
    help: "Changes that the cache of a resource keeps for watches to resume from.",
  },
  cacheLists: {
    name: "apiserver_cache_list_total",
    type: "counter",
    labels: [...RESOURCE, "index"],
    help: "Lists answered from memory.",
  },
  cacheListFetched: {
    name: "apiserver_cache_list_fetched_objects_total",
    type: "counter",
    labels: [...RESOURCE, "index"],
    help: "Objects that lists from memory looked at.",
  },
  cacheListReturned: {
    name: "apiserver_cache_list_returned_objects_total",
    type: "counter",
    labels: RESOURCE,
    help: "Objects that lists from memory answered.",
  },
  bookmarks: { name: "etcd_bookmark_total", type: "counter", labels: RESOURCE, help: "Bookmarks sent to watches." },
  commitDuration: {
    name: "kubelith_storage_commit_duration_seconds",
    type: "histogram",
    labels: [],
    help: "Seconds that the writer took for one group of writes, the sync included.",
    buckets: COMMIT_SECONDS,
  },
  commitWrites: {
    name: "kubelith_storage_commit_writes",
    type: "histogram",
    labels: [],
    help: "Writes in one group.",
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
  },
  writesWaiting: {
    name: "kubelith_storage_writes_waiting",
    type: "gauge",
    labels: [],
    help: "Writes that wait for their commit.",
  },
  freeBytes: {
    name: "kubelith_storage_free_bytes",
    type: "gauge",
    labels: [],
    help: "Bytes inside of the database file that hold nothing.",
  },
  logBytes: {
    name: "kubelith_storage_wal_bytes",
    type: "gauge",
    labels: [],
    help: "Bytes of the write-ahead log.",
  },
  compactRevision: {
    name: "kubelith_storage_compact_revision",
    type: "gauge",
    labels: [],
    help: "The newest revision whose history is gone.",
  },
  sweptRevision: {
    name: "kubelith_storage_swept_revision",
    type: "gauge",
    labels: [],
    help: "The revision up to which compaction has deleted what was superseded.",
  },
  upkeepFailures: {
    name: "kubelith_storage_upkeep_failures_total",
    type: "counter",
    labels: [],
    help: "Steps of upkeep (pointers, checkpoints, compaction) that failed and were tried again.",
  },
} satisfies Record<string, MetricDefinition>;
