// The hash by which clients notice that a resource's storage version has changed.
import { createHash } from "node:crypto";
import type { GroupVersionKind } from "../../machinery/types.ts";

/** The first eight bytes of a SHA-256, in base64. */
export function storageVersionHash({ group, version, kind }: GroupVersionKind): string {
  return createHash("sha256").update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString("base64");
}

/** Kinds that kube-apiserver still stores in an older version than the one it prefers to serve. */
const OLDER: Readonly<Record<string, string>> = {
  "admissionregistration.k8s.io/MutatingAdmissionPolicy": "v1beta1",
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding": "v1beta1",
  "apiextensions.k8s.io/CustomResourceDefinition": "v1beta1",
};

/** The version that the hash is made of. */
export function publishedStorageVersion(stored: GroupVersionKind): GroupVersionKind {
  return { ...stored, version: OLDER[`${stored.group}/${stored.kind}`] ?? stored.version };
}
