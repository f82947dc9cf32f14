// What storage tells the server's metrics.
import type { MetricName, Metrics } from "../metrics/mod.ts";
import { formatGroupResource, type GroupResource } from "../machinery/types.ts";
import type { Cacher } from "./cacher/cacher.ts";
import type { CacheCounts, ListCounts } from "./cacher/counts.ts";
import type { Backend } from "./interface.ts";
import type { Record } from "./measured.ts";

/** One resource as the metrics name it. */
export interface Monitored {
  prefix: string;
  resource: GroupResource;
  /** How many objects there are, now. */
  count(): number | Promise<number>;
  cacher: Cacher | undefined;
}

/** Records the operations of one resource. */
export function operationRecorder(metrics: Metrics, { group, resource }: GroupResource): Record {
  return (operation, seconds, failed) => {
    const labels = { operation, group, resource };
    metrics.add("storageRequests", labels);
    metrics.observe("storageRequestDuration", labels, seconds);
    if (failed) metrics.add("storageRequestErrors", labels);
  };
}

/** Sets what is asked of the engine at each scrape. */
export function collectBackend(metrics: Metrics, backend: Backend): void {
  metrics.onCollect(async () => {
    const { clusters, ...stats } = await backend.stats();
    for (const { id, bytes } of clusters) metrics.set("storageSize", { storage_cluster_id: id }, bytes);
    for (const [name, value] of Object.entries(stats)) metrics.set(name as keyof typeof stats, {}, value);
    metrics.set("compactRevision", {}, await backend.compactRevision());
  });
}

/**
 * Sets what is asked of the resources at each scrape.
 * @param counted whether their objects are counted
 */
export function collectResources(metrics: Metrics, monitored: Iterable<Monitored>, counted: boolean): void {
  const told = new WeakMap<Cacher, CacheCounts>();
  metrics.onCollect(async () => {
    for (const { resource, count, cacher } of monitored) {
      if (counted) {
        const objects = await count();
        metrics.set("objects", { ...resource }, objects);
        metrics.set("storageObjects", { resource: formatGroupResource(resource) }, objects);
        const bytes = objects === 0 ? 0 : cacher?.bytes;
        if (bytes !== undefined) metrics.set("resourceSize", { ...resource }, bytes);
      }
      if (cacher === undefined) continue;
      collectCacher(metrics, resource, cacher, told.get(cacher));
      told.set(cacher, structuredClone(cacher.counts));
    }
  });
}

/** @param before the counts that were told last time */
function collectCacher(metrics: Metrics, resource: GroupResource, cacher: Cacher, before?: CacheCounts): void {
  const { counts, progress, capacity } = cacher, labels = { ...resource };
  const grow = (name: MetricName, now: number, then: number | undefined, more = {}) => {
    if (now !== (then ?? 0)) metrics.add(name, { ...labels, ...more }, now - (then ?? 0));
  };
  grow("cacheInitializations", counts.loads, before?.loads);
  grow("cacheEventsReceived", counts.eventsReceived, before?.eventsReceived);
  grow("storageEventsReceived", counts.eventsReceived, before?.eventsReceived);
  const consistent = { success: "true", fallback: "false" };
  grow("cacheConsistentReads", counts.consistentReads, before?.consistentReads, consistent);
  grow("cacheEventsDispatched", counts.eventsDispatched, before?.eventsDispatched);
  grow("cacheInitEvents", counts.initEvents, before?.initEvents);
  grow("bookmarks", counts.bookmarks, before?.bookmarks);
  const lists = (index: string, now: ListCounts, then: ListCounts | undefined) => {
    grow("cacheLists", now.count, then?.count, { index });
    grow("cacheListFetched", now.fetched, then?.fetched, { index });
    grow("cacheListReturned", now.returned, then?.returned);
  };
  lists("", counts.lists, before?.lists);
  // The only index that there is; kube-apiserver marks one of a field by `f:`.
  lists("f:spec.nodeName", counts.indexedLists, before?.indexedLists);
  if (progress === undefined) return;
  metrics.set("cacheRevision", labels, progress);
  metrics.set("cacheCapacity", labels, capacity);
}
