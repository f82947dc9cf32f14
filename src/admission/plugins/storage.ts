// Plugins about volumes and ingresses: default classes, protection of what is in use, and who may grow.
import { forbiddenError } from "../../machinery/errors.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { compareQuantities } from "../../machinery/quantity.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import type { ObjectLookup } from "./lookup.ts";

/** Classes that are marked as the default one; the youngest wins, then the one whose name comes first. */
async function defaultClass(lookup: ObjectLookup, group: string, resource: string, annotations: string[]) {
  const marked = (await lookup.list(group, resource)).filter((c) =>
    annotations.some((a) => c.metadata.annotations?.[a] === "true")
  );
  return marked.sort((a, b) => {
    const [x, y] = [a.metadata.creationTimestamp ?? "", b.metadata.creationTimestamp ?? ""];
    return x === y ? (a.metadata.name! < b.metadata.name! ? -1 : 1) : x > y ? -1 : 1;
  });
}

function isNew({ resource, subresource }: AdmissionAttributes, wanted: string): boolean {
  return resource.resource === wanted && subresource === "";
}

const STORAGE_ANNOTATIONS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];
const BETA_CLASS = "volume.beta.kubernetes.io/storage-class";

export function defaultStorageClass(lookup: ObjectLookup): AdmissionPlugin {
  return {
    name: "DefaultStorageClass",
    handles: (operation) => operation === "CREATE",
    async admit(attributes) {
      if (!isNew(attributes, "persistentvolumeclaims")) return;
      const { metadata, spec } = attributes.object!;
      if (metadata.annotations?.[BETA_CLASS] !== undefined || spec.storageClassName !== undefined) return;
      const [chosen] = await defaultClass(lookup, "storage.k8s.io", "storageclasses", STORAGE_ANNOTATIONS);
      if (chosen !== undefined) spec.storageClassName = chosen.metadata.name;
    },
  };
}

export function defaultIngressClass(lookup: ObjectLookup): AdmissionPlugin {
  return {
    name: "DefaultIngressClass",
    handles: (operation) => operation === "CREATE",
    async admit(attributes) {
      if (!isNew(attributes, "ingresses")) return;
      const { metadata, spec } = attributes.object!;
      if (spec?.ingressClassName !== undefined || metadata.annotations?.["kubernetes.io/ingress.class"] !== undefined) {
        return;
      }
      const annotation = "ingressclass.kubernetes.io/is-default-class";
      const [chosen] = await defaultClass(lookup, "networking.k8s.io", "ingressclasses", [annotation]);
      if (chosen !== undefined) (attributes.object!.spec ??= {}).ingressClassName = chosen.metadata.name;
    },
  };
}

const PROTECTIONS: Readonly<Record<string, string>> = {
  persistentvolumeclaims: "kubernetes.io/pvc-protection",
  persistentvolumes: "kubernetes.io/pv-protection",
};

/** Volumes and claims go only when nobody uses them any more. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  handles: (operation) => operation === "CREATE",
  admit(attributes) {
    const finalizer = PROTECTIONS[attributes.resource.resource];
    if (finalizer === undefined || attributes.subresource !== "" || attributes.resource.group !== "") return;
    const { metadata } = attributes.object!;
    if (!metadata.finalizers?.includes(finalizer)) metadata.finalizers = [...metadata.finalizers ?? [], finalizer];
  },
};

export function persistentVolumeClaimResize(lookup: ObjectLookup): AdmissionPlugin {
  return {
    name: "PersistentVolumeClaimResize",
    handles: (operation) => operation === "UPDATE",
    async validate(attributes) {
      if (!isNew(attributes, "persistentvolumeclaims")) return;
      const [now, before] = [sizeOf(attributes.object!), sizeOf(attributes.oldObject!)];
      if (compareQuantities(now, before) <= 0 || attributes.oldObject!.status?.phase !== "Bound") return;
      const className = attributes.object!.metadata.annotations?.[BETA_CLASS] ??
        attributes.object!.spec.storageClassName;
      const found = className ? await lookup.get("storage.k8s.io", "storageclasses", className) : undefined;
      if (found?.allowVolumeExpansion === true) return;
      throw forbiddenError(
        attributes.resource,
        attributes.name,
        "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
      );
    },
  };
}

function sizeOf(claim: KubeObject): string {
  return claim.spec?.resources?.requests?.storage ?? "0";
}
