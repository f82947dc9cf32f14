// The authorizers of the configuration, in its order.
import { abacAuthorizer, parsePolicies } from "../authorization/abac.ts";
import { alwaysAllow, alwaysDeny } from "../authorization/always.ts";
import type { AuthorizerEntry, WebhookEntry } from "../authorization/configuration.ts";
import type { Authorizer, RuleResolver } from "../authorization/interface.ts";
import type { AuthorizationConfig } from "./config.ts";

type Complete = Authorizer & RuleResolver;

/** The authorizers that look things up in this process. */
export interface LocalAuthorizers {
  rbac: Complete;
  node: Complete;
}

/** Milliseconds that a webhook of the flags has for an answer. */
const WEBHOOK_TIMEOUT = 30_000;

/** Throws an Error that names what cannot be had. */
export async function authorizersOf(config: AuthorizationConfig, local: LocalAuthorizers): Promise<Complete[]> {
  const entries = await entriesOf(config);
  return await Promise.all(entries.map((entry) => authorizerOf(entry, config, local)));
}

async function entriesOf({ modes, configuration, webhook }: AuthorizationConfig): Promise<AuthorizerEntry[]> {
  if (configuration !== undefined) {
    const { parseAuthorizationConfiguration } = await import("../authorization/configuration.ts");
    return await parseAuthorizationConfiguration(configuration);
  }
  if (modes.length === 0) throw new Error("at least one authorization mode must be passed");
  const given: WebhookEntry | undefined = webhook && {
    timeout: WEBHOOK_TIMEOUT,
    version: webhook.version,
    authorizedTtl: webhook.authorizedTtl,
    unauthorizedTtl: webhook.unauthorizedTtl,
    failurePolicy: "NoOpinion",
    kubeConfigFile: webhook.kubeconfig,
  };
  return modes.map((type) => ({ type, name: type.toLowerCase(), webhook: type === "Webhook" ? given : undefined }));
}

async function authorizerOf(
  { type, webhook }: AuthorizerEntry,
  { policies = "" }: AuthorizationConfig,
  local: LocalAuthorizers,
): Promise<Complete> {
  switch (type) {
    case "AlwaysAllow":
      return alwaysAllow;
    case "AlwaysDeny":
      return alwaysDeny;
    case "RBAC":
      return local.rbac;
    case "Node":
      return local.node;
    case "ABAC":
      return abacAuthorizer(parsePolicies(policies));
    case "Webhook":
      return await webhookOf(webhook!);
    default:
      throw new Error(`unknown authorization mode ${type} specified`);
  }
}

async function webhookOf(entry: WebhookEntry): Promise<Complete> {
  const [{ readKubeconfig }, { webhook }, { webhookAuthorizer }] = await Promise.all([
    import("../client/kubeconfig.ts"),
    import("../client/webhook.ts"),
    import("../authorization/webhook.ts"),
  ]);
  const client = await readKubeconfig(entry.kubeConfigFile, Deno.readTextFileSync);
  return webhookAuthorizer({
    call: webhook(client, { timeout: entry.timeout }),
    version: entry.version,
    authorizedTtl: entry.authorizedTtl,
    unauthorizedTtl: entry.unauthorizedTtl,
    matches: entry.matches,
    decisionOnError: entry.failurePolicy === "Deny" ? "deny" : "no opinion",
  });
}
