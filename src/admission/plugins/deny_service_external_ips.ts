// DenyServiceExternalIPs: services get no new external addresses (CVE-2020-8554).
import type { AdmissionPlugin } from "../interface.ts";
import { isResource, on, refusal } from "./attributes.ts";

export function denyServiceExternalIPs(): AdmissionPlugin {
  return {
    name: "DenyServiceExternalIPs",
    handles: on("CREATE", "UPDATE"),
    validate(attributes) {
      if (!isResource(attributes, { group: "", resource: "services" })) return;
      const before: string[] = attributes.oldObject?.spec?.externalIPs ?? [];
      const wanted: string[] = attributes.object!.spec?.externalIPs ?? [];
      if (wanted.every((ip) => before.includes(ip))) return;
      throw refusal(attributes, "Use of external IPs is denied by admission control");
    },
  };
}
