// ValidatingAdmissionPolicy: refuses what expressions say is wrong (KEP-3488).
import type { PluginFactory } from "../../plugins/context.ts";
import { POLICY_REQUESTS, whereInForce } from "../plugin.ts";
import type { ValidatingBinding, ValidatingPolicy } from "./dispatch.ts";

const RESOURCES = { policies: "validatingadmissionpolicies", bindings: "validatingadmissionpolicybindings" };

export const validatingAdmissionPolicy: PluginFactory = (context) => ({
  name: "ValidatingAdmissionPolicy",
  ...POLICY_REQUESTS,
  validate: whereInForce<ValidatingPolicy, ValidatingBinding>(context, RESOURCES, async (inForce, attributes) => {
    const { validate } = await import("./dispatch.ts");
    await validate(inForce, attributes, context);
  }),
});
