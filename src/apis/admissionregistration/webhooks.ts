// What the configurations of mutating and validating webhooks have in common.
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, integer, NAME } from "../columns.ts";

type Webhooks = { webhooks?: { name?: string }[] };

interface WebhookDefaults {
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: unknown;
  objectSelector?: unknown;
  timeoutSeconds?: number;
  reinvocationPolicy?: string;
  clientConfig?: { service?: { port?: number } };
  rules?: { scope?: string }[];
}

export function defaultWebhook(webhook: WebhookDefaults, mutating: boolean): void {
  webhook.failurePolicy ??= "Fail";
  webhook.matchPolicy ??= "Equivalent";
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  if (mutating) webhook.reinvocationPolicy ??= "Never";
  if (webhook.clientConfig?.service) webhook.clientConfig.service.port ??= 443;
  for (const rule of webhook.rules ?? []) rule.scope ??= "*";
}

export const WEBHOOK_COLUMNS = [
  NAME,
  integer<KubeObject & Webhooks>("Webhooks", "Number of webhooks.", (o) => o.webhooks?.length ?? 0),
  AGE,
];
