// What endpoints ask of a resource or subresource: the words of k8s.io/apiserver's registry/rest. The generic Store
// offers all of it, a subresource a few; an operation that is missing is answered 405.
import { hasReason } from "../machinery/errors.ts";
import type { GroupVersionKind, JsonObject, KubeObject } from "../machinery/types.ts";
import type { Outcome } from "../storage/mod.ts";
import type { ListOptions, ListResult, Preconditions, Watcher, WatchOptions } from "../storage/interface.ts";
import type { RequestContext } from "../apis/context.ts";

/** An answer: an item of storage (ready JSON), or an object that was made for this answer. */
export type Result = Outcome;

/** The object of an answer, the caller's to change. */
export function objectOf(result: Result): KubeObject {
  return "item" in result ? result.item.object() : result.object;
}

/** The newest state of an object; undefined when there is none. */
export async function getIfThere(
  storage: ResourceStorage,
  context: RequestContext,
  name: string,
): Promise<KubeObject | undefined> {
  try {
    return objectOf(await storage.get!(context, name, {}));
  } catch (e) {
    if (hasReason(e, "NotFound")) return undefined;
    throw e;
  }
}

/** Runs after the registry's own validation, right before the write: validating admission. */
export type ValidateObject = (object: KubeObject) => void | Promise<void>;
export type ValidateUpdate = (object: KubeObject, old: KubeObject) => void | Promise<void>;

/** What must still hold when the object is written: nothing happens to its namespace between this and the write. */
export type CommitObject = (object: KubeObject) => void;

export interface CreateOptions {
  /** CreateOptions as sent, for admission and strategies. */
  options: JsonObject;
  dryRun: boolean;
  validate?: ValidateObject;
  commit?: CommitObject;
}

export interface UpdateOptions {
  options: JsonObject;
  dryRun: boolean;
  validateCreate?: ValidateObject;
  commitCreate?: CommitObject;
  validateUpdate?: ValidateUpdate;
  /** Create the object when there is none, whatever the strategy says (apply). */
  forceAllowCreate?: boolean;
  preconditions?: Preconditions;
}

/** meta.v1 DeleteOptions, decoded. */
export interface DeleteOptions {
  gracePeriodSeconds?: number;
  preconditions?: Preconditions;
  orphanDependents?: boolean;
  propagationPolicy?: "Orphan" | "Background" | "Foreground";
  dryRun?: string[];
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

/**
 * Makes the new object out of the stored one (a patch, or simply the body of a PUT); run again when the stored object
 * changed meanwhile. `current` is what the new one is compared with afterwards, so it is not to be changed, nor shared
 * with the new one; undefined when nothing is stored. Mutating admission and the upkeep of managedFields happen inside.
 */
export type Transform = (current: KubeObject | undefined) => KubeObject | Promise<KubeObject>;

/** A request that a subresource answers itself. */
export interface ConnectRequest {
  /** The decoded options (PodExecOptions, …) with their kind. */
  options: JsonObject;
  request: Request;
  url: Pick<URL, "pathname" | "search">;
  /** The client's address. */
  remoteAddress: string;
  /** The answer may be an UpgradedResponse. */
  upgradable: boolean;
  /** What the path says behind the subresource, decoded: `/`, `/some/path`; "" for nothing. */
  path: string;
}

export interface ResourceStorage {
  /** The kind of what is read and written here (a scale's is autoscaling/v1 Scale). */
  readonly kind: GroupVersionKind;
  /** apiVersions that bodies may have besides the kind's own. */
  readonly acceptedVersions?: readonly string[];
  /** Field paths that a write here gives back to their old values: nobody owns them by it. */
  readonly resetFields?: readonly (readonly string[])[];
  create?(context: RequestContext, name: string, object: KubeObject, options: CreateOptions): Promise<Result>;
  get?(context: RequestContext, name: string, options: { resourceVersion?: string }): Promise<Result> | Result;
  list?(context: RequestContext, options: ListOptions): Promise<ListResult>;
  watch?(context: RequestContext, options: WatchOptions): Promise<Watcher>;
  update?(
    context: RequestContext,
    name: string,
    transform: Transform,
    options: UpdateOptions,
  ): Promise<{ result: Result; created: boolean }>;
  /** `deleted`: gone at once; otherwise it waits for finalizers or its grace period. */
  delete?(
    context: RequestContext,
    name: string,
    options: DeleteOptions,
    hooks: { dryRun: boolean; validate?: ValidateObject },
  ): Promise<{ result: Result; deleted: boolean }>;
  /** Deletes what a list with these options shows and answers it. */
  deleteCollection?(
    context: RequestContext,
    options: DeleteOptions,
    listOptions: ListOptions,
    hooks: { dryRun: boolean; validate?: ValidateObject },
  ): Promise<ListResult>;
  /** exec, attach, port-forward, proxy, log: answers the request itself. */
  connect?(context: RequestContext, name: string, request: ConnectRequest): Promise<Response>;
}
