// Expressions that decide whether a webhook is called (KEP-3716).
import { PolicyCompiler } from "../../machinery/cel/policies/compiler.ts";
import type { Compilation } from "../../machinery/cel/policies/compiler.ts";
import { forbiddenError } from "../../machinery/errors.ts";
import type { AdmissionAttributes } from "../interface.ts";
import type { PluginContext } from "../plugins/context.ts";
import { answered, RequestAccess } from "../policy/access.ts";
import { conditionsHold } from "../policy/conditions.ts";
import { inputOf } from "../policy/input.ts";
import type { Invocation } from "./call.ts";
import type { Webhook } from "./hooks.ts";

const compiled = new WeakMap<Webhook, readonly Compilation[]>();

function conditionsOf(webhook: Webhook): readonly Compilation[] {
  let conditions = compiled.get(webhook);
  if (conditions === undefined) {
    const compiler = new PolicyCompiler({ params: false, variables: false });
    conditions = (webhook.matchConditions ?? []).map(({ expression }) => compiler.compile(expression, "condition"));
    compiled.set(webhook, conditions);
  }
  return conditions;
}

/** Throws Forbidden when that cannot be said and the webhook must not be passed over. */
export async function matchesConditions(
  { hook: { webhook }, match, objects }: Invocation,
  attributes: AdmissionAttributes,
  { authorizer }: Pick<PluginContext, "authorizer">,
): Promise<boolean> {
  const access = new RequestAccess(authorizer, attributes.user);
  const input = inputOf(attributes, { match, objects, params: undefined, namespace: undefined, access });
  const holds = await answered(() => conditionsHold(conditionsOf(webhook), input, new Map()));
  if (typeof holds === "boolean") return holds;
  if (webhook.failurePolicy === "Ignore") return false;
  throw forbiddenError(attributes.resource, attributes.name, holds);
}
