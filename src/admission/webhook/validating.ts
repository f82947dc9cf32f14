// ValidatingAdmissionWebhook: webhooks have their say, all at once.
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { isExempt } from "../matching/match.ts";
import { on } from "../plugins/attributes.ts";
import type { PluginContext } from "../plugins/context.ts";
import type { CallContext, Invocation } from "./call.ts";
import { webhookCredentials } from "./credentials.ts";
import { type Hook, hooksOf } from "./hooks.ts";
import { callHook, invocationOf } from "./later.ts";

export async function validatingAdmissionWebhook(plugin: PluginContext): Promise<AdmissionPlugin> {
  const context: CallContext = {
    ...plugin,
    type: "validating",
    credentials: await webhookCredentials(plugin.configuration),
  };

  async function call(invocation: Invocation, attributes: AdmissionAttributes, index: number): Promise<void> {
    const key = `failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`;
    await callHook(
      invocation,
      attributes,
      context,
      () => attributes.addAuditAnnotation(key, invocation.hook.webhook.name),
    );
  }

  async function callAll(attributes: AdmissionAttributes, hooks: readonly Hook[]): Promise<void> {
    const invocations: Invocation[] = [];
    for (const hook of hooks) {
      const invocation = await invocationOf(hook, attributes, context);
      if (invocation !== undefined) invocations.push(invocation);
    }
    if (invocations.length === 0) return;
    const results = await Promise.allSettled(invocations.map((one, index) => call(one, attributes, index)));
    const refused = results.find((result) => result.status === "rejected");
    if (refused !== undefined) throw refused.reason;
  }

  return {
    name: "ValidatingAdmissionWebhook",
    handles: on("CREATE", "UPDATE", "DELETE", "CONNECT"),
    looksAt: (attributes) => !isExempt(attributes),
    validate(attributes) {
      const hooks = hooksOf(context.lookup, "validatingwebhookconfigurations");
      if (hooks instanceof Promise) return hooks.then((found) => callAll(attributes, found));
      // Nearly every cluster goes without.
      if (hooks.length > 0) return callAll(attributes, hooks);
    },
  };
}
