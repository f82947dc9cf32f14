// MutatingAdmissionWebhook: webhooks change objects, one after the other.
import { asError } from "../../machinery/aggregate_error.ts";
import { clone } from "../../machinery/clone.ts";
import { internalError, StatusError } from "../../machinery/errors.ts";
import { goQuote } from "../../machinery/go_text.ts";
import { applyJsonPatch } from "../../machinery/patch/mod.ts";
import type { JsonObject, KubeObject } from "../../machinery/types.ts";
import { parseExactly } from "../../machinery/big_integers.ts";
import { deepEqual } from "../../machinery/validation/mod.ts";
import type { AdmissionAttributes, AdmissionPlugin, Reinvocation } from "../interface.ts";
import { isExempt } from "../matching/match.ts";
import { replaceObject } from "../matching/versioned.ts";
import { on } from "../plugins/attributes.ts";
import type { PluginContext } from "../plugins/context.ts";
import type { CallContext, Invocation } from "./call.ts";
import { webhookCredentials } from "./credentials.ts";
import { CallError } from "./errors.ts";
import { type Hook, hooksOf } from "./hooks.ts";
import { callHook, invocationOf } from "./later.ts";
import type { ReviewResponse } from "./review.ts";

const NAME = "MutatingAdmissionWebhook";

/** Which webhooks run again in the second round: those that want to and after which the object was changed. */
class Memory {
  readonly #invoked = new Set<string>();
  readonly #again = new Set<string>();
  #output: KubeObject | undefined;

  static of({ memory }: Reinvocation): Memory {
    let own = memory.get(NAME) as Memory | undefined;
    if (own === undefined) memory.set(NAME, own = new Memory());
    return own;
  }

  /** Once somebody changed the object: everybody called so far wants to know. */
  changed(): void {
    for (const id of this.#invoked) this.#again.add(id);
    this.#invoked.clear();
  }

  invoked(id: string): void {
    this.#invoked.add(id);
  }

  runsAgain(id: string): boolean {
    return this.#again.has(id);
  }

  set output(object: KubeObject | undefined) {
    this.#output = clone(object);
  }

  isOutput(object: KubeObject | undefined): boolean {
    return deepEqual(this.#output, object);
  }
}

export async function mutatingAdmissionWebhook(plugin: PluginContext): Promise<AdmissionPlugin> {
  const context: CallContext = {
    ...plugin,
    type: "admit",
    credentials: await webhookCredentials(plugin.configuration),
  };

  async function callAll(attributes: AdmissionAttributes, hooks: readonly Hook[]): Promise<void> {
    const { reinvocation } = attributes, memory = Memory.of(reinvocation);
    // Plugins of the server itself have changed it since.
    if (reinvocation.isReinvoke && !memory.isOutput(attributes.object)) memory.changed();
    try {
      for (const [index, hook] of hooks.entries()) {
        const invocation = await invocationOf(hook, attributes, context);
        if (invocation === undefined) continue;
        if (reinvocation.isReinvoke && !memory.runsAgain(hook.id)) continue;
        if (await callOne(invocation, attributes, index)) {
          memory.changed();
          reinvocation.shouldReinvoke = true;
        }
        if (hook.webhook.reinvocationPolicy === "IfNeeded") memory.invoked(hook.id);
      }
    } finally {
      memory.output = attributes.object;
    }
  }

  /** Whether the object was changed. */
  async function callOne(invocation: Invocation, attributes: AdmissionAttributes, index: number): Promise<boolean> {
    const { hook: { webhook, configuration } } = invocation;
    const round = `round_${attributes.reinvocation.isReinvoke ? 1 : 0}_index_${index}`;
    let mutated = false;
    try {
      const response = await callHook(
        invocation,
        attributes,
        context,
        () => attributes.addAuditAnnotation(`failed-open.mutation.webhook.admission.k8s.io/${round}`, webhook.name),
      );
      if (response !== undefined) mutated = await applyPatch(response, invocation, attributes);
    } finally {
      const note = JSON.stringify({ configuration, webhook: webhook.name, mutated });
      attributes.addAuditAnnotation(`mutation.webhook.admission.k8s.io/${round}`, note);
    }
    return mutated;
  }

  return {
    name: NAME,
    handles: on("CREATE", "UPDATE", "DELETE", "CONNECT"),
    looksAt: (attributes) => !isExempt(attributes),
    admit(attributes) {
      const hooks = hooksOf(context.lookup, "mutatingwebhookconfigurations");
      if (hooks instanceof Promise) return hooks.then((found) => callAll(attributes, found));
      // Nearly every cluster goes without.
      if (hooks.length > 0) return callAll(attributes, hooks);
    },
  };
}

function operationsOf({ patch }: ReviewResponse, webhook: string): JsonObject[] {
  try {
    const operations = parseExactly<JsonObject[]>(patch);
    if (Array.isArray(operations)) return operations;
    throw new Error("json: cannot unmarshal object into Go value of type jsonpatch.Patch");
  } catch (e) {
    const why = `received undecodable patch in webhook response: ${asError(e).message}`;
    throw new CallError(webhook, why, 503).toStatus();
  }
}

/** Whether it changed anything. Throws a StatusError. */
async function applyPatch(
  response: ReviewResponse,
  { hook: { webhook }, objects }: Invocation,
  attributes: AdmissionAttributes,
): Promise<boolean> {
  if (response.patch === "") return false;
  const operations = operationsOf(response, webhook.name);
  if (operations.length === 0) return false;
  const { kind, object } = objects;
  if (object === undefined) {
    const who = `admission webhook ${goQuote(webhook.name)}`;
    throw internalError(`${who} attempted to modify the object, which is not supported for this operation`);
  }
  if (response.patchType !== "JSONPatch") {
    throw new CallError(webhook.name, `unsupported patch type ${goQuote(response.patchType)}`, 400).toStatus();
  }
  try {
    const patched = kind.decode(applyJsonPatch(clone(object), operations));
    const changed = !deepEqual(patched, object);
    kind.setDefaults(patched);
    replaceObject(attributes.object!, await kind.toStored(patched));
    return changed;
  } catch (e) {
    throw e instanceof StatusError ? e : internalError(asError(e).message);
  }
}
