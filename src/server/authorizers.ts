// The authorizers of the configuration, in its order.
import { abacAuthorizer, parsePolicies } from "../authorization/abac.ts";
import { alwaysAllow, alwaysDeny } from "../authorization/always.ts";
import type { AuthorizerEntry, WebhookEntry } from "../authorization/configuration.ts";
import type { AuthorizationResult, Authorizer, RuleResolver } from "../authorization/interface.ts";
import { buildAuthorizer, type BuiltAuthorizer } from "../authorization/mod.ts";
import type { Metrics } from "../metrics/mod.ts";
import { authorizationWebhookObserver, reloadObserver, webhookAuthorizerObserver } from "./access_metrics.ts";
import type { AuthorizationConfig } from "./config.ts";
import { reloadedFile } from "./reloaded_file.ts";

type Complete = Authorizer & RuleResolver;

/** The authorizers that look things up in this process, and who counts what each of all authorizers decides. */
export interface LocalAuthorizers {
  rbac: Complete;
  node: Complete;
  metrics: Metrics;
}

/** Milliseconds that a webhook of the flags has for an answer. */
const WEBHOOK_TIMEOUT = 30_000;

/** Throws an Error that names what cannot be had. A configuration file is read again when it changes. */
export async function authorizerOf(config: AuthorizationConfig, local: LocalAuthorizers): Promise<BuiltAuthorizer> {
  const { configuration } = config;
  if (configuration === undefined) return await build(modesOf(config), config, local);
  const { parseAuthorizationConfiguration } = await import("../authorization/configuration.ts");
  const first = await parseAuthorizationConfiguration(configuration.text);
  const current = reloadedFile({
    ...configuration,
    value: await build(first, config, local),
    observe: reloadObserver(local.metrics, "authorization", configuration.text),
    async load(text) {
      const entries = await parseAuthorizationConfiguration(text);
      refuseChanges(entries, first);
      return await build(entries, config, local);
    },
  });
  return {
    authorizer: { authorize: (attributes) => current().authorizer.authorize(attributes) },
    rules: { rulesFor: (user, namespace) => current().rules.rulesFor(user, namespace) },
  };
}

/** Only webhooks may come and go. Throws an Error. */
function refuseChanges(entries: readonly AuthorizerEntry[], first: readonly AuthorizerEntry[]): void {
  const typesOf = (list: readonly AuthorizerEntry[]) => new Set(list.map(({ type }) => type));
  const before = typesOf(first), now = typesOf(entries);
  before.delete("Webhook");
  const missing = [...before.difference(now)].sort();
  if (missing.length > 0) throw new Error(`missing required types: [${missing.join(" ")}]`);
  for (const type of ["Node", "ABAC", "RBAC"]) {
    if (!now.has(type) || before.has(type)) continue;
    throw new Error(`authorizer type ${type} is not allowed if it was not enabled at initial server startup`);
  }
}

async function build(
  entries: readonly AuthorizerEntry[],
  config: AuthorizationConfig,
  local: LocalAuthorizers,
): Promise<BuiltAuthorizer> {
  return buildAuthorizer(
    await Promise.all(entries.map(async (entry) => counted(await oneOf(entry, config, local), entry, local))),
  );
}

/** Without an opinion nothing is decided. */
function counted(authorizer: Complete, { type, name }: AuthorizerEntry, { metrics }: LocalAuthorizers): Complete {
  const adder = (decision: string) => metrics.adder("authorizationDecisions", { type, name, decision });
  let allowed: ReturnType<typeof adder> | undefined, denied: ReturnType<typeof adder> | undefined;
  const count = (result: AuthorizationResult) => {
    if (result.decision === "allow") (allowed ??= adder("allowed"))();
    else if (result.decision === "deny") (denied ??= adder("denied"))();
    return result;
  };
  return {
    authorize(attributes) {
      const result = authorizer.authorize(attributes);
      return result instanceof Promise ? result.then(count) : count(result);
    },
    rulesFor: (user, namespace) => authorizer.rulesFor(user, namespace),
  };
}

function modesOf({ modes, webhook }: AuthorizationConfig): AuthorizerEntry[] {
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

async function oneOf(
  { type, name, webhook }: AuthorizerEntry,
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
      return await webhookOf(webhook!, name, local.metrics);
    default:
      throw new Error(`unknown authorization mode ${type} specified`);
  }
}

async function webhookOf(entry: WebhookEntry, name: string, metrics: Metrics): Promise<Complete> {
  const [{ readKubeconfig }, { webhook }, { webhookAuthorizer }] = await Promise.all([
    import("../client/kubeconfig.ts"),
    import("../client/webhook.ts"),
    import("../authorization/webhook.ts"),
  ]);
  const client = await readKubeconfig(entry.kubeConfigFile, Deno.readTextFileSync);
  return webhookAuthorizer({
    call: webhook(client, { timeout: entry.timeout, observe: authorizationWebhookObserver(metrics, name) }),
    version: entry.version,
    authorizedTtl: entry.authorizedTtl,
    unauthorizedTtl: entry.unauthorizedTtl,
    matches: entry.matches,
    observe: webhookAuthorizerObserver(metrics, name),
    decisionOnError: entry.failurePolicy === "Deny" ? "deny" : "no opinion",
  });
}
