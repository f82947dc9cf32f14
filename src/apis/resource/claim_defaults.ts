// What claims for devices say unless they are told otherwise, and their templates with them (KEP-4381).
import type { DeviceToleration, ResourceClaimSpec } from "../../facts/generated/types.ts";

export function setClaimDefaults(spec: ResourceClaimSpec | undefined): void {
  for (const { exactly, firstAvailable } of spec?.devices?.requests ?? []) {
    for (const request of [...exactly ? [exactly] : [], ...firstAvailable ?? []]) {
      request.allocationMode ||= "ExactCount";
      if (request.allocationMode === "ExactCount") request.count ||= 1;
      setTolerationDefaults(request.tolerations);
    }
  }
}

export function setTolerationDefaults(tolerations: readonly DeviceToleration[] | undefined): void {
  for (const toleration of tolerations ?? []) toleration.operator ||= "Equal";
}
