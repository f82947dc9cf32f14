// Follows every object of a resource: a list, then a watch from there, and again from the start when the watch breaks.
import type { ServedResource } from "../registry/resource.ts";
import type { RequestContext } from "../apis/context.ts";
import type { Item } from "../storage/interface.ts";

export interface InformerHandler {
  /** The object as it is now; also called for everything at the start and after a broken watch. */
  changed(item: Item): void;
  /** The object as it was last. */
  deleted(item: Item): void;
}

const RETRY_MS = 1000;

/** The context of work that the server does on its own behalf. */
export function controllerContext(name: string, signal: AbortSignal, namespace = ""): RequestContext {
  return {
    user: { name: `system:serviceaccount:kube-system:${name}`, uid: "", groups: ["system:masters"], extra: {} },
    namespace,
    userAgent: name,
    verb: "",
    signal,
    addWarning() {},
    addAuditAnnotation() {},
  };
}

/** Resources whose first list somebody waits for, by who does. */
const unsynced = new Set<string>();

/** Who waits for the first list of what: `rbac-authorizer: roles`. */
export function unsyncedInformers(): readonly string[] {
  return [...unsynced];
}

/** Resolves once the first list has been handed over; goes on until the signal ends. */
export function follow(
  resource: ServedResource,
  context: RequestContext,
  handler: InformerHandler,
): Promise<void> {
  const known = new Map<string, Item>(), name = `${context.userAgent}: ${resource.resource}`;
  unsynced.add(name);
  const synced = new Promise<void>((resolve) => void run(resource, context, handler, known, resolve));
  return synced.finally(() => unsynced.delete(name));
}

async function run(
  resource: ServedResource,
  context: RequestContext,
  handler: InformerHandler,
  known: Map<string, Item>,
  synced: () => void,
): Promise<void> {
  const { signal } = context;
  while (!signal.aborted) {
    try {
      const revision = await relist(resource, context, handler, known);
      synced();
      await followWatch(resource, context, handler, { known, revision });
    } catch {
      // Whatever broke, the next list starts afresh.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  synced();
}

async function relist(
  resource: ServedResource,
  context: RequestContext,
  handler: InformerHandler,
  known: Map<string, Item>,
): Promise<number> {
  const list = await resource.storage.list!(context, {});
  const gone = new Map(known);
  known.clear();
  for (const item of list.items) {
    known.set(item.key, item);
    if (gone.get(item.key)?.revision !== item.revision) handler.changed(item);
    gone.delete(item.key);
  }
  for (const item of gone.values()) handler.deleted(item);
  return list.revision;
}

async function followWatch(
  resource: ServedResource,
  context: RequestContext,
  handler: InformerHandler,
  from: { known: Map<string, Item>; revision: number },
): Promise<void> {
  const watcher = await resource.storage.watch!(context, {
    resourceVersion: String(from.revision),
    signal: context.signal,
  });
  for await (const events of watcher) {
    for (const event of events) {
      if (event.type === "ERROR") throw event.error;
      if (event.type === "BOOKMARK") continue;
      if (event.type === "DELETED") {
        from.known.delete(event.item.key);
        handler.deleted(event.item);
      } else {
        from.known.set(event.item.key, event.item);
        handler.changed(event.item);
      }
    }
  }
}
