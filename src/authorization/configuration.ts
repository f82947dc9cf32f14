// --authorization-config: an AuthorizationConfiguration (apiserver.config.k8s.io) with the authorizers in their order.
import { AggregateFailure } from "../machinery/aggregate_error.ts";
import { isAbsolute } from "node:path";
import { type ConfigurationKind, durationOf, parseConfigurationFile } from "../machinery/configuration_file.ts";
import { formatDuration } from "../machinery/duration.ts";
import { aggregate } from "../machinery/field_error.ts";
import type { Json } from "../machinery/types.ts";
import { collect, type Field, isDNS1123Subdomain } from "../machinery/validation/mod.ts";
import type { ReviewMatcher } from "./webhook.ts";

/** How to reach a webhook that decides, and what its answers are worth. Durations are milliseconds. */
export interface WebhookEntry {
  timeout: number;
  version: "v1" | "v1beta1";
  /** 0: not remembered. */
  authorizedTtl: number;
  unauthorizedTtl: number;
  failurePolicy: "NoOpinion" | "Deny";
  kubeConfigFile: string;
  /** From its match conditions. */
  matches?: ReviewMatcher;
}

export interface AuthorizerEntry {
  type: string;
  name: string;
  webhook?: WebhookEntry;
}

const KIND: ConfigurationKind = {
  group: "apiserver.config.k8s.io",
  versions: ["v1", "v1beta1", "v1alpha1"],
  kind: "AuthorizationConfiguration",
  shape: {
    authorizers: [{
      type: "string",
      name: "string",
      webhook: {
        authorizedTTL: "string",
        cacheAuthorizedRequests: "boolean",
        unauthorizedTTL: "string",
        cacheUnauthorizedRequests: "boolean",
        timeout: "string",
        subjectAccessReviewVersion: "string",
        matchConditionSubjectAccessReviewVersion: "string",
        failurePolicy: "string",
        connectionInfo: { type: "string", kubeConfigFile: "string" },
        matchConditions: [{ expression: "string" }],
      },
    }],
  },
};
const TYPES = ["ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"];
const VERSIONS = ["v1", "v1beta1"], POLICIES = ["NoOpinion", "Deny"];
const DEFAULT_AUTHORIZED_TTL = 300_000, DEFAULT_UNAUTHORIZED_TTL = 30_000, LONGEST_TIMEOUT = 30_000;

interface GivenWebhook {
  timeout?: Json;
  authorizedTTL?: Json;
  unauthorizedTTL?: Json;
  cacheAuthorizedRequests?: boolean | null;
  cacheUnauthorizedRequests?: boolean | null;
  subjectAccessReviewVersion?: string;
  failurePolicy?: string;
  connectionInfo?: { type?: string; kubeConfigFile?: string };
  matchConditionSubjectAccessReviewVersion?: string;
  matchConditions?: { expression?: string }[];
}

interface GivenAuthorizer {
  type?: string;
  name?: string;
  webhook?: GivenWebhook;
}

/** Throws an Error with everything that is wrong. */
export async function parseAuthorizationConfiguration(text: string): Promise<AuthorizerEntry[]> {
  const { authorizers } = await parseConfigurationFile(text, KIND) as { authorizers?: GivenAuthorizer[] };
  const compile = await conditionCompiler(authorizers ?? []);
  const entries: AuthorizerEntry[] = [];
  const errors = collect((root) => {
    entries.push(...checkAuthorizers(authorizers ?? [], root.child("authorizers"), compile));
  });
  if (errors.length > 0) throw new Error(aggregate(errors));
  const misnamed = entries.filter(({ type, name }) => type !== "Webhook" && name !== type.toLowerCase());
  if (misnamed.length === 0) return entries;
  throw new AggregateFailure(
    misnamed.map(({ type, name }) =>
      new Error(`expected name ${type.toLowerCase()} for authorizer ${type} instead of ${name}`)
    ),
  );
}

type Compile = (expressions: readonly string[], at: Field) => ReviewMatcher | undefined;

/** The expression language is loaded where there are expressions. */
async function conditionCompiler(authorizers: readonly GivenAuthorizer[]): Promise<Compile> {
  if (!authorizers.some(({ webhook }) => webhook?.matchConditions?.length)) return () => undefined;
  return (await import("./match_conditions.ts")).compileMatchConditions;
}

function checkAuthorizers(given: readonly GivenAuthorizer[], at: Field, compile: Compile): AuthorizerEntry[] {
  if (given.length === 0) at.required("at least one authorization mode must be defined");
  const types = new Set<string>(), names = new Set<string>();
  return given.flatMap(({ type = "", name = "", webhook }, i) => {
    const here = at.index(i);
    if (type === "") here.child("type").required();
    else if (!TYPES.includes(type)) here.child("type").notSupported(type, TYPES);
    else if (types.has(type) && type !== "Webhook") here.child("type").duplicate(type);
    else {
      types.add(type);
      checkName(name, names, here.child("name"));
      if (type !== "Webhook") {
        if (webhook) here.child("webhook").invalid("non-null", "may only be specified when type=Webhook");
        return [{ type, name }];
      }
      if (webhook) return [{ type, name, webhook: checkWebhook(webhook, here, compile) }];
      here.child("webhook").required("required when type=Webhook");
    }
    return [];
  });
}

function checkName(name: string, taken: Set<string>, at: Field): void {
  const messages = isDNS1123Subdomain(name);
  if (name === "") at.required();
  else if (taken.has(name)) at.duplicate(name);
  else if (messages.length > 0) at.invalid(name, `authorizer name is invalid: ${messages.join(", ")}`);
  taken.add(name);
}

/** `at`: the authorizer, as the real server has it. */
function checkWebhook(given: GivenWebhook, at: Field, compile: Compile): WebhookEntry {
  const { subjectAccessReviewVersion: version = "", failurePolicy = "", matchConditions = [] } = given;
  const timeout = durationOf(given.timeout, at.child("timeout").text) ?? 0;
  if (timeout === 0) at.child("timeout").required();
  else if (timeout < 0 || timeout > LONGEST_TIMEOUT) {
    at.child("timeout").invalid(formatDuration(timeout), "must be > 0s and <= 30s");
  }
  oneOf(version, VERSIONS, at.child("subjectAccessReviewVersion"));
  oneOf(failurePolicy, POLICIES, at.child("failurePolicy"));
  checkConditionVersion(given, at.child("matchConditionSubjectAccessReviewVersion"));
  const expressions = matchConditions.map(({ expression = "" }) => expression);
  return {
    timeout,
    version: version as WebhookEntry["version"],
    failurePolicy: failurePolicy as WebhookEntry["failurePolicy"],
    authorizedTtl: ttlOf(
      given.authorizedTTL,
      DEFAULT_AUTHORIZED_TTL,
      given.cacheAuthorizedRequests,
      at.child("authorizedTTL"),
    ),
    unauthorizedTtl: ttlOf(
      given.unauthorizedTTL,
      DEFAULT_UNAUTHORIZED_TTL,
      given.cacheUnauthorizedRequests,
      at.child("unauthorizedTTL"),
    ),
    kubeConfigFile: kubeConfigFileOf(given.connectionInfo, at.child("connectionInfo")),
    matches: compile(expressions, at.child("matchConditions")),
  };
}

function checkConditionVersion(given: GivenWebhook, at: Field): void {
  const { matchConditionSubjectAccessReviewVersion: version = "", matchConditions = [] } = given;
  if (version === "" && matchConditions.length > 0) at.required("required if match conditions are specified");
  else if (version !== "") oneOf(version, ["v1"], at);
}

function oneOf(value: string, allowed: readonly string[], at: Field): void {
  if (value === "") at.required();
  else if (!allowed.includes(value)) at.notSupportedInOrder(value, allowed);
}

function ttlOf(given: Json | undefined, fallback: number, remember: boolean | null | undefined, at: Field): number {
  const ttl = durationOf(given, at.text) || fallback;
  if (ttl < 0) at.invalid(formatDuration(ttl), "must be > 0s");
  return remember === false ? 0 : ttl;
}

function kubeConfigFileOf({ type = "", kubeConfigFile = "" }: GivenWebhook["connectionInfo"] = {}, at: Field): string {
  const file = at.child("kubeConfigFile");
  if (type === "InClusterConfig") at.child("type").forbidden("not supported: this server is not in a cluster");
  else oneOf(type, ["InClusterConfig", "KubeConfigFile"], at.child("type"));
  if (type !== "KubeConfigFile") return "";
  if (kubeConfigFile === "") file.required();
  else if (!isAbsolute(kubeConfigFile)) file.invalid(kubeConfigFile, "must be an absolute path");
  return kubeConfigFile;
}
