// Claims that an issuer keeps elsewhere (OpenID Connect Core 1.0, 5.6.2): the groups of a user, fetched when needed.
import { unverifiedClaims } from "../jwt_claims.ts";
import { fromOneAuthority } from "./fetch.ts";
import type { JwtAuthenticatorConfig, JwtClaims } from "./interface.ts";
import { discover, type Provider } from "./provider.ts";
import { verifyToken } from "./verify.ts";

const TIMEOUT_MS = 30_000;

interface Source {
  endpoint?: string;
  access_token?: string;
}

/** Gives back the claims with that of the groups filled in. Throws an Error when it cannot be had. */
export function distributedClaims(
  { issuer, algorithms, groups }: JwtAuthenticatorConfig,
  now: () => number,
): (claims: JwtClaims) => JwtClaims | Promise<JwtClaims> {
  const claim = groups?.claim ?? "";
  const providers = new Map<string, Promise<Provider>>();
  const fetchFrom = fromOneAuthority(issuer.certificateAuthority);

  async function resolve({ endpoint, access_token: token }: Source, claims: JwtClaims): Promise<JwtClaims> {
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    const response = await fetchFrom(endpoint!, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const jwt = await response.text();
    if (!response.ok) {
      throw new Error(`while getting distributed claim "${claim}": the endpoint answered ${response.status}`);
    }
    const by = unverifiedClaims(jwt)?.iss;
    if (typeof by !== "string") throw new Error(`the endpoint of claim "${claim}" answered no token`);
    const { keys } = await providerOf(by);
    const found = await verifyToken(jwt, { keys, audiences: issuer.audiences, algorithms, now: now() });
    if (found[claim] === undefined) {
      throw new Error(`jwt returned by distributed claim endpoint did not contain claim: ${claim}`);
    }
    return { ...claims, [claim]: found[claim] };
  }

  /** One that could not be reached is tried again with the next token. */
  function providerOf(url: string): Promise<Provider> {
    let provider = providers.get(url);
    if (provider === undefined) {
      const { certificateAuthority } = issuer;
      provider = discover({ issuer: url, discoveryUrl: "", certificateAuthority });
      provider.catch(() => providers.delete(url));
      providers.set(url, provider);
    }
    return provider;
  }

  return (claims) => {
    const source = claim === "" || claims[claim] !== undefined ? undefined : sourceOf(claims, claim);
    if (!source?.endpoint) return claims;
    return resolve(source, claims).catch((e) => {
      throw new Error(`oidc: could not expand distributed claims: ${(e as Error).message}`);
    });
  };
}

function sourceOf(claims: JwtClaims, claim: string): Source | undefined {
  const names = claims._claim_names as Record<string, string> | undefined;
  const name = names?.[claim];
  if (name === undefined) return undefined;
  const sources = claims._claim_sources as Record<string, Source> | undefined;
  if (sources === undefined) throw new Error("oidc: could not expand distributed claims: oidc: no claim sources");
  if (sources[name] === undefined) {
    throw new Error(`id token _claim_names contained a source ${name} missing in _claims_sources`);
  }
  return sources[name];
}
