// Refuses what expressions say is wrong (KEP-3488). Without policies it looks at an empty list; the expression language
// is loaded with the first.
import type { AdmissionAttributes } from "../../interface.ts";
import { isExempt } from "../../matching/match.ts";
import { on } from "../../plugins/attributes.ts";
import type { PluginFactory } from "../../plugins/context.ts";
import { PolicyHooks } from "../hooks.ts";
import type { ValidatingBinding, ValidatingHook, ValidatingPolicy } from "./dispatch.ts";

export const validatingAdmissionPolicy: PluginFactory = (context) => {
  const hooks = new PolicyHooks<ValidatingPolicy, ValidatingBinding>(
    context,
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
  );
  async function validate(inForce: readonly ValidatingHook[], attributes: AdmissionAttributes): Promise<void> {
    const dispatch = await import("./dispatch.ts");
    await dispatch.validate(inForce, attributes, context);
  }
  return {
    name: "ValidatingAdmissionPolicy",
    handles: on("CREATE", "UPDATE", "DELETE", "CONNECT"),
    looksAt: (attributes) => !isExempt(attributes),
    validate(attributes) {
      const inForce = hooks.inForce();
      if (inForce instanceof Promise) {
        return inForce.then((now) => now.length > 0 ? validate(now, attributes) : undefined);
      }
      if (inForce.length > 0) return validate(inForce, attributes);
    },
  };
};
