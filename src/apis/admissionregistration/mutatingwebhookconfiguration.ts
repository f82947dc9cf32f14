// Webhooks that may change objects before they are stored.
import { configurationKind } from "./webhooks.ts";

export const mutatingWebhookConfiguration = configurationKind(
  "MutatingWebhookConfiguration",
  "mutatingwebhookconfigurations",
  { mutating: true },
);
