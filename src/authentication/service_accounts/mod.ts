// The authenticators of service account tokens, as kube-apiserver orders them: those in secrets, then those of TokenRequest.
import type { ObjectGetter, TokenAuthenticator } from "../interface.ts";
import { serviceAccountTokens } from "./authenticator.ts";
import { boundTokenValidator } from "./bound.ts";
import type { SecretLabeler, TokenUse } from "./interface.ts";
import type { VerificationKeys } from "./keys.ts";
import { LEGACY_ISSUER, legacyTokenValidator } from "./legacy.ts";

export interface ServiceAccountAuthenticationOptions {
  issuers: readonly string[];
  keys: VerificationKeys;
  /** The server's own. */
  audiences: readonly string[];
  lookup: boolean;
  getter: ObjectGetter;
  label: SecretLabeler;
  /** Called for each use of a token that should become rarer. */
  count?(use: TokenUse): void;
}

export function serviceAccountAuthenticators(options: ServiceAccountAuthenticationOptions): TokenAuthenticator[] {
  const { issuers, keys, audiences, getter, count } = options;
  const legacy = legacyTokenValidator(options), bound = boundTokenValidator(getter);
  return [
    serviceAccountTokens({ issuers: [LEGACY_ISSUER], keys, audiences, validate: legacy, count }),
    serviceAccountTokens({ issuers, keys, audiences, validate: bound, count }),
  ];
}
