// The user that the claims of a token describe.
import { goQuote, jsonKind } from "../../machinery/go_text.ts";
import { CREDENTIAL_ID, type UserInfo } from "../interface.ts";
import type { ExpressionMapper } from "./expression_mapper.ts";
import type { ClaimMapping, JwtAuthenticatorConfig, JwtClaims } from "./interface.ts";

/** Throws an Error with what of the claims does not fit. @param mapper where the configuration has expressions */
export function userOf(
  config: JwtAuthenticatorConfig,
  mapper: ExpressionMapper | undefined,
  claims: JwtClaims,
): UserInfo {
  const mapped = mapper?.over(claims);
  const user: UserInfo = {
    name: mapped?.username ?? usernameOf(config.username, claims),
    groups: mapped?.groups ?? groupsOf(config.groups, claims),
    uid: mapped?.uid ?? uidOf(config.uid, claims),
    extra: { ...credentialOf(claims), ...mapped?.extra },
  };
  checkRequired(config.requiredClaims, claims);
  mapper?.check(claims, user);
  return user;
}

function textOf(claims: JwtClaims, name: string): string {
  const value = claims[name];
  if (value === undefined) throw new Error("claim not present");
  if (value === null) return "";
  if (typeof value !== "string") {
    throw new Error(`json: cannot unmarshal ${jsonKind(value)} into Go value of type string`);
  }
  return value;
}

function usernameOf({ claim, prefix }: ClaimMapping, claims: JwtClaims): string {
  let name: string;
  try {
    name = textOf(claims, claim);
  } catch (e) {
    throw new Error(`oidc: parse username claims ${goQuote(claim)}: ${(e as Error).message}`);
  }
  // An address that the issuer says it has not verified may be anybody's.
  const verified = claims.email_verified;
  if (claim === "email" && verified !== undefined) {
    if (typeof verified !== "boolean") {
      throw new Error(
        `oidc: parse 'email_verified' claim: json: cannot unmarshal ${jsonKind(verified)} into Go value of type bool`,
      );
    }
    if (!verified) throw new Error("oidc: email not verified");
  }
  return prefix + name;
}

/** One group may stand without a list. */
function groupsOf(mapping: ClaimMapping | undefined, claims: JwtClaims): string[] {
  const value = mapping && claims[mapping.claim];
  if (mapping === undefined || value === undefined || value === null) return [];
  const groups = typeof value === "string" ? [value] : value;
  if (!Array.isArray(groups) || !groups.every((group) => typeof group === "string")) {
    throw new Error(
      `oidc: parse groups claim ${goQuote(mapping.claim)}: json: cannot unmarshal ${jsonKind(value)} into ` +
        "Go value of type string",
    );
  }
  return groups.map((group) => mapping.prefix + group);
}

function uidOf(mapping: ClaimMapping | undefined, claims: JwtClaims): string {
  if (mapping === undefined) return "";
  try {
    return textOf(claims, mapping.claim);
  } catch (e) {
    throw new Error(`oidc: parse uid claim ${goQuote(mapping.claim)}: ${(e as Error).message}`);
  }
}

function credentialOf({ jti }: JwtClaims): Record<string, string[]> {
  return typeof jti === "string" && jti !== "" ? { [CREDENTIAL_ID]: [`JTI=${jti}`] } : {};
}

function checkRequired(required: Readonly<Record<string, string>>, claims: JwtClaims): void {
  for (const [claim, wanted] of Object.entries(required)) {
    if (claims[claim] === undefined) throw new Error(`oidc: required claim ${claim} not present in ID token`);
    let value: string;
    try {
      value = textOf(claims, claim);
    } catch (e) {
      throw new Error(`oidc: parse claim ${claim}: ${(e as Error).message}`);
    }
    if (value !== wanted) {
      throw new Error(`oidc: required claim ${claim} value does not match. Got = ${value}, want = ${wanted}`);
    }
  }
}
