// Changes objects as expressions say (KEP-3962). Without policies it looks at an empty list; the expression language is
// loaded with the first.
import type { AdmissionAttributes } from "../../interface.ts";
import { isExempt } from "../../matching/match.ts";
import { on } from "../../plugins/attributes.ts";
import type { PluginFactory } from "../../plugins/context.ts";
import { PolicyHooks } from "../hooks.ts";
import type { MutatingBinding, MutatingHook, MutatingPolicy } from "./dispatch.ts";

export const mutatingAdmissionPolicy: PluginFactory = (context) => {
  const hooks = new PolicyHooks<MutatingPolicy, MutatingBinding>(
    context,
    "mutatingadmissionpolicies",
    "mutatingadmissionpolicybindings",
  );
  async function admit(inForce: readonly MutatingHook[], attributes: AdmissionAttributes): Promise<void> {
    const dispatch = await import("./dispatch.ts");
    await dispatch.admit(inForce, attributes, context);
  }
  return {
    name: "MutatingAdmissionPolicy",
    handles: on("CREATE", "UPDATE", "DELETE", "CONNECT"),
    looksAt: (attributes) => !isExempt(attributes),
    admit(attributes) {
      const inForce = hooks.inForce();
      if (inForce instanceof Promise) return inForce.then((now) => now.length > 0 ? admit(now, attributes) : undefined);
      if (inForce.length > 0) return admit(inForce, attributes);
    },
  };
};
