// ABAC: a file of policies, one JSON object a line (abac.authorization.kubernetes.io/v1beta1); the first that matches
// allows.
import { ALL_AUTHENTICATED, type UserInfo } from "../authentication/interface.ts";
import type { AuthorizationAttributes, AuthorizationResult, Authorizer, RuleResolver } from "./interface.ts";

/** A policy; "*" stands for anything. */
export interface AbacPolicy {
  user: string;
  group: string;
  readonly: boolean;
  apiGroup: string;
  resource: string;
  namespace: string;
  nonResourcePath: string;
}

const API_VERSION = "abac.authorization.kubernetes.io/v1beta1";
/** The first format, whose lines need not say so. */
const FIRST_VERSION = "abac.authorization.kubernetes.io/v0";
const TEXTS = ["user", "group", "apiGroup", "resource", "namespace", "nonResourcePath"] as const;

/** Throws an Error that names the first line that is wrong. Lines that are empty or start with # say nothing. */
export function parsePolicies(text: string): AbacPolicy[] {
  return text.split("\n").flatMap((line, i) => {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) return [];
    try {
      return [parsePolicy(JSON.parse(trimmed))];
    } catch (e) {
      throw new Error(`error reading policy at line ${i + 1}: ${trimmed}: ${(e as Error).message}`);
    }
  });
}

function parsePolicy(object: Record<string, unknown>): AbacPolicy {
  const { apiVersion, kind, spec } = object;
  if (apiVersion === undefined || kind === undefined) return unversioned(membersOf(object));
  if (apiVersion === FIRST_VERSION && kind === "Policy") return unversioned(membersOf(object));
  if (apiVersion !== API_VERSION || kind !== "Policy") throw new Error(`is no Policy of ${API_VERSION}`);
  return everybody(membersOf((spec ?? {}) as Record<string, unknown>));
}

function membersOf(from: Record<string, unknown>): AbacPolicy {
  const policy = { readonly: from.readonly ?? false } as AbacPolicy;
  if (typeof policy.readonly !== "boolean") throw new Error("readonly is not true or false");
  for (const name of TEXTS) {
    const value = from[name] ?? "";
    if (typeof value !== "string") throw new Error(`${name} is no string`);
    policy[name] = value;
  }
  return policy;
}

/** Any user is any who is authenticated. */
function everybody(policy: AbacPolicy): AbacPolicy {
  return policy.user === "*" || policy.group === "*" ? { ...policy, user: "", group: ALL_AUTHENTICATED } : policy;
}

/** A line of the first format, in which what is left out means anything. */
function unversioned(policy: AbacPolicy): AbacPolicy {
  const { user, group, namespace, resource } = policy;
  return everybody({
    ...policy,
    group: user === "" && group === "" ? "*" : group,
    apiGroup: "*",
    namespace: namespace || "*",
    resource: resource || "*",
    nonResourcePath: namespace === "" && resource === "" ? "*" : "",
  });
}

const ALLOWED: AuthorizationResult = { decision: "allow", reason: "" };
const NO_OPINION: AuthorizationResult = { decision: "no opinion", reason: "No policy matched." };
const READ = ["get", "list", "watch"];

export function abacAuthorizer(policies: readonly AbacPolicy[]): Authorizer & RuleResolver {
  return {
    authorize(attributes) {
      const matches = (policy: AbacPolicy) =>
        isFor(policy, attributes.user) && (!policy.readonly || READ.includes(attributes.verb)) &&
        (attributes.isResourceRequest ? coversResource(policy, attributes) : coversPath(policy, attributes.path));
      return policies.some(matches) ? ALLOWED : NO_OPINION;
    },
    rulesFor(user, namespace) {
      const mine = policies.filter((policy) => isFor(policy, user) && isOrAny(policy.namespace, namespace));
      const verbs = ({ readonly }: AbacPolicy) => readonly ? [...READ] : ["*"];
      return Promise.resolve({
        resourceRules: mine.filter(({ resource }) => resource !== "").map((policy) => ({
          verbs: verbs(policy),
          apiGroups: [policy.apiGroup],
          resources: [policy.resource],
        })),
        nonResourceRules: mine.filter(({ nonResourcePath }) => nonResourcePath !== "").map((policy) => ({
          verbs: verbs(policy),
          nonResourceURLs: [policy.nonResourcePath],
        })),
        incomplete: false,
      });
    },
  };
}

/** A policy that names nobody is for nobody; one that names a user and a group is for the user in the group. */
function isFor({ user, group }: AbacPolicy, { name, groups }: UserInfo): boolean {
  if (user === "" && group === "") return false;
  return (user === "" || user === name) && (group === "" || groups.includes(group));
}

function isOrAny(pattern: string, value: string): boolean {
  return pattern === "*" || pattern === value;
}

function coversResource({ namespace, resource, apiGroup }: AbacPolicy, wanted: AuthorizationAttributes): boolean {
  return isOrAny(namespace, wanted.namespace) && isOrAny(resource, wanted.resource) &&
    isOrAny(apiGroup, wanted.apiGroup);
}

function coversPath({ nonResourcePath: pattern }: AbacPolicy, path: string): boolean {
  return isOrAny(pattern, path) || (pattern.endsWith("*") && path.startsWith(pattern.replace(/\*+$/, "")));
}
