// SecurityContextDeny: nobody chooses users, groups or SELinux labels. Kubernetes dropped it in v1.30 for PodSecurity.
import { containersOf } from "../../apis/core/pod_spec/visit.ts";
import { forbiddenError } from "../../machinery/errors.ts";
import type { AdmissionPlugin } from "../interface.ts";
import { isPod, on } from "./attributes.ts";

const OF_POD = [
  ["supplementalGroups", "SupplementalGroups"],
  ["seLinuxOptions", "SELinuxOptions"],
  ["runAsUser", "RunAsUser"],
  ["fsGroup", "FSGroup"],
] as const;
const OF_CONTAINER = [["seLinuxOptions", "SELinuxOptions"], ["runAsUser", "RunAsUser"]] as const;

export function securityContextDeny(): AdmissionPlugin {
  return {
    name: "SecurityContextDeny",
    handles: on("CREATE", "UPDATE"),
    validate(attributes) {
      if (!isPod(attributes)) return;
      const { metadata, spec } = attributes.object!;
      const refuse = (what: string) => forbiddenError(attributes.resource, metadata.name ?? "", `${what} is forbidden`);
      const ofPod = OF_POD.find(([field]) => spec.securityContext?.[field] !== undefined);
      if (ofPod !== undefined) throw refuse(`pod.Spec.SecurityContext.${ofPod[1]}`);
      for (const { securityContext } of containersOf(spec)) {
        const wrong = OF_CONTAINER.find(([field]) => securityContext?.[field] !== undefined);
        if (wrong !== undefined) throw refuse(`SecurityContext.${wrong[1]}`);
      }
    },
  };
}
