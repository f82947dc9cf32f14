// Keeps metadata.managedFields up: who set which fields.
import { type ConvertTo, updateManagedFields as track, type WriteInfo } from "../machinery/apply/mod.ts";
import { clone } from "../machinery/clone.ts";
import { now } from "../machinery/time.ts";
import { apiVersionOf, type KubeObject } from "../machinery/types.ts";
import { fieldManagerOf, type WriteOptions } from "./options.ts";
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
    convert: isStoredVersion(kind) ? undefined : NO_OTHER_VERSION,
  };
}

const NO_OTHER_VERSION: ConvertTo = () => undefined;

/** @param live the stored object, undefined when it is being created; both in the stored version */
export async function updateManagedFields(
  scope: Scope,
  live: KubeObject | undefined,
  object: KubeObject,
  options: WriteOptions,
): Promise<KubeObject> {
  const { kind } = scope;
  if (isStoredVersion(kind)) {
    track(writeInfo(scope, live, options), object);
    return object;
  }
  // Fields are owned as the request's version names them.
  const served = await kind.fromStored(clone(object));
  track(writeInfo(scope, live && await kind.fromStored(clone(live)), options), served);
  if (served.metadata.managedFields === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = served.metadata.managedFields;
  return object;
}
