// An issuer as it shows itself (OpenID Connect Discovery 1.0): its keys, fetched when needed and again when they change.
import { fromOneAuthority } from "./fetch.ts";
import { RemoteKeys } from "./remote_keys.ts";

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
  keys: RemoteKeys;
}

const WELL_KNOWN = "/.well-known/openid-configuration";
const TIMEOUT_MS = 30_000;

/** Throws an Error when the issuer cannot be reached, or shows itself to be another one. */
export async function discover(options: ProviderOptions): Promise<Provider> {
  const { issuer, discoveryUrl, certificateAuthority, fetched } = options;
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
  const { jwks_uri } = document;
  return { keys: new RemoteKeys({ fetch: () => keysAt(jwks_uri), fetched }) };

  async function keysAt(address: string): Promise<string> {
    const response = await fetchFrom(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    if (response.status === 200) return text;
    throw new Error(`oidc: get keys failed: ${response.status} ${response.statusText} ${text}`);
  }
}
