// The type of a CustomResourceDefinition object, and what everybody who reads one asks of it.
import type { KubeObject } from "../../machinery/types.ts";
import type * as v1 from "../../facts/generated/types.ts";

export type CustomResourceDefinition = KubeObject & v1.CustomResourceDefinition;

/** Of a CRD's group and resource, `apiextensions.k8s.io/v1`. */
export const APIEXTENSIONS_GROUP = "apiextensions.k8s.io";

/** Holds a CRD that is being deleted until its objects are gone. */
export const CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

/** The version in which objects are stored; undefined in a CRD that is not valid. */
function storageVersion(crd: CustomResourceDefinition): string | undefined {
  return crd.spec?.versions?.find((v) => v.storage)?.name;
}

/** Objects may be stored in every version that has ever been the storage version. */
export function recordStoredVersion(crd: CustomResourceDefinition): void {
  const version = storageVersion(crd);
  if (version === undefined) return;
  crd.status ??= {};
  const stored = crd.status.storedVersions ?? [];
  if (!stored.includes(version)) crd.status.storedVersions = [...stored, version];
}
