// Authenticators of tokens beyond files and service accounts: those that were asked for, in kube-apiserver's order.
import { audienceAgnostic } from "../authentication/audiences.ts";
import type { ObjectGetter, TokenAuthenticator } from "../authentication/interface.ts";
import { tokenUnion } from "../authentication/union.ts";
import { tokenCache } from "../authentication/token_cache.ts";
import type { Metrics } from "../metrics/mod.ts";
import { JwtMeasures, reloadObserver } from "./access_metrics.ts";
import { reloadedFile } from "./reloaded_file.ts";
import type { AuthenticationConfig, WebhookAuthenticationConfig } from "./config.ts";

/** Milliseconds that a webhook has for an answer. */
const WEBHOOK_TIMEOUT = 30_000;

/** Throws an Error that says what cannot be had. */
export async function tokenAuthenticators(
  config: AuthenticationConfig,
  { getter, metrics, signal }: { getter: ObjectGetter; metrics: Metrics; signal: AbortSignal },
): Promise<TokenAuthenticator[]> {
  const { audiences, bootstrapTokens: bootstrap, jwt, webhook, configuration } = config;
  const authenticators: TokenAuthenticator[] = [];
  if (bootstrap) {
    const { bootstrapTokens } = await import("../authentication/bootstrap_token.ts");
    authenticators.push(audienceAgnostic(audiences, bootstrapTokens(getter)));
  }
  if (configuration !== undefined || jwt.length > 0) {
    const issuers = await issuersOf(config, metrics, signal);
    authenticators.push(audienceAgnostic(audiences, issuers));
  }
  if (webhook !== undefined) authenticators.push(await tokenWebhookOf(webhook, audiences));
  return authenticators;
}

/** OpenID Connect issuers; those of a configuration file are looked for anew when it changes. */
async function issuersOf(
  config: AuthenticationConfig,
  metrics: Metrics,
  signal: AbortSignal,
): Promise<TokenAuthenticator> {
  const { oidcTokens } = await import("../authentication/oidc/authenticator.ts");
  const measures = new JwtMeasures(metrics);
  let stop = new AbortController();
  signal.addEventListener("abort", () => stop.abort(), { once: true });
  const build = (jwt: AuthenticationConfig["jwt"]) => {
    stop.abort();
    stop = new AbortController();
    const { signal: replaced } = stop;
    measures.retain(jwt.map(({ issuer }) => issuer.url));
    return tokenUnion(
      jwt.map((config) =>
        oidcTokens({ config, signal: replaced, observe: measures.observer(config.issuer.url, replaced) })
      ),
    );
  };
  const { configuration } = config;
  if (configuration === undefined) return build(config.jwt);
  const current = reloadedFile({
    ...configuration,
    value: build(config.jwt),
    observe: reloadObserver(metrics, "authentication", configuration.text),
    async load(text) {
      const changed = await withConfiguration({ ...config, configuration: { ...configuration, text } });
      if (changed.anonymous !== config.anonymous || !sameList(changed.anonymousPaths, config.anonymousPaths)) {
        throw new Error("anonymous: Forbidden: changed from initial configuration file");
      }
      return build(changed.jwt);
    },
  });
  return { authenticateToken: (token, audiences) => current().authenticateToken(token, audiences) };
}

function sameList(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** The configuration with what --authentication-config says. Throws an Error when that cannot be had. */
export async function withConfiguration(config: AuthenticationConfig): Promise<AuthenticationConfig> {
  if (config.configuration === undefined) return config;
  const { parseAuthenticationConfiguration } = await import("../authentication/oidc/configuration.ts");
  const { jwt, anonymous } = await parseAuthenticationConfiguration(
    config.configuration.text,
    config.serviceAccounts.issuers,
  );
  if (anonymous === undefined) return { ...config, jwt };
  return { ...config, jwt, anonymous: anonymous.enabled, anonymousPaths: anonymous.paths };
}

async function tokenWebhookOf(
  { kubeconfig, version, ttl }: WebhookAuthenticationConfig,
  audiences: readonly string[],
): Promise<TokenAuthenticator> {
  const [{ readKubeconfig }, { webhook }, { tokenWebhook }] = await Promise.all([
    import("../client/kubeconfig.ts"),
    import("../client/webhook.ts"),
    import("../authentication/token_webhook.ts"),
  ]);
  const client = await readKubeconfig(kubeconfig, Deno.readTextFileSync);
  const asked = tokenWebhook({ call: webhook(client, { timeout: WEBHOOK_TIMEOUT }), version, audiences });
  return tokenCache(asked, { successTtl: ttl, failureTtl: ttl, errors: false });
}
