// The frame of both policy plugins. Without policies they look at an empty list; the expression language is loaded with
// the first.
import type { Policy } from "../../apis/admissionregistration/policies.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { isExempt } from "../matching/match.ts";
import { on } from "../plugins/attributes.ts";
import type { PluginContext } from "../plugins/context.ts";
import { type Binding, type PolicyHook, PolicyHooks } from "./hooks.ts";

/** The requests that policies are asked about. */
export const POLICY_REQUESTS: Pick<AdmissionPlugin, "handles" | "looksAt"> = {
  handles: on("CREATE", "UPDATE", "DELETE", "CONNECT"),
  looksAt: (attributes) => !isExempt(attributes),
};

/** Calls `dispatch` with the policies that are in force when there are some. */
export function whereInForce<P extends Policy, B extends Binding>(
  context: PluginContext,
  resources: { policies: string; bindings: string },
  dispatch: (inForce: readonly PolicyHook<P, B>[], attributes: AdmissionAttributes) => Promise<void>,
): (attributes: AdmissionAttributes) => void | Promise<void> {
  const hooks = new PolicyHooks<P, B>(context, resources.policies, resources.bindings);
  return (attributes) => {
    const inForce = hooks.inForce();
    if (inForce instanceof Promise) {
      return inForce.then((now) => now.length > 0 ? dispatch(now, attributes) : undefined);
    }
    if (inForce.length > 0) return dispatch(inForce, attributes);
  };
}
