// Metrics of authentication and authorization, under kube-apiserver's names.
import type { MetricDefinition } from "./definitions.ts";

export const ACCESS_METRICS = {
  authenticatedRequests: {
    name: "authenticated_user_requests",
    type: "counter",
    labels: ["username"],
    help: "Authenticated requests by user.",
  },
  authenticationAttempts: {
    name: "authentication_attempts",
    type: "counter",
    labels: ["result"],
    help: "Authentications by result.",
  },
  authorizationAttempts: {
    name: "authorization_attempts_total",
    type: "counter",
    labels: ["result"],
    help: "Authorizations by result.",
  },
  authorizationDecisions: {
    name: "apiserver_authorization_decisions_total",
    type: "counter",
    labels: ["type", "name", "decision"],
    help: "Requests that an authorizer allowed or denied.",
  },
  legacyTokens: {
    name: "serviceaccount_legacy_tokens_total",
    type: "counter",
    labels: [],
    help: "Uses of service account tokens that are good for any audience.",
  },
  legacyAutoTokens: {
    name: "serviceaccount_legacy_auto_token_uses_total",
    type: "counter",
    labels: [],
    help: "Uses of tokens in secrets that a controller made.",
  },
  legacyManualTokens: {
    name: "serviceaccount_legacy_manual_token_uses_total",
    type: "counter",
    labels: [],
    help: "Uses of tokens in secrets that somebody made.",
  },
  staleTokens: {
    name: "serviceaccount_stale_tokens_total",
    type: "counter",
    labels: [],
    help: "Uses of bound tokens after they should have been replaced.",
  },
} satisfies Record<string, MetricDefinition>;
