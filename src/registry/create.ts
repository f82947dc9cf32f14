// Creating: metadata that the server sets, validation, admission's last word, the write.
import {
  alreadyExistsError,
  generateNameConflictError,
  hasReason,
  internalError,
  invalidError,
  unknownError,
} from "../machinery/errors.ts";
import { type FieldError, path } from "../machinery/field_error.ts";
import { generateName } from "../machinery/names.ts";
import { now } from "../machinery/time.ts";
import type { KubeObject } from "../machinery/types.ts";
import { nameIsDNSSubdomain, nameIsPathSegment, validateObjectMeta } from "../machinery/validation/mod.ts";
import type { Outcome } from "../storage/mod.ts";
import type { StoreConfig } from "./config.ts";
import type { RequestContext } from "../apis/context.ts";
import type { CreateOptions, ValidateObject } from "./rest.ts";
import { keyOf } from "./keys.ts";
import { hasVersion } from "./resource_version.ts";
import { interpretStorageError } from "./storage_errors.ts";

const METADATA = path("metadata");

/** Names are generated anew this many times before the client is told to try again. */
const NAME_ATTEMPTS = 8;

/** Throws StatusErrors. The object is changed in place. */
export function createObject(
  config: StoreConfig,
  context: RequestContext,
  object: KubeObject,
  options: CreateOptions,
): Promise<Outcome> {
  const { generateName, name } = object.metadata;
  return generateName && !name
    ? createGenerated(config, context, object, { generateName, options })
    : createOnce(config, context, object, options);
}

async function createGenerated(
  config: StoreConfig,
  context: RequestContext,
  object: KubeObject,
  { generateName: base, options }: { generateName: string; options: CreateOptions },
): Promise<Outcome> {
  const { metadata } = object;
  for (let attempt = 1;; attempt++) {
    metadata.name = generateName(base);
    try {
      return await createOnce(config, context, object, options);
    } catch (e) {
      if (!hasReason(e, "AlreadyExists")) throw e;
      if (attempt === NAME_ATTEMPTS) throw generateNameConflictError(config.resource, metadata.name!);
    }
  }
}

async function createOnce(
  config: StoreConfig,
  context: RequestContext,
  object: KubeObject,
  { dryRun, validate, commit }: CreateOptions,
): Promise<Outcome> {
  fillSystemFields(object);
  const begun = config.hooks?.beginCreate?.(context, object, dryRun);
  const finish = begun && await begun;
  let done = false;
  try {
    const pending = beforeCreate(config, context, object);
    if (pending !== undefined) await pending;
    const validated = validate?.(object);
    if (validated !== undefined) await validated;
    refuseResourceVersion(object);
    const outcome = await write(config, context, object, { dryRun, commit });
    done = true;
    return outcome;
  } finally {
    if (finish !== undefined) await finish(done);
  }
}

/** `0` is like none, and so is what is no version at all. */
function refuseResourceVersion(object: KubeObject): void {
  if (hasVersion(object)) throw unknownError("resourceVersion should not be set on objects to be created");
  delete object.metadata.resourceVersion;
}

async function write(
  config: StoreConfig,
  context: RequestContext,
  object: KubeObject,
  { dryRun, commit }: Pick<CreateOptions, "dryRun" | "commit">,
): Promise<Outcome> {
  const name = object.metadata.name!;
  const key = keyOf(config, context, name);
  const entered = enterNamespace(config, context);
  const leave = entered instanceof Promise ? await entered : entered;
  try {
    commit?.(object);
    return await config.storage.create(key, object, { ttl: config.ttl, dryRun });
  } catch (e) {
    const error = interpretStorageError(e, "create", { resource: config.resource, name });
    if (!hasReason(error, "AlreadyExists")) throw error;
    if (!await isBeingDeleted(config, key)) throw error;
    const refusal = alreadyExistsError(config.resource, name);
    refusal.status.message = `object is being deleted: ${refusal.status.message}`;
    throw refusal;
  } finally {
    leave?.();
  }
}

/** Holds the deletion of the namespace off until what comes back is called; undefined when there is nothing to hold. */
export function enterNamespace(
  { namespaced, namespaceGate: gate }: StoreConfig,
  { namespace }: RequestContext,
): (() => void) | undefined | Promise<() => void> {
  if (!namespaced || gate === undefined) return undefined;
  const entered = gate.enter(namespace), leave = () => gate.leave(namespace);
  return entered === undefined ? leave : entered.then(() => leave);
}

async function isBeingDeleted(config: StoreConfig, key: string): Promise<boolean> {
  try {
    const item = await config.storage.storage.get(key);
    return item.object().metadata.deletionTimestamp !== undefined;
  } catch {
    return false;
  }
}

/** uid and creationTimestamp, which no client sets. */
export function fillSystemFields(object: KubeObject): void {
  object.metadata.creationTimestamp = now();
  object.metadata.uid = crypto.randomUUID();
}

/**
 * Strategy and validation of a new object whose name and system fields are set. A promise only for kinds that have to
 * load something or to look at other objects.
 */
export function beforeCreate(config: StoreConfig, context: RequestContext, object: KubeObject): void | Promise<void> {
  if (!object.metadata.uid) throw internalError("system metadata was not initialized");
  const { definition: { load }, hooks } = config;
  if (load !== undefined || hooks?.refusals !== undefined) return beforeLoadedCreate(config, context, object);
  checkNew(config, context, object, prepareNew(config, context, object));
}

async function beforeLoadedCreate(config: StoreConfig, context: RequestContext, object: KubeObject): Promise<void> {
  await config.definition.load?.(object);
  const errors = prepareNew(config, context, object);
  errors.push(...await config.hooks?.refusals?.(context, object) ?? []);
  checkNew(config, context, object, errors);
}

/** What is wrong with the metadata. */
function prepareNew({ strategy, definition, namespaced }: StoreConfig, context: RequestContext, object: KubeObject) {
  strategy.prepareForCreate?.(object, context);
  return strategy.checksMetadata ? [] : validateObjectMeta(object.metadata, {
    namespaced,
    validateName: definition.validateName ?? nameIsDNSSubdomain,
    path: METADATA,
    standardFinalizers: !definition.anyFinalizers,
  });
}

/** @param errors what has been found wrong so far */
function checkNew(config: StoreConfig, context: RequestContext, object: KubeObject, errors: FieldError[]): void {
  const { strategy, gvk } = config;
  errors.push(...strategy.validate?.(object, context) ?? []);
  if (strategy.checksMetadata && errors.length === 0) errors.push(...validateCommonMeta(config, object));
  if (errors.length > 0) throw invalidError({ ...gvk, kind: object.kind }, object.metadata.name ?? "", errors);
  for (const warning of strategy.warningsOnCreate?.(object, context) ?? []) context.addWarning(warning);
  strategy.canonicalize?.(object);
}

/** What holds for metadata of every kind, whatever its own rules say: the name has to fit into a path. */
function validateCommonMeta(config: StoreConfig, object: KubeObject): FieldError[] {
  return validateObjectMeta(object.metadata, {
    namespaced: config.namespaced,
    validateName: nameIsPathSegment,
    path: METADATA,
  });
}

export type { ValidateObject };
