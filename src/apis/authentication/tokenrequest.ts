// Token requests: what comes out of the token subresource of a service account.
import type { KubeObject } from "../../machinery/types.ts";
import { collect } from "../../machinery/validation/mod.ts";
import type { FieldError } from "../../machinery/field_error.ts";
import type { TokenRequest } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";

export type TokenRequestObject = KubeObject & TokenRequest;

const DEFAULT_SECONDS = 3600, MIN_SECONDS = 600, MAX_SECONDS = 2 ** 32;

export function validateTokenRequest({ spec }: TokenRequestObject): FieldError[] {
  const seconds = spec?.expirationSeconds ?? 0;
  return collect((root) => {
    const at = root.child("spec", "expirationSeconds");
    if (seconds < MIN_SECONDS) at.invalid(seconds, "may not specify a duration less than 10 minutes");
    if (seconds > MAX_SECONDS) at.invalid(seconds, "may not specify a duration larger than 2^32 seconds");
  });
}

export const tokenRequest: KindDefinition<TokenRequestObject> = {
  gvk: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" },
  resource: "",
  setDefaults(object) {
    object.spec ??= { audiences: [] };
    object.spec.expirationSeconds ??= DEFAULT_SECONDS;
  },
};
