// Deleting: at once, after a grace period, or when the last finalizer is gone.
import { statusError } from "../machinery/errors.ts";
import { formatTime, parseTime } from "../machinery/time.ts";
import type { KubeObject } from "../machinery/types.ts";
import { StorageError } from "../storage/interface.ts";
import type { Outcome } from "../storage/mod.ts";
import type { StoreConfig } from "./config.ts";
import type { RequestContext } from "../apis/context.ts";
import { keyOf } from "./keys.ts";
import { checkDeletePreconditions } from "./preconditions.ts";
import { type DeleteOptions, objectOf, type ValidateObject } from "./rest.ts";
import { interpretStorageError } from "./storage_errors.ts";

const ORPHAN = "orphan", FOREGROUND = "foregroundDeletion";

/** What became of a delete. `last`: the object as it was looked at right before it went. */
export type Deletion =
  | { deleted: false; outcome: Outcome }
  | { deleted: true; outcome: Outcome; last?: KubeObject; answersObject: boolean };

export interface DeleteHooks {
  dryRun: boolean;
  validate?: ValidateObject;
}

/** Ends the update of an object that is to be deleted right away. */
class DeleteNow extends Error {}

/** Ends the update of an object that already waits to be deleted, and no sooner than asked for. */
class AlreadyDeleting extends Error {}

/** Throws StatusErrors. */
export async function deleteObject(
  config: StoreConfig,
  context: RequestContext,
  name: string,
  options: DeleteOptions,
  hooks: DeleteHooks,
): Promise<Deletion> {
  const key = keyOf(config, context, name);
  const target = { resource: config.resource, name };
  try {
    const item = await config.storage.storage.get(key);
    const object = item.object();
    checkDeletePreconditions(config.gvk, object, options.preconditions);
    const grace = gracefulDeletion(config, object, options);
    if (grace === "pending") return { deleted: false, outcome: { item } };
    const waits = grace === "graceful" || (object.metadata.finalizers ?? []).length > 0 ||
      wantedFinalizers(config, object, options) !== undefined;
    if (!waits) return await removeNow(config, key, options, hooks);
    const { marked, goesNow } = await markForDeletion(config, key, options, hooks);
    if (!goesNow) return { deleted: false, outcome: marked };
    if (marked === undefined) return await removeNow(config, key, options, hooks);
    return await removeMarked(config, key, marked, options, hooks);
  } catch (e) {
    throw interpretStorageError(e, "delete", target);
  }
}

async function removeNow(
  config: StoreConfig,
  key: string,
  options: DeleteOptions,
  { dryRun, validate }: DeleteHooks,
): Promise<Deletion> {
  let last: KubeObject | undefined;
  const outcome = await config.storage.delete(key, {
    preconditions: options.preconditions,
    validate(current) {
      last = current;
      return validate?.(current);
    },
    dryRun,
  });
  await config.hooks?.afterDelete?.(objectOf(outcome), dryRun);
  return { deleted: true, outcome, last, answersObject: config.definition.returnsDeletedObject ?? false };
}

/** The second step of a deletion without grace: the first one has written that the object goes. */
async function removeMarked(
  config: StoreConfig,
  key: string,
  marked: Outcome,
  options: DeleteOptions,
  hooks: DeleteHooks,
): Promise<Deletion> {
  const answersObject = config.definition.returnsDeletedObject ?? false;
  if (hooks.dryRun) return { deleted: true, outcome: marked, answersObject };
  const { preconditions } = options;
  const { resourceVersion } = objectOf(marked).metadata;
  const asMarked = preconditions?.resourceVersion === undefined ? preconditions : { ...preconditions, resourceVersion };
  try {
    return await removeNow(config, key, { ...options, preconditions: asMarked }, hooks);
  } catch (e) {
    // Somebody else was faster.
    if (e instanceof StorageError && e.code === "KeyNotFound") return { deleted: true, outcome: marked, answersObject };
    throw e;
  }
}

type Marking = { goesNow: true; marked?: Outcome } | { goesNow: false; marked: Outcome };

/** Sets deletionTimestamp and finalizers; nothing is marked of an object that goes at once and knows no grace. */
async function markForDeletion(
  config: StoreConfig,
  key: string,
  options: DeleteOptions,
  { dryRun, validate }: DeleteHooks,
): Promise<Marking> {
  let goesNow = false;
  try {
    const marked = await config.storage.guaranteedUpdate(key, async (object) => {
      await validate?.(object);
      const grace = gracefulDeletion(config, object, options);
      if (grace === "pending") throw new AlreadyDeleting();
      const finalizers = wantedFinalizers(config, object, options);
      if (finalizers !== undefined) setFinalizers(object, finalizers);
      const held = (object.metadata.finalizers ?? []).length > 0;
      if (grace === "none") {
        if (!held) throw new DeleteNow();
        markAsDeleting(object);
      }
      goesNow = !held && (object.metadata.deletionGracePeriodSeconds ?? 0) === 0;
      return { object };
    }, { preconditions: options.preconditions, dryRun });
    return { goesNow, marked };
  } catch (e) {
    if (e instanceof DeleteNow) return { goesNow: true };
    if (e instanceof AlreadyDeleting) {
      return { goesNow: false, marked: { item: await config.storage.storage.get(key) } };
    }
    throw e;
  }
}

/**
 * Sets when the object is to go, for kinds with a grace period. `pending`: it waits already and no sooner time is asked
 * for. `none`: there is no grace.
 */
function gracefulDeletion(
  config: StoreConfig,
  object: KubeObject,
  options: DeleteOptions,
): "graceful" | "pending" | "none" {
  const gracePeriod = config.definition.gracePeriod;
  if (gracePeriod === undefined) return "none";
  const meta = object.metadata;
  const asked = options.gracePeriodSeconds !== undefined && options.gracePeriodSeconds < 0
    ? 1
    : options.gracePeriodSeconds;
  if (meta.deletionTimestamp !== undefined) {
    const left = meta.deletionGracePeriodSeconds;
    if (left === undefined) return "none";
    if (asked === undefined || asked >= left) return "pending";
    meta.deletionTimestamp = formatTime(parseTime(meta.deletionTimestamp)! - (left - asked) * 1000);
    meta.deletionGracePeriodSeconds = asked;
    return "graceful";
  }
  const seconds = gracePeriod(object, asked);
  if (seconds === undefined) return "none";
  meta.deletionTimestamp = formatTime(Date.now() + seconds * 1000);
  meta.deletionGracePeriodSeconds = seconds;
  if ((meta.generation ?? 0) > 0) meta.generation!++;
  return "graceful";
}

function markAsDeleting(object: KubeObject): void {
  const meta = object.metadata, now = Date.now();
  if (meta.deletionTimestamp === undefined && (meta.generation ?? 0) > 0) meta.generation!++;
  if (meta.deletionTimestamp === undefined || parseTime(meta.deletionTimestamp)! > now) {
    meta.deletionTimestamp = formatTime(now);
  }
  meta.deletionGracePeriodSeconds = 0;
}

/** The finalizers that the garbage collector is to find; undefined when they are as they should be. */
function wantedFinalizers(config: StoreConfig, object: KubeObject, options: DeleteOptions): string[] | undefined {
  if (!config.garbageCollection) return undefined;
  const now = object.metadata.finalizers ?? [];
  const wanted = now.filter((f) => f !== ORPHAN && f !== FOREGROUND);
  const policy = deletionPolicy(config, now, options);
  if (policy === "Orphan") wanted.push(ORPHAN);
  if (policy === "Foreground") wanted.push(FOREGROUND);
  const same = wanted.length === now.length && wanted.every((f) => now.includes(f));
  return same ? undefined : wanted;
}

/** What the request says, else what the object's finalizers say, else what the kind does. */
function deletionPolicy(config: StoreConfig, finalizers: readonly string[], options: DeleteOptions): string {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? "Orphan" : "Background";
  if (options.propagationPolicy !== undefined) return options.propagationPolicy;
  if (finalizers.includes(ORPHAN)) return "Orphan";
  if (finalizers.includes(FOREGROUND)) return "Foreground";
  return config.definition.defaultDeletion ?? "Background";
}

function setFinalizers(object: KubeObject, finalizers: string[]): void {
  if (finalizers.length > 0) object.metadata.finalizers = finalizers;
  else delete object.metadata.finalizers;
}

/** Removes an object whose last finalizer an update took off; it may be gone already. */
export async function deleteWithoutFinalizers(
  config: StoreConfig,
  key: string,
  name: string,
  object: KubeObject,
  dryRun: boolean,
): Promise<void> {
  try {
    await config.storage.delete(key, { dryRun });
  } catch (e) {
    if (!(e instanceof StorageError && e.code === "KeyNotFound")) {
      throw interpretStorageError(e, "delete", { resource: config.resource, name });
    }
  }
  await config.hooks?.afterDelete?.(object, dryRun);
}

/** The Status that most kinds answer a delete with. */
export function deletedStatus(config: StoreConfig, object: KubeObject): KubeObject {
  const { group, resource } = config.resource;
  const status = statusError(200, "", "").status;
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: status.metadata as KubeObject["metadata"],
    status: "Success",
    details: {
      name: object.metadata.name,
      ...(group === "" ? {} : { group }),
      kind: resource,
      uid: object.metadata.uid,
    },
  };
}
