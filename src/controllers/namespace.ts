// The namespace controller: empties a namespace that is being deleted and then takes its finalizer off.
import type { ServedResource } from "../registry/resource.ts";
import { formatGroupResource, type JsonObject } from "../machinery/types.ts";
import { getIfThere } from "../registry/rest.ts";
import type { RequestContext } from "../apis/context.ts";
import { controllerContext, follow } from "./informer.ts";
import { WorkQueue } from "./work_queue.ts";

const NAME = "namespace-controller";
/** How soon to look again when something in the namespace waits for its own finalizers. */
const REMAINING_RETRY_MS = 500;

export interface NamespaceControllerOptions {
  namespaces: ServedResource;
  /** Everything that may live in a namespace, as it is served now. */
  namespacedResources(): Iterable<ServedResource>;
  onError(namespace: string, error: unknown): void;
}

/** Runs until the signal ends. */
export async function startNamespaceController(
  options: NamespaceControllerOptions,
  signal: AbortSignal,
): Promise<void> {
  const context = controllerContext(NAME, signal);
  const queue: WorkQueue = new WorkQueue({
    workers: 4,
    process: async (name) => {
      if (!await finishNamespace(options, context, name)) queue.addAfter(name, REMAINING_RETRY_MS);
    },
    onError: options.onError,
  }, signal);
  await follow(options.namespaces, context, {
    changed(item) {
      // Most changes are of namespaces that live: their text need not be parsed.
      if (item.text.includes('"deletionTimestamp"')) queue.add(item.fields["metadata.name"]);
    },
    deleted() {},
  });
}

/** Whether there is nothing left to do for this namespace. */
async function finishNamespace(
  options: NamespaceControllerOptions,
  context: RequestContext,
  name: string,
): Promise<boolean> {
  const namespace = await getIfThere(options.namespaces.storage, context, name);
  if (namespace?.metadata.deletionTimestamp === undefined) return true;
  if (!(namespace.spec?.finalizers ?? []).includes("kubernetes")) return true;
  const left = await emptyNamespace(options, context, name);
  await writeConditions(options.namespaces, context, name, left);
  if (left.resources.size > 0) return false;
  await options.namespaces.subresources.get("finalize")!.storage.update!(context, name, (current) => {
    current!.spec.finalizers = current!.spec.finalizers.filter((f: string) => f !== "kubernetes");
    return current!;
  }, { options: {}, dryRun: false });
  return true;
}

interface Remaining {
  /** Resource → how many objects are still there. */
  resources: Map<string, number>;
  /** Finalizer → how many objects wait for it. */
  finalizers: Map<string, number>;
}

async function emptyNamespace(
  options: NamespaceControllerOptions,
  context: RequestContext,
  name: string,
): Promise<Remaining> {
  const inside: RequestContext = { ...context, namespace: name };
  const left: Remaining = { resources: new Map(), finalizers: new Map() };
  const seen = new Set<string>();
  for (const resource of options.namespacedResources()) {
    // One version of each resource is enough: its objects are the same in all of them.
    const name = formatGroupResource(resource);
    if (seen.has(name)) continue;
    seen.add(name);
    if (!resource.namespaced || !resource.verbs.includes("delete") || !resource.verbs.includes("list")) continue;
    const { items } = await resource.storage.list!(inside, {});
    if (items.length === 0) continue;
    await resource.storage.deleteCollection!(inside, { propagationPolicy: "Background" }, {}, { dryRun: false });
    const after = await resource.storage.list!(inside, {});
    if (after.items.length === 0) continue;
    left.resources.set(
      resource.group === "" ? resource.resource + "." : `${resource.resource}.${resource.group}`,
      after.items.length,
    );
    for (const item of after.items) {
      for (const finalizer of item.object().metadata.finalizers ?? []) {
        left.finalizers.set(finalizer, (left.finalizers.get(finalizer) ?? 0) + 1);
      }
    }
  }
  return left;
}

/** The conditions of a namespace that is being deleted, as kube-controller-manager words them. */
function conditionsOf(left: Remaining): Record<string, [status: string, reason: string, message: string]> {
  const resources = [...left.resources].sort().map(([r, n]) => `${r} has ${n} resource instances`).join(", ");
  const finalizers = [...left.finalizers].sort().map(([f, n]) => `${f} in ${n} resource instances`).join(", ");
  return {
    NamespaceDeletionDiscoveryFailure: ["False", "ResourcesDiscovered", "All resources successfully discovered"],
    NamespaceDeletionGroupVersionParsingFailure: [
      "False",
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ],
    NamespaceDeletionContentFailure: [
      "False",
      "ContentDeleted",
      "All content successfully deleted, may be waiting on finalization",
    ],
    NamespaceContentRemaining: resources === ""
      ? ["False", "ContentRemoved", "All content successfully removed"]
      : ["True", "SomeResourcesRemain", `Some resources are remaining: ${resources}`],
    NamespaceFinalizersRemaining: finalizers === ""
      ? ["False", "ContentHasNoFinalizers", "All content-preserving finalizers finished"]
      : ["True", "SomeFinalizersRemain", `Some content in the namespace has finalizers remaining: ${finalizers}`],
  };
}

async function writeConditions(
  namespaces: ServedResource,
  context: RequestContext,
  name: string,
  left: Remaining,
): Promise<void> {
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  await namespaces.subresources.get("status")!.storage.update!(context, name, (current) => {
    const namespace = current!;
    namespace.status ??= {};
    const conditions: JsonObject[] = namespace.status.conditions ??= [];
    for (const [type, [status, reason, message]] of Object.entries(conditionsOf(left))) {
      const old = conditions.find((c) => c.type === type);
      if (old === undefined) conditions.push({ type, status, lastTransitionTime: now, reason, message });
      else if (old.status !== status || old.message !== message) {
        Object.assign(old, { status, lastTransitionTime: now, reason, message });
      }
    }
    return namespace;
  }, { options: {}, dryRun: false });
}
