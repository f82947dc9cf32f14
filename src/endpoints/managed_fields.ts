// Keeps metadata.managedFields up: who set which fields.
import {
  checkApplied,
  type Convert,
  FieldPathError,
  updateManagedFields as track,
  type WriteInfo,
} from "../machinery/apply/mod.ts";
import { clone } from "../machinery/clone.ts";
import { decode } from "../machinery/codec/decode.ts";
import { now } from "../machinery/time.ts";
import { apiVersionOf, type Json, type JsonObject, type KubeObject } from "../machinery/types.ts";
import { fieldManagerOf, type WriteOptions } from "./options.ts";
import type { ServedKind } from "../registry/resource.ts";
import { isStoredVersion } from "./served.ts";
import type { Scope } from "./scope.ts";

/** What the field manager is told of a write; `live` in the served version. */
export function writeInfo(scope: Scope, live: KubeObject | undefined, options: WriteOptions): WriteInfo {
  const { kind, storage, subresource } = scope;
  return {
    type: kind.type,
    apiVersion: apiVersionOf(kind.gvk),
    live,
    manager: fieldManagerOf(options, scope.userAgent),
    subresource: subresource?.name ?? "",
    now: now(),
    resetFields: storage.resetFields,
    convert: conversionOf(kind),
  };
}

/** Conversions between all versions of a kind. */
function conversionOf(kind: ServedKind): Convert {
  const inVersion = (apiVersion: string) => apiVersion === apiVersionOf(kind.gvk) ? kind : kind.inVersion?.(apiVersion);
  return async (object, apiVersion) => {
    const from = inVersion(object.apiVersion), to = inVersion(apiVersion);
    if (from === undefined || to === undefined) return undefined;
    const stored = await from.toStored(decode(from.type, clone(object) as unknown as Json).object);
    const converted = await to.fromStored(stored);
    // What the other version does not know cannot be owned there.
    if (to.custom) {
      const problems = checkApplied(to.type, converted as unknown as JsonObject, { duplicates: true });
      if (problems.length > 0) throw new FieldPathError(problems.join(", "));
    }
    return { type: to.type, object: converted };
  };
}

/**
 * Whether fields of a custom resource can be told apart at all. What validation refuses never gets this far, so that
 * only an object with parts is looked at that are not for this request to set.
 */
function fitsType({ kind, subresource }: Scope, object: KubeObject): boolean {
  if (subresource === undefined && object.status === undefined) return true;
  return checkApplied(kind.type, object as unknown as JsonObject, { duplicates: true }).length === 0;
}

/**
 * Sets metadata.managedFields of `object`, in place.
 * @param live the stored object, undefined when it is being created; both in the stored version
 */
export function updateManagedFields(
  scope: Scope,
  live: KubeObject | undefined,
  object: KubeObject,
  options: WriteOptions,
): void | Promise<void> {
  const { kind } = scope;
  if (kind.custom && !fitsType(scope, object)) delete object.metadata.managedFields;
  else if (isStoredVersion(kind)) return track(writeInfo(scope, live, options), object);
  else return trackServed(scope, live, object, options);
}

/** Fields are owned as the request's version names them. */
async function trackServed(
  scope: Scope,
  live: KubeObject | undefined,
  object: KubeObject,
  options: WriteOptions,
): Promise<void> {
  const { kind } = scope;
  const served = await kind.fromStored(clone(object));
  await track(writeInfo(scope, live && await kind.fromStored(clone(live)), options), served);
  if (served.metadata.managedFields === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = served.metadata.managedFields;
}
