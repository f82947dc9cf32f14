// The webhooks of all configurations, in the order in which they are called.
import type { KubeObject } from "../../machinery/types.ts";
import type { LabelSelectorObject } from "../../machinery/selectors/mod.ts";
import type { AdmissionRule } from "../matching/rules.ts";
import type { ObjectLookup } from "../plugins/lookup.ts";
import type { WebhookClientConfig } from "./endpoint.ts";

export interface MatchCondition {
  name: string;
  expression: string;
}

/** admissionregistration.k8s.io/v1 MutatingWebhook and ValidatingWebhook, with its defaults. */
export interface Webhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: AdmissionRule[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: LabelSelectorObject;
  objectSelector?: LabelSelectorObject;
  sideEffects?: string;
  timeoutSeconds?: number;
  admissionReviewVersions?: string[];
  matchConditions?: MatchCondition[];
  /** Of mutating webhooks. */
  reinvocationPolicy?: string;
}

export interface Hook {
  webhook: Webhook;
  configuration: string;
  /** The same hook in several requests, and no other. */
  id: string;
}

const known = new WeakMap<KubeObject, readonly Hook[]>();

/** A configuration does not change: a new one takes its place. */
function hooksIn(configuration: KubeObject): readonly Hook[] {
  let hooks = known.get(configuration);
  if (hooks === undefined) {
    const { name = "", uid } = configuration.metadata;
    hooks = ((configuration.webhooks ?? []) as Webhook[]).map((webhook, i) => ({
      webhook,
      configuration: name,
      id: `${uid}/${webhook.name}/${i}`,
    }));
    known.set(configuration, hooks);
  }
  return hooks;
}

/** By the names of their configurations, then as they stand there. */
export function hooksOf(lookup: ObjectLookup, resource: string): Hook[] | Promise<Hook[]> {
  const configurations = lookup.list("admissionregistration.k8s.io", resource);
  return configurations instanceof Promise
    ? configurations.then((found) => found.flatMap(hooksIn))
    : configurations.flatMap(hooksIn);
}
