// The garbage collector: deletes objects whose owners are all gone, and does what the `orphan` and
// `foregroundDeletion` finalizers ask for (Kubernetes documentation, "Garbage Collection").
import type { ServedResource } from "../../registry/resource.ts";
import { hasReason } from "../../machinery/errors.ts";
import { type KubeObject, type OwnerReference, parseApiVersion } from "../../machinery/types.ts";
import { getIfThere } from "../../registry/rest.ts";
import type { RequestContext } from "../../apis/context.ts";
import { controllerContext, follow } from "../informer.ts";
import { WorkQueue } from "../work_queue.ts";
import { Graph, type Node, nodeOf } from "./graph.ts";

const NAME = "generic-garbage-collector";
/** How often resources that have come or gone (custom ones) are looked for. */
const RESYNC_MS = 5_000;

export interface GarbageCollectorOptions {
  /** Everything served now. */
  resources(): Iterable<ServedResource>;
  onError(uid: string, error: unknown): void;
  /** Milliseconds between looks for resources that have come or gone. */
  resync?: number;
}

/** Runs until the signal ends. */
export async function startGarbageCollector(options: GarbageCollectorOptions, signal: AbortSignal): Promise<void> {
  const collector = new GarbageCollector(options, signal);
  await collector.sync();
  const timer = setInterval(() => void collector.sync(), options.resync ?? RESYNC_MS);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

class GarbageCollector {
  readonly #graph = new Graph();
  readonly #queue: WorkQueue;
  readonly #context: RequestContext;
  readonly #followed = new Map<string, { resource: ServedResource; stop: AbortController }>();

  constructor(readonly options: GarbageCollectorOptions, signal: AbortSignal) {
    this.#context = controllerContext(NAME, signal);
    this.#queue = new WorkQueue({
      workers: 8,
      process: (uid) => this.#process(uid),
      onError: options.onError,
    }, signal);
  }

  /** Starts to follow what is new and forgets what is no longer served. */
  async sync(): Promise<void> {
    const served = new Map<string, ServedResource>();
    for (const resource of this.options.resources()) {
      if (!resource.verbs.includes("delete") || !resource.verbs.includes("watch")) continue;
      // One version of each resource is enough: its objects are the same in all of them.
      const key = `${resource.resource}.${resource.group}`;
      if (!served.has(key)) served.set(key, resource);
    }
    for (const [key, { resource, stop }] of this.#followed) {
      if (served.has(key)) continue;
      stop.abort();
      this.#followed.delete(key);
      this.#forget(resource);
    }
    const isFirst = this.#followed.size === 0, starting: Promise<void>[] = [];
    for (const [key, resource] of served) {
      const before = this.#followed.get(key);
      if (before?.resource.storage === resource.storage) continue;
      before?.stop.abort();
      const stop = new AbortController();
      this.#followed.set(key, { resource, stop });
      const synced = this.#follow(resource, AbortSignal.any([this.#context.signal, stop.signal]));
      starting.push(
        isFirst ? synced : synced.then(() => {
          if (!stop.signal.aborted) this.#catchUp(before?.resource);
        }),
      );
    }
    await Promise.all(starting);
  }

  /** Looks at what nobody told of: owners that went before their resource was followed. */
  #catchUp(before: ServedResource | undefined): void {
    // What has been listed again is of the new resource.
    if (before !== undefined) this.#forget(before);
    for (const uid of this.#graph.missingOwners()) this.#wakeDependents(uid);
  }

  #forget(resource: ServedResource): void {
    for (const { uid } of this.#graph.of(resource)) {
      this.#graph.remove(uid);
      this.#wakeDependents(uid);
    }
  }

  #follow(resource: ServedResource, signal: AbortSignal): Promise<void> {
    return follow(resource, { ...this.#context, signal }, {
      changed: (item) => {
        const node = nodeOf(resource, item);
        if (node === undefined) return;
        const before = this.#graph.get(node.uid);
        this.#graph.put(node);
        if (node.owners.length > 0 || node.deleting) this.#queue.add(node.uid);
        // An owner that begins to wait for its dependents wakes them.
        if (node.deleting && before?.deleting !== true) this.#wakeDependents(node.uid);
      },
      deleted: (item) => {
        const node = nodeOf(resource, item);
        if (node === undefined) return;
        const owners = this.#graph.get(node.uid)?.owners ?? [];
        this.#graph.remove(node.uid);
        this.#wakeDependents(node.uid);
        for (const owner of owners) if (this.#graph.get(owner.uid)?.deleting) this.#queue.add(owner.uid);
      },
    });
  }

  #wakeDependents(uid: string): void {
    for (const dependent of this.#graph.dependents(uid)) this.#queue.add(dependent.uid);
  }

  async #process(uid: string): Promise<void> {
    const node = this.#graph.get(uid);
    if (node === undefined) return;
    if (node.deleting) {
      if (node.finalizers.includes("orphan")) return await this.#orphan(node);
      if (node.finalizers.includes("foregroundDeletion")) return await this.#foreground(node);
      return;
    }
    await this.#collect(node);
  }

  /** Takes this owner out of its dependents, then the finalizer off it. */
  async #orphan(owner: Node): Promise<void> {
    for (const dependent of this.#graph.dependents(owner.uid)) await this.#dropOwners(dependent, new Set([owner.uid]));
    await this.#dropFinalizer(owner, "orphan");
  }

  /** Waits for the dependents that block it, deleting them, then takes the finalizer off. */
  async #foreground(owner: Node): Promise<void> {
    const blocking = this.#graph.dependents(owner.uid).filter((d) =>
      d.owners.some((o) => o.uid === owner.uid && o.blockOwnerDeletion === true)
    );
    for (const dependent of this.#graph.dependents(owner.uid)) {
      if (!dependent.deleting) this.#queue.add(dependent.uid);
    }
    if (blocking.length === 0) await this.#dropFinalizer(owner, "foregroundDeletion");
  }

  /** Deletes an object when none of its owners is left; owners that are gone beside living ones are taken out. */
  async #collect(node: Node): Promise<void> {
    const gone = new Set<string>(), waiting = new Set<string>();
    let alive = false;
    for (const owner of node.owners) {
      const state = await this.#ownerState(node, owner);
      if (state === "gone") gone.add(owner.uid);
      else if (state === "waiting") waiting.add(owner.uid);
      else alive = true;
    }
    if (gone.size === 0 && waiting.size === 0) return;
    if (alive) return await this.#dropOwners(node, new Set([...gone, ...waiting]));
    const live = await this.#get(node);
    if (live?.metadata.uid !== node.uid || live.metadata.deletionTimestamp !== undefined) return;
    const finalizers = live.metadata.finalizers ?? [];
    const cascade = waiting.size > 0 && this.#graph.dependents(node.uid).length > 0
      ? "Foreground"
      : finalizers.includes("orphan")
      ? "Orphan"
      : finalizers.includes("foregroundDeletion")
      ? "Foreground"
      : "Background";
    await ignoringNotFound(() =>
      node.resource.storage.delete!(this.#inside(node), node.name, {
        preconditions: { uid: node.uid, resourceVersion: live.metadata.resourceVersion },
        propagationPolicy: cascade,
      }, { dryRun: false })
    );
  }

  async #ownerState(node: Node, owner: OwnerReference): Promise<"alive" | "waiting" | "gone"> {
    const known = this.#graph.get(owner.uid);
    if (known !== undefined) {
      // An owner in another namespace is none (KEP-2336): its absence in this one counts.
      if (known.namespace !== "" && known.namespace !== node.namespace) return "gone";
      const waits = known.deleting && known.finalizers.includes("foregroundDeletion");
      return waits ? "waiting" : "alive";
    }
    return await this.#ownerExists(node, owner) ? "alive" : "gone";
  }

  /** Asks storage, since the owner's resource may not be followed yet. An unknown kind counts as alive. */
  async #ownerExists(node: Node, owner: OwnerReference): Promise<boolean> {
    const gv = parseApiVersion(owner.apiVersion);
    for (const resource of this.options.resources()) {
      if (resource.group !== gv?.group || resource.kind.gvk.kind !== owner.kind || !resource.verbs.includes("get")) {
        continue;
      }
      if (resource.namespaced && node.namespace === "") return true;
      const context = { ...this.#context, namespace: resource.namespaced ? node.namespace : "" };
      const found = await getIfThere(resource.storage, context, owner.name);
      return found?.metadata.uid === owner.uid;
    }
    return true;
  }

  async #dropOwners(node: Node, uids: ReadonlySet<string>): Promise<void> {
    await this.#update(node, (object) => {
      object.metadata.ownerReferences = object.metadata.ownerReferences?.filter((o) => !uids.has(o.uid));
      if (object.metadata.ownerReferences?.length === 0) delete object.metadata.ownerReferences;
    });
  }

  async #dropFinalizer(node: Node, finalizer: string): Promise<void> {
    await this.#update(node, (object) => {
      object.metadata.finalizers = object.metadata.finalizers?.filter((f) => f !== finalizer);
      if (object.metadata.finalizers?.length === 0) delete object.metadata.finalizers;
    });
  }

  async #update(node: Node, change: (object: KubeObject) => void): Promise<void> {
    await ignoringNotFound(() =>
      node.resource.storage.update!(this.#inside(node), node.name, (current) => {
        change(current!);
        return current!;
      }, { options: {}, dryRun: false, preconditions: { uid: node.uid } })
    );
  }

  async #get(node: Node): Promise<KubeObject | undefined> {
    return await getIfThere(node.resource.storage, this.#inside(node), node.name);
  }

  #inside(node: Node): RequestContext {
    return { ...this.#context, namespace: node.namespace };
  }
}

async function ignoringNotFound<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (e) {
    if (hasReason(e, "NotFound")) return undefined;
    throw e;
  }
}
