// The objects of a request in the version that a webhook or policy asked for.
import { internalError } from "../../machinery/errors.ts";
import { apiVersionOf, type GroupVersionKind, type JsonObject, type KubeObject } from "../../machinery/types.ts";
import type { AdmissionAttributes, AdmissionKind } from "../interface.ts";

export interface VersionedObjects {
  kind: AdmissionKind;
  object: KubeObject | undefined;
  oldObject: KubeObject | undefined;
}

/** Throws a StatusError when there is no such version. */
export async function inVersion(
  { served, object, oldObject }: AdmissionAttributes,
  gvk: GroupVersionKind,
): Promise<VersionedObjects> {
  const kind = served.inVersion(apiVersionOf(gvk));
  if (kind === undefined) throw internalError(`unable to convert to ${apiVersionOf(gvk)}: unknown kind`);
  const convert = async (one: KubeObject | undefined) => one && await kind.fromStored(one);
  return { kind, object: await convert(object), oldObject: await convert(oldObject) };
}

/** The object as webhooks and policies are shown it: options of CONNECT have no metadata, although plugins see some. */
export function shownObject(
  { operation }: AdmissionAttributes,
  { object }: Pick<VersionedObjects, "object">,
): JsonObject | undefined {
  if (object === undefined || operation !== "CONNECT") return object;
  const { metadata: _, ...options } = object;
  return options;
}

/** Gives the object that plugins see the content of another, in place: everybody holds the same one. */
export function replaceObject(object: KubeObject, by: KubeObject): void {
  for (const member of Object.keys(object)) if (!Object.hasOwn(by, member)) delete object[member];
  Object.assign(object, by);
}
