// Webhooks that may change objects before they are stored.
import type { KubeObject } from "../../machinery/types.ts";
import type { MutatingWebhookConfiguration } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { defaultWebhook, WEBHOOK_COLUMNS } from "./webhooks.ts";

export const mutatingWebhookConfiguration: KindDefinition<KubeObject & MutatingWebhookConfiguration> = {
  gvk: { group: "admissionregistration.k8s.io", version: "v1", kind: "MutatingWebhookConfiguration" },
  resource: "mutatingwebhookconfigurations",
  generation: true,
  allowUnconditionalUpdate: false,
  setDefaults: (object) => object.webhooks?.forEach((w) => defaultWebhook(w, true)),
  columns: WEBHOOK_COLUMNS,
};
