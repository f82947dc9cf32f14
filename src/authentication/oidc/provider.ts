// An issuer as it shows itself (OpenID Connect Discovery 1.0): its keys, fetched when needed and again when they change.
import type { JWTVerifyGetKey } from "jose";
import { fromOneAuthority } from "./fetch.ts";

export interface ProviderOptions {
  issuer: string;
  /** "" for the issuer's own. */
  discoveryUrl: string;
  /** PEM; "" for the system's. */
  certificateAuthority: string;
  /** Told the keys as text whenever they were fetched; undefined: they could not be had. */
  fetched?(keys: string | undefined): void;
}

/** Where the keys of an issuer come from. */
export interface Provider {
  keys: JWTVerifyGetKey;
}

const WELL_KNOWN = "/.well-known/openid-configuration";
const TIMEOUT_MS = 30_000;
/** How soon keys are looked for again after a token came with one that is not known; milliseconds. */
const COOLDOWN_MS = 1_000;
const CACHED_MS = 600_000;

/** Throws an Error when the issuer cannot be reached, or shows itself to be another one. */
export async function discover(options: ProviderOptions): Promise<Provider> {
  const { issuer, discoveryUrl, certificateAuthority, fetched } = options;
  const { createRemoteJWKSet, customFetch } = await import("jose");
  const fetchFrom = fromOneAuthority(certificateAuthority);
  const url = discoveryUrl || issuer.replace(/\/$/, "") + WELL_KNOWN;
  const response = await fetchFrom(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}: ${text}`);
  const document = JSON.parse(text) as { issuer?: string; jwks_uri?: string };
  if (document.issuer !== issuer) {
    throw new Error(
      `oidc: issuer did not match the issuer returned by provider, expected ${JSON.stringify(issuer)} ` +
        `got ${JSON.stringify(document.issuer)}`,
    );
  }
  if (!document.jwks_uri) throw new Error("provider did not return JWKS URL");
  const keys = createRemoteJWKSet(new URL(document.jwks_uri), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: CACHED_MS,
    [customFetch]: (address: string, init: RequestInit) => observed(fetchFrom(address, init), fetched),
  });
  return { keys };
}

async function observed(answer: Promise<Response>, fetched: ProviderOptions["fetched"]): Promise<Response> {
  if (fetched === undefined) return await answer;
  let text: string | undefined;
  try {
    const response = await answer;
    if (!response.ok) return response;
    text = await response.text();
    return new Response(text, { status: response.status, headers: response.headers });
  } finally {
    fetched(text);
  }
}
