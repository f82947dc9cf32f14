// MutatingAdmissionPolicy: changes objects as expressions say (KEP-3962).
import type { PluginFactory } from "../../plugins/context.ts";
import { POLICY_REQUESTS, whereInForce } from "../plugin.ts";
import type { MutatingBinding, MutatingPolicy } from "./dispatch.ts";

const RESOURCES = { policies: "mutatingadmissionpolicies", bindings: "mutatingadmissionpolicybindings" };

export const mutatingAdmissionPolicy: PluginFactory = (context) => ({
  name: "MutatingAdmissionPolicy",
  ...POLICY_REQUESTS,
  admit: whereInForce<MutatingPolicy, MutatingBinding>(context, RESOURCES, async (inForce, attributes) => {
    const { admit } = await import("./dispatch.ts");
    await admit(inForce, attributes, context);
  }),
});
