// Keeps metadata.managedFields up: who set which fields.
import type { KubeObject } from "../machinery/types.ts";
import type { WriteOptions } from "./options.ts";
import type { Scope } from "./scope.ts";

/** @param live the stored object, undefined when it is being created; both in the stored version */
export function updateManagedFields(
  _scope: Scope,
  _live: KubeObject | undefined,
  object: KubeObject,
  _options: WriteOptions,
): KubeObject | Promise<KubeObject> {
  return object;
}
