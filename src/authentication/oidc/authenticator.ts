// OpenID Connect: users of somebody else's, who bring an ID token that their issuer signed.
import { logError } from "../../logging/mod.ts";
import type { AuthenticationResponse, TokenAuthenticator } from "../interface.ts";
import { unverifiedClaims } from "../jwt_claims.ts";
import { distributedClaims } from "./distributed_claims.ts";
import type { ExpressionMapper } from "./expression_mapper.ts";
import { hasExpressions, type JwtAuthenticatorConfig, type JwtObserver } from "./interface.ts";
import { discover, type Provider } from "./provider.ts";
import { userOf } from "./user.ts";
import { verifyToken } from "./verify.ts";

export interface OidcOptions {
  config: JwtAuthenticatorConfig;
  /** Ends the search for the issuer. */
  signal: AbortSignal;
  observe?: JwtObserver;
  now?: () => number;
}

/** How often an issuer that cannot be reached is looked for; milliseconds. */
const RETRY_MS = 10_000;
/** Undefined when there are no expressions: their language is loaded where there are some. */
async function expressionMapper(config: JwtAuthenticatorConfig): Promise<ExpressionMapper | undefined> {
  if (!hasExpressions(config)) return undefined;
  const { ExpressionMapper } = await import("./expression_mapper.ts");
  return new ExpressionMapper(config);
}

const GOOGLE = "accounts.google.com";

/** The issuer is looked for from now on until it is found; it may be one that runs on this very cluster. */
export function oidcTokens({ config, signal, observe, now = Date.now }: OidcOptions): TokenAuthenticator {
  const { issuer, algorithms } = config;
  const expand = distributedClaims(config, now);
  let mapper: ExpressionMapper | undefined;
  let provider: Provider | undefined;
  const first = search().catch(() => {});
  return {
    authenticateToken(token) {
      const claimed = unverifiedClaims(token)?.iss;
      // Google's tokens once named their issuer without the scheme.
      if ((claimed === GOOGLE ? `https://${GOOGLE}` : claimed) !== issuer.url) return undefined;
      return observed(token);
    },
  };

  async function observed(token: string): Promise<AuthenticationResponse> {
    const started = performance.now();
    let ok = false;
    try {
      const response = await authenticate(token);
      ok = true;
      return response;
    } finally {
      observe?.authenticated(ok, (performance.now() - started) / 1000);
    }
  }

  async function search(): Promise<void> {
    try {
      provider = await discover({ ...issuer, issuer: issuer.url, fetched: observe?.fetched });
    } catch (e) {
      logError("Unable to reach an OIDC issuer", e, { issuer: issuer.url });
      if (signal.aborted) return;
      const timer = setTimeout(() => void search(), RETRY_MS);
      timer.unref();
      signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
    }
  }

  async function authenticate(token: string): Promise<AuthenticationResponse> {
    await first;
    if (provider === undefined) throw new Error("oidc: authenticator not initialized");
    const claims = await verifyToken(token, {
      keys: provider.keys,
      audiences: issuer.audiences,
      algorithms,
      now: now(),
    }).catch((e) => {
      throw new Error(`oidc: verify token: ${(e as Error).message}`);
    });
    mapper ??= await expressionMapper(config);
    return { user: userOf(config, mapper, await expand(claims)) };
  }
}
