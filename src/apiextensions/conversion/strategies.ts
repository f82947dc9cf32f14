// The strategies of conversion that a CustomResourceDefinition may choose.
import type { CustomResourceDefinition } from "../../apis/apiextensions/types.ts";
import type { ResolveService } from "../../registry/services/resolve.ts";
import { type Converter, NONE } from "./mod.ts";
import { webhookConverter } from "./webhook.ts";

export function converterOf({ spec }: CustomResourceDefinition, resolveService: ResolveService): Converter {
  const conversion = spec?.conversion;
  return conversion?.strategy === "Webhook" ? webhookConverter(conversion, resolveService) : NONE;
}
