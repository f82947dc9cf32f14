// Webhooks that may refuse objects before they are stored.
import type { KubeObject } from "../../machinery/types.ts";
import type { ValidatingWebhookConfiguration } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { defaultWebhook, WEBHOOK_COLUMNS } from "./webhooks.ts";

export const validatingWebhookConfiguration: KindDefinition<KubeObject & ValidatingWebhookConfiguration> = {
  gvk: { group: "admissionregistration.k8s.io", version: "v1", kind: "ValidatingWebhookConfiguration" },
  resource: "validatingwebhookconfigurations",
  generation: true,
  allowUnconditionalUpdate: false,
  setDefaults: (object) => object.webhooks?.forEach((w) => defaultWebhook(w, false)),
  columns: WEBHOOK_COLUMNS,
};
