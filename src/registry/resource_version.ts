// resourceVersions as clients send them in objects.
import { unknownError } from "../machinery/errors.ts";
import type { KubeObject } from "../machinery/types.ts";
import { InvalidResourceVersion, parseResourceVersion } from "../storage/resource_version.ts";

/** The version that the object says it is of; 0 when it says nothing. Throws a 500 as the real server does. */
export function versionOf({ metadata }: KubeObject): number {
  try {
    return parseResourceVersion(metadata.resourceVersion ?? "");
  } catch (error) {
    throw error instanceof InvalidResourceVersion ? unknownError(error.problem) : error;
  }
}

/** Whether the object says that it is of some version; what is no version says nothing. */
export function hasVersion({ metadata }: KubeObject): boolean {
  try {
    return parseResourceVersion(metadata.resourceVersion ?? "") !== 0;
  } catch (error) {
    if (error instanceof InvalidResourceVersion) return false;
    throw error;
  }
}
