// What quotas count of volume claims: their number and size, in all and by class.
import type { ResourceList } from "../../../apis/core/resource_names.ts";
import { compareQuantities } from "../../../machinery/quantity.ts";
import type { KubeObject } from "../../../machinery/types.ts";
import { CLASS_ANNOTATION } from "../default_storage_class.ts";
import { countName, type Evaluator, matchesValues } from "./evaluator.ts";
import { roundUp } from "./resource_lists.ts";

const COUNT = countName({ group: "", resource: "persistentvolumeclaims" });
const NUMBER = "persistentvolumeclaims", SIZE = "requests.storage";
const OF_CLASS = ".storageclass.storage.k8s.io/";

/** Undefined when the claim names none. What is being given to it counts when that is more. */
function sizeOf({ spec, status }: KubeObject): string | undefined {
  const wanted = spec?.resources?.requests?.storage, given = status?.allocatedResources?.storage;
  if (wanted === undefined) return undefined;
  return roundUp(given !== undefined && compareQuantities(given, wanted) > 0 ? given : wanted);
}

/** The classes of attributes that a claim has, gets or asks for. */
function attributesClasses({ spec, status }: KubeObject): string[] {
  return [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name) => name !== undefined && name !== "");
}

export const volumeClaims: Evaluator = {
  handles: ({ operation, subresource }) =>
    subresource === "" ? operation === "CREATE" || operation === "UPDATE" : subresource === "status",
  matching: (names) =>
    names.filter((name) =>
      name === COUNT || name === NUMBER || name === SIZE || name.endsWith(OF_CLASS + NUMBER) ||
      name.endsWith(OF_CLASS + SIZE)
    ),
  isInScope: (scope, claim) =>
    scope.scopeName === "VolumeAttributesClass" && matchesValues(scope, attributesClasses(claim)),
  usage(claim) {
    const usage: ResourceList = { [NUMBER]: "1", [COUNT]: "1" };
    const name = claim.metadata.annotations?.[CLASS_ANNOTATION] ?? claim.spec?.storageClassName ?? "";
    const size = sizeOf(claim);
    if (name !== "") usage[name + OF_CLASS + NUMBER] = "1";
    if (size !== undefined) {
      usage[SIZE] = size;
      if (name !== "") usage[name + OF_CLASS + SIZE] = size;
    }
    return usage;
  },
};
