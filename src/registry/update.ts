// Updating: the new object is made out of the stored one, checked, and written unless somebody was faster.
import { keepTimes } from "../machinery/apply/mod.ts";
import { conflictError, hasReason, invalidError, notFoundError, OPTIMISTIC_LOCK_MESSAGE } from "../machinery/errors.ts";
import { type FieldError, invalid, path } from "../machinery/field_error.ts";
import type { KubeObject } from "../machinery/types.ts";
import { nameIsPathSegment, validateObjectMeta, validateObjectMetaUpdate } from "../machinery/validation/mod.ts";
import type { Item } from "../storage/interface.ts";
import type { Outcome } from "../storage/mod.ts";
import type { Strategy } from "../apis/kind.ts";
import type { StoreConfig } from "./config.ts";
import type { RequestContext } from "../apis/context.ts";
import { beforeCreate, enterNamespace, fillSystemFields } from "./create.ts";
import { deleteWithoutFinalizers } from "./delete.ts";
import { keyOf } from "./keys.ts";
import { versionOf } from "./resource_version.ts";
import type { Transform, UpdateOptions } from "./rest.ts";
import { interpretStorageError } from "./storage_errors.ts";

const METADATA = path("metadata");

/** Thrown inside of the write when the update took the last finalizer off an object that is being deleted. */
class EmptiedFinalizers extends Error {
  constructor(readonly object: KubeObject) {
    super("emptied finalizers");
  }
}

/** @param strategy the resource's own, or the one of a subresource */
export async function updateObject(
  config: StoreConfig,
  context: RequestContext,
  name: string,
  { strategy, transform, options }: { strategy: Strategy; transform: Transform; options: UpdateOptions },
): Promise<{ result: Outcome; created: boolean }> {
  const key = keyOf(config, context, name);
  // Where a PUT creates, one of a subresource does, too; only nothing is given out to it.
  const mayCreate = config.definition.allowCreateOnUpdate || options.forceAllowCreate;
  let created = false, leave: (() => void) | undefined;
  try {
    const result = await config.storage.guaranteedUpdate(key, async (current, item) => {
      created = item === undefined;
      if (item !== undefined) {
        const object = await changed(config, context, name, { strategy, transform, options, current, item });
        return { object, ttl: config.ttl };
      }
      if (!mayCreate) throw notFoundError(config.resource, name);
      const object = await transform(undefined);
      await createInstead(config, context, object, { strategy, options });
      leave ??= await enterNamespace(config, context);
      options.commitCreate?.(object);
      return { object, ttl: config.ttl };
    }, { ignoreNotFound: mayCreate, preconditions: options.preconditions, dryRun: options.dryRun });
    return { result, created };
  } catch (e) {
    if (e instanceof EmptiedFinalizers) {
      await deleteWithoutFinalizers(config, key, name, e.object, options.dryRun);
      return { result: { object: e.object }, created: false };
    }
    const operation = created ? "create" : "update";
    throw interpretStorageError(e, operation, { resource: config.resource, name });
  } finally {
    leave?.();
  }
}

async function createInstead(
  config: StoreConfig,
  context: RequestContext,
  object: KubeObject,
  { strategy, options }: { strategy: Strategy; options: UpdateOptions },
): Promise<void> {
  fillSystemFields(object);
  delete object.metadata.resourceVersion;
  const isWhole = strategy === config.strategy;
  const finish = isWhole ? await config.hooks?.beginCreate?.(context, object, options.dryRun) : undefined;
  let done = false;
  try {
    await beforeCreate(config, context, object);
    await options.validateCreate?.(object);
    done = true;
  } finally {
    await finish?.(done);
  }
}

interface Change {
  strategy: Strategy;
  transform: Transform;
  options: UpdateOptions;
  current: KubeObject;
  item: Item;
}

async function changed(
  config: StoreConfig,
  context: RequestContext,
  name: string,
  { strategy, transform, options, current: old, item }: Change,
): Promise<KubeObject> {
  const object = await transform(old);
  checkResourceVersion(config, name, object, item);
  const loading = config.definition.load?.(object);
  if (loading !== undefined) await loading;
  const begun = config.hooks?.beginUpdate?.(context, object, old, options.dryRun);
  const finish = begun && await begun;
  let done = false;
  try {
    const pending = beforeUpdate(config, context, strategy, { object, old });
    if (pending !== undefined) await pending;
    keepTimes(object, old);
    const validated = options.validateUpdate?.(object, old);
    if (validated !== undefined) await validated;
    if (deletesNow(config, object, old)) throw new EmptiedFinalizers(object);
    done = true;
  } finally {
    if (finish !== undefined) await finish(done);
  }
  return object;
}

function checkResourceVersion(config: StoreConfig, name: string, object: KubeObject, item: Item): void {
  const wanted = versionOf(object);
  if (wanted === 0) {
    if (config.definition.allowUnconditionalUpdate === false) {
      const kind = { group: config.resource.group, kind: config.resource.resource };
      const field = path("metadata", "resourceVersion");
      throw invalidError(kind, name, [invalid(field, 0, "must be specified for an update")]);
    }
    object.metadata.resourceVersion = String(item.revision);
  } else if (wanted !== item.revision) {
    throw conflictError(config.resource, name, OPTIMISTIC_LOCK_MESSAGE);
  }
}

/**
 * Metadata that an update cannot change is put back, then strategy and validation have their say. A promise only for
 * subresources that have to look at other objects.
 */
function beforeUpdate(
  config: StoreConfig,
  context: RequestContext,
  strategy: Strategy,
  { object, old }: { object: KubeObject; old: KubeObject },
): void | Promise<void> {
  const meta = object.metadata, before = old.metadata;
  setOrDelete(meta, "generation", before.generation);
  strategy.prepareForUpdate?.(object, old, context);
  meta.uid ||= before.uid;
  if (before.creationTimestamp) meta.creationTimestamp = before.creationTimestamp;
  if (before.deletionTimestamp !== undefined) meta.deletionTimestamp = before.deletionTimestamp;
  if (meta.deletionGracePeriodSeconds === undefined) {
    setOrDelete(meta, "deletionGracePeriodSeconds", before.deletionGracePeriodSeconds);
  }
  const standardFinalizers = !config.definition.anyFinalizers;
  const common = validateObjectMeta(meta, {
    namespaced: config.namespaced,
    validateName: nameIsPathSegment,
    path: METADATA,
  });
  const changes = validateObjectMetaUpdate(meta, before, { path: METADATA, standardFinalizers: false });
  // The kind's own validation looks at metadata once more, so that its errors are told twice. Where nothing was wrong it
  // would find nothing but finalizers.
  const looksAgain = changes.length > 0 || (meta.finalizers ?? []).length > 0;
  const own = looksAgain && !strategy.checksMetadata
    ? validateObjectMetaUpdate(meta, before, { path: METADATA, standardFinalizers })
    : [];
  const ofMeta = [...common, ...changes, ...own];
  const finish = (refused: readonly FieldError[]) => {
    const errors = [...ofMeta, ...refused, ...strategy.validateUpdate?.(object, old, context) ?? []];
    // A custom resource may claim to be of another kind: that is what is wrong with it.
    if (errors.length > 0) throw invalidError({ ...config.gvk, kind: object.kind }, meta.name ?? "", errors);
    for (const warning of strategy.warningsOnUpdate?.(object, old, context) ?? []) context.addWarning(warning);
    strategy.canonicalize?.(object);
  };
  const refusals = strategy === config.strategy ? undefined : config.hooks?.subresourceRefusals;
  return refusals === undefined ? finish([]) : refusals(context, object, old).then(finish);
}

function setOrDelete<K extends "generation" | "deletionGracePeriodSeconds">(
  meta: KubeObject["metadata"],
  field: K,
  value: number | undefined,
): void {
  if (value === undefined) delete meta[field];
  else meta[field] = value;
}

/** An object that is being deleted, whose grace is over, goes with its last finalizer. */
function deletesNow(config: StoreConfig, object: KubeObject, old: KubeObject): boolean {
  if ((object.metadata.finalizers ?? []).length > 0 || old.metadata.deletionTimestamp === undefined) return false;
  if ((old.metadata.deletionGracePeriodSeconds ?? 0) > 0) return false;
  return config.hooks?.mayDeleteDuringUpdate?.(object, old) ?? true;
}

export { hasReason };
