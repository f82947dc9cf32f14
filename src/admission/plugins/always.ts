// AlwaysAdmit and AlwaysDeny: everything passes, nothing does.
import type { AdmissionPlugin } from "../interface.ts";
import { on, refusal } from "./attributes.ts";

export function alwaysAdmit(): AdmissionPlugin {
  return { name: "AlwaysAdmit", handles: () => false };
}

export function alwaysDeny(): AdmissionPlugin {
  return {
    name: "AlwaysDeny",
    handles: on("CREATE", "UPDATE", "DELETE", "CONNECT"),
    admit: (attributes) => {
      throw refusal(attributes, "admission control is denying all modifications");
    },
  };
}
