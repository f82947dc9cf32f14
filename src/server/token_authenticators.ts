// Authenticators of tokens beyond files and service accounts: those that were asked for, in kube-apiserver's order.
import { audienceAgnostic } from "../authentication/audiences.ts";
import type { ObjectGetter, TokenAuthenticator } from "../authentication/interface.ts";
import { tokenCache } from "../authentication/token_cache.ts";
import type { AuthenticationConfig, WebhookAuthenticationConfig } from "./config.ts";

/** Milliseconds that a webhook has for an answer. */
const WEBHOOK_TIMEOUT = 30_000;

/** Throws an Error that says what cannot be had. */
export async function tokenAuthenticators(
  { audiences, bootstrapTokens: bootstrap, jwt, webhook }: AuthenticationConfig,
  { getter, signal }: { getter: ObjectGetter; signal: AbortSignal },
): Promise<TokenAuthenticator[]> {
  const authenticators: TokenAuthenticator[] = [];
  if (bootstrap) {
    const { bootstrapTokens } = await import("../authentication/bootstrap_token.ts");
    authenticators.push(audienceAgnostic(audiences, bootstrapTokens(getter)));
  }
  if (jwt.length > 0) {
    const { oidcTokens } = await import("../authentication/oidc/authenticator.ts");
    for (const config of jwt) authenticators.push(audienceAgnostic(audiences, oidcTokens({ config, signal })));
  }
  if (webhook !== undefined) authenticators.push(await tokenWebhookOf(webhook, audiences));
  return authenticators;
}

/** The configuration with what --authentication-config says. Throws an Error when that cannot be had. */
export async function withConfiguration(config: AuthenticationConfig): Promise<AuthenticationConfig> {
  if (config.configuration === undefined) return config;
  const { parseAuthenticationConfiguration } = await import("../authentication/oidc/configuration.ts");
  const { jwt, anonymous } = await parseAuthenticationConfiguration(
    config.configuration,
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
