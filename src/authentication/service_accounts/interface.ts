// What the parts of service account authentication ask of one another and of the rest of the process.
import type { KubeObject } from "../../machinery/types.ts";
import type { AuthenticationResponse } from "../interface.ts";
import type { Claims } from "../jwt_claims.ts";
import type { ObjectReference } from "./claims.ts";

/** Writes the day on which a legacy token was used into its secret's labels. */
export type SecretLabeler = (secret: KubeObject, labels: Record<string, string>) => Promise<void>;

/** Uses of a token that are counted, most because it should be replaced. */
export type TokenUse =
  | "legacyTokens"
  | "legacyAutoTokens"
  | "invalidLegacyAutoTokens"
  | "legacyManualTokens"
  | "validTokens"
  | "staleTokens";

/** The account behind a token, with what goes into the answer. */
export interface ValidatedAccount extends Pick<AuthenticationResponse, "warnings" | "auditAnnotations"> {
  namespace: string;
  name: string;
  uid: string;
  /** Of the token itself, `jti`. */
  tokenId?: string;
  pod?: ObjectReference;
  node?: ObjectReference;
  use?: TokenUse;
}

/** Judges a token whose signature and issuer are right. Throws an Error with what is wrong. */
export type TokenValidator = (token: string, claims: Claims) => Promise<ValidatedAccount>;
