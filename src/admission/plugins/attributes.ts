// What plugins ask of a request.
import { forbiddenError, type StatusError } from "../../machinery/errors.ts";
import type { AdmissionAttributes } from "../interface.ts";

export function isPod({ resource, subresource }: AdmissionAttributes): boolean {
  return resource.resource === "pods" && resource.group === "" && subresource === "";
}

/** The answer that says why an object may not be written. */
export function refusal({ resource, name, object }: AdmissionAttributes, why: string): StatusError {
  return forbiddenError(resource, name || object?.metadata.name || "", why);
}
