// May they: the words of k8s.io/apiserver's authorizer package.
import type { UserInfo } from "../authentication/interface.ts";

/** What a request wants, as authorizers see it. */
export interface AuthorizationAttributes {
  user: UserInfo;
  verb: string;
  /** False for paths such as /healthz: then only `path` counts. */
  isResourceRequest: boolean;
  namespace: string;
  apiGroup: string;
  apiVersion: string;
  resource: string;
  subresource: string;
  name: string;
  path: string;
  /** Selectors of the request as text, for webhooks and match conditions (KEP-4601). */
  fieldSelector?: string;
  labelSelector?: string;
}

export type Decision = "allow" | "deny" | "no opinion";

export interface AuthorizationResult {
  decision: Decision;
  reason: string;
  /** Set when the authorizer could not look everything up; the decision stands all the same. */
  error?: string;
}

/** May answer without a promise: the hot path does not wait. */
export interface Authorizer {
  authorize(attributes: AuthorizationAttributes): AuthorizationResult | Promise<AuthorizationResult>;
}

export interface ResourceRule {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
}

export interface NonResourceRule {
  verbs: string[];
  nonResourceURLs?: string[];
}

/** Answers SelfSubjectRulesReview. */
export interface RuleResolver {
  rulesFor(user: UserInfo, namespace: string): Promise<{
    resourceRules: ResourceRule[];
    nonResourceRules: NonResourceRule[];
    incomplete: boolean;
    error?: Error;
  }>;
}
