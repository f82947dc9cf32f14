// CSI storage capacities: how much room a driver has left for a class of volumes (KEP-1472).
import type { KubeObject } from "../../machinery/types.ts";
import {
  collect,
  deepEqual,
  type Field,
  IMMUTABLE,
  isDNS1123Subdomain,
  validateLabelSelector,
} from "../../machinery/validation/mod.ts";
import { podRules } from "../core/pod_spec/later.ts";
import type { CSIStorageCapacity } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta, checkMetaUpdate } from "../meta.ts";

type CapacityObject = KubeObject & CSIStorageCapacity;

function check(object: CapacityObject, root: Field, allowInvalidValues: boolean): void {
  const { nodeTopology, storageClassName = "", capacity } = object;
  checkMeta(object, root, { namespaced: true });
  validateLabelSelector(nodeTopology, root.child("nodeTopology"), { allowInvalidValues });
  root.child("storageClassName").invalidEach(storageClassName, isDNS1123Subdomain(storageClassName));
  if (capacity?.startsWith("-")) root.child("capacity").invalid(capacity, "must be greater than or equal to 0");
}

function checkUpdate(object: CapacityObject, old: CapacityObject, root: Field): void {
  const invalidBefore = collect((at) => validateLabelSelector(old.nodeTopology, at)).length > 0;
  check(object, root, invalidBefore);
  checkMetaUpdate(object, old, root);
  for (const member of ["nodeTopology", "storageClassName"] as const) {
    if (!deepEqual(object[member], old[member])) root.child(member).invalid(object[member] ?? null, IMMUTABLE);
  }
}

function warnings({ nodeTopology }: CapacityObject): string[] {
  const tell = (key: string, at: string) => {
    const message = podRules.module.deprecatedNodeLabel(key);
    return message === undefined ? [] : [`nodeTopology.${at}: ${key} is ${message}`];
  };
  return [
    ...(nodeTopology?.matchExpressions ?? []).flatMap(({ key = "" }, i) => tell(key, `matchExpressions[${i}].key`)),
    ...Object.keys(nodeTopology?.matchLabels ?? {}).flatMap((key) => tell(key, `matchLabels.${key}`)),
  ];
}

export const csiStorageCapacity: KindDefinition<CapacityObject> = {
  gvk: { group: "storage.k8s.io", version: "v1", kind: "CSIStorageCapacity" },
  resource: "csistoragecapacities",
  load: () => podRules.load(),
  allowUnconditionalUpdate: false,
  checksMetadata: true,
  validate: (object) => collect((root) => check(object, root, false)),
  validateUpdate: (object, old) => collect((root) => checkUpdate(object, old, root)),
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
};
