// Tokens of service accounts: JSON Web Tokens of our own issuers, verified with the keys we were given.
import { AggregateFailure } from "../../machinery/aggregate_error.ts";
import { goQuote } from "../../machinery/go_text.ts";
import { intersect } from "../audiences.ts";
import { type AuthenticationResponse, CREDENTIAL_ID, type TokenAuthenticator } from "../interface.ts";
import { serviceAccountGroups, serviceAccountUserName } from "../service_account_names.ts";
import {
  audiencesOf,
  checkTypes,
  type Claims,
  dropNulls,
  refuseRepeats,
  type SignatureHeader,
  signatureHeader,
  unverifiedClaims,
} from "../jwt_claims.ts";
import type { TokenUse, TokenValidator, ValidatedAccount } from "./interface.ts";
import type { VerificationKeys } from "./keys.ts";

/** What the real server says of every signature that is not right. */
const BAD_SIGNATURE = "go-jose/go-jose: error in cryptographic primitive";
const LEGACY_ANNOTATION = "authentication.k8s.io/legacy-token";
const EXTRA_PREFIX = "authentication.kubernetes.io/";

export interface ServiceAccountTokenOptions {
  issuers: readonly string[];
  keys: VerificationKeys;
  /** The server's own, which tokens without any are for. */
  audiences: readonly string[];
  validate: TokenValidator;
  /** Called for each use that should become rarer. */
  count?(use: TokenUse): void;
}

export function serviceAccountTokens(options: ServiceAccountTokenOptions): TokenAuthenticator {
  const issuers = new Set<unknown>(options.issuers);
  return {
    authenticateToken(token, audiences) {
      // Whose issuer is another one is none of ours, and costs nothing.
      const claims = unverifiedClaims(token);
      if (claims === undefined || !issuers.has(claims.iss)) return undefined;
      const header = signatureHeader(token);
      return header && authenticate(token, header, audiences);
    },
  };

  async function authenticate(
    token: string,
    header: SignatureHeader,
    asked: readonly string[],
  ): Promise<AuthenticationResponse> {
    const claims = await verifiedClaims(token, header, options.keys);
    const own = audiencesOf(claims), granted = own.length === 0 ? options.audiences : own;
    const target = asked.length === 0 ? options.audiences : asked;
    const audiences = intersect(granted, target);
    if (audiences.length === 0 && options.audiences.length > 0) {
      throw new Error(`token audiences ${shown(granted)} is invalid for the target audiences ${shown(target)}`);
    }
    const { warnings, auditAnnotations, ...account } = await options.validate(token, claims);
    if (account.use !== undefined) options.count?.(account.use);
    if (own.length === 0) options.count?.("legacyTokens");
    const legacy = own.length === 0 ? { [LEGACY_ANNOTATION]: claims.sub ?? "" } : undefined;
    return {
      user: userOf(account),
      audiences,
      warnings,
      auditAnnotations: legacy || auditAnnotations ? { ...legacy, ...auditAnnotations } : undefined,
    };
  }
}

function shown(list: readonly string[]): string {
  return `[${list.map(goQuote).join(" ")}]`;
}

/** Throws an Error when no key has signed it. */
async function verifiedClaims(token: string, { alg, kid }: SignatureHeader, keys: VerificationKeys): Promise<Claims> {
  const candidates = keys.byId(kid);
  if (candidates.length === 0) throw new Error("invalid signature, no keys found");
  const errors: Error[] = [];
  for (const key of candidates) {
    try {
      // A public key is never the secret of a symmetric algorithm.
      if (!key.algorithms.includes(alg)) throw new Error(BAD_SIGNATURE);
      const { compactVerify } = await import("jose");
      await compactVerify(token, await key.for(alg), { algorithms: [alg] }).catch(() => {
        throw new Error(BAD_SIGNATURE);
      });
      refuseRepeats(token);
      const claims = unverifiedClaims(token)!;
      checkTypes(claims);
      dropNulls(claims);
      return claims;
    } catch (e) {
      errors.push(e as Error);
    }
  }
  throw new AggregateFailure(errors);
}

function userOf({ namespace, name, uid, tokenId, pod, node }: ValidatedAccount): AuthenticationResponse["user"] {
  const extra: Record<string, string[]> = {};
  if (tokenId) extra[CREDENTIAL_ID] = [`JTI=${tokenId}`];
  const add = (key: string, value: string | undefined) => value && (extra[EXTRA_PREFIX + key] = [value]);
  add("node-name", node?.name);
  add("node-uid", node?.uid);
  add("pod-name", pod?.name);
  add("pod-uid", pod?.uid);
  return { name: serviceAccountUserName(namespace, name), uid, groups: serviceAccountGroups(namespace), extra };
}
