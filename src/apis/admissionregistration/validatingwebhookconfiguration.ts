// Webhooks that may refuse objects before they are stored.
import { configurationKind } from "./webhooks.ts";

export const validatingWebhookConfiguration = configurationKind(
  "ValidatingWebhookConfiguration",
  "validatingwebhookconfigurations",
  { mutating: false },
);
