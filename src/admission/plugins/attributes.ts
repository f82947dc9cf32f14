// What plugins ask of a request.
import { forbiddenError, type StatusError } from "../../machinery/errors.ts";
import type { GroupResource } from "../../machinery/types.ts";
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from "../interface.ts";

/** `handles` of a plugin that looks at these operations. */
export function on(...operations: readonly AdmissionOperation[]): AdmissionPlugin["handles"] {
  return (operation) => operations.includes(operation);
}

/** The resource itself, none of its subresources. */
export function isResource({ resource, subresource }: AdmissionAttributes, wanted: GroupResource): boolean {
  return subresource === "" && isOf(resource, wanted);
}

/** The resource or one of its subresources. */
export function isOf(resource: GroupResource, wanted: GroupResource): boolean {
  return resource.resource === wanted.resource && resource.group === wanted.group;
}

export const PODS: GroupResource = { group: "", resource: "pods" };

export function isPod(attributes: AdmissionAttributes): boolean {
  return isResource(attributes, PODS);
}

const VOLUME_CLAIMS: GroupResource = { group: "", resource: "persistentvolumeclaims" };

export function isVolumeClaim(attributes: AdmissionAttributes): boolean {
  return isResource(attributes, VOLUME_CLAIMS);
}

/** The answer that says why a request is refused: it names the object, or what its name will be made of. */
export function refusal({ resource, name, object }: AdmissionAttributes, why: string): StatusError {
  return forbiddenError(resource, name || object?.metadata?.name || object?.metadata?.generateName || "Unknown", why);
}
