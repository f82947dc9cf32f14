// What a JWT authenticator is set to: whose tokens it takes, and what of their claims becomes the user.

/** A claim, or an expression over all of them. */
export interface ClaimMapping {
  claim: string;
  /** In front of the claim's value. */
  prefix: string;
  /** CEL, in place of the claim. */
  expression: string;
}

export interface ExtraMapping {
  key: string;
  expression: string;
}

/** CEL that has to be true. */
export interface Rule {
  expression: string;
  message: string;
}

export interface JwtAuthenticatorConfig {
  issuer: {
    url: string;
    /** Where its discovery document is when not at the issuer itself. */
    discoveryUrl: string;
    /** PEM; "" for the system's authorities. */
    certificateAuthority: string;
    /** One of which a token has to be for. */
    audiences: readonly string[];
  };
  algorithms: readonly string[];
  /** Claims that have to be there with just this text. */
  requiredClaims: Readonly<Record<string, string>>;
  claimRules: readonly Rule[];
  username: ClaimMapping;
  groups?: ClaimMapping;
  uid?: ClaimMapping;
  extra: readonly ExtraMapping[];
  userRules: readonly Rule[];
}

/** All that tokens of issuers may be signed with. */
export const ALGORITHMS: readonly string[] = [
  "ES256",
  "ES384",
  "ES512",
  "PS256",
  "PS384",
  "PS512",
  "RS256",
  "RS384",
  "RS512",
];

export type JwtClaims = Record<string, unknown>;

/** Whether there is anything to do for the expression language. */
export function hasExpressions(
  { username, groups, uid, extra, claimRules, userRules }: JwtAuthenticatorConfig,
): boolean {
  const mapped = [username, groups, uid].some((mapping) => mapping !== undefined && mapping.expression !== "");
  return mapped || extra.length > 0 || claimRules.length > 0 || userRules.length > 0;
}

/** Who counts what an issuer's tokens and keys cost. */
export interface JwtObserver {
  authenticated(ok: boolean, seconds: number): void;
  /** The keys were fetched, as text; undefined: they could not be had. */
  fetched(keys: string | undefined): void;
}
