// Metrics of authentication and authorization, under kube-apiserver's names.
import type { MetricDefinition } from "./definitions.ts";
import { reloadMetrics } from "./reloads.ts";

/** From a millisecond on, each twice the one before. */
const REQUEST_SECONDS = Array.from({ length: 15 }, (_, i) => 2 ** i / 1000);
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const HOUR = 3600, DAY = 24 * HOUR;
const SERVER = "apiserver_id_hash";
const authentication = reloadMetrics("authentication", "--authentication-config");
const authorization = reloadMetrics("authorization", "--authorization-config");

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
  authenticationDuration: {
    name: "authentication_duration_seconds",
    type: "histogram",
    labels: ["result"],
    help: "Seconds that it took to find out who makes a request, by result.",
    buckets: REQUEST_SECONDS,
  },
  tokenCacheRequests: {
    name: "authentication_token_cache_request_total",
    type: "counter",
    labels: ["status"],
    help: "Bearer tokens that were looked up, by whether they were known already.",
  },
  tokenCacheDuration: {
    name: "authentication_token_cache_request_duration_seconds",
    type: "histogram",
    labels: ["status"],
    help: "Seconds that it took to look a bearer token up.",
    buckets: CALL_SECONDS,
  },
  tokenCacheFetches: {
    name: "authentication_token_cache_fetch_total",
    type: "counter",
    labels: ["status"],
    help: "Bearer tokens that had to be verified, by whether that could be done.",
  },
  tokenCacheActive: {
    name: "authentication_token_cache_active_fetch_count",
    type: "gauge",
    labels: ["status"],
    help: "Tokens that are being verified now, and requests that wait for it.",
  },
  certificateExpiration: {
    name: "apiserver_client_certificate_expiration_seconds",
    type: "histogram",
    labels: [],
    help: "Seconds left of the client certificates that requests come with.",
    buckets: [0, HOUR / 2, HOUR, 2 * HOUR, 6 * HOUR, 12 * HOUR, ...[1, 2, 4, 7, 30, 90, 180, 360].map((n) => n * DAY)],
  },
  jwtLatency: {
    name: "apiserver_authentication_jwt_authenticator_latency_seconds",
    type: "histogram",
    labels: ["result", "jwt_issuer_hash"],
    help: "Seconds that it took to verify a token of an OpenID Connect issuer.",
    buckets: [0.001, ...CALL_SECONDS],
  },
  jwksFetched: {
    name: "apiserver_authentication_jwt_authenticator_jwks_fetch_last_timestamp_seconds",
    type: "gauge",
    labels: ["result", "jwt_issuer_hash", SERVER],
    help: "When an issuer's keys were last fetched, by result.",
  },
  jwksInfo: {
    name: "apiserver_authentication_jwt_authenticator_jwks_fetch_last_key_set_info",
    type: "gauge",
    labels: ["jwt_issuer_hash", SERVER, "hash"],
    help: "A digest of the keys that an issuer has.",
  },
  authenticationReloads: authentication.reloads,
  authenticationReloaded: authentication.reloaded,
  authenticationConfigInfo: authentication.used,
  authorizationReloads: authorization.reloads,
  authorizationReloaded: authorization.reloaded,
  authorizationConfigInfo: authorization.used,
  authorizationDuration: {
    name: "authorization_duration_seconds",
    type: "histogram",
    labels: ["result"],
    help: "Seconds that it took to find out whether a request may be made, by result.",
    buckets: REQUEST_SECONDS,
  },
  authorizationWebhookCalls: {
    name: "apiserver_authorization_webhook_evaluations_total",
    type: "counter",
    labels: ["name", "result"],
    help: "Calls of authorization webhooks by what came of them.",
  },
  authorizationWebhookDuration: {
    name: "apiserver_authorization_webhook_duration_seconds",
    type: "histogram",
    labels: ["name", "result"],
    help: "Seconds that calls of authorization webhooks took.",
    buckets: CALL_SECONDS,
  },
  authorizationWebhookFailOpen: {
    name: "apiserver_authorization_webhook_evaluations_fail_open_total",
    type: "counter",
    labels: ["name", "result"],
    help: "Failures of authorization webhooks that left the decision to others.",
  },
  matchConditionErrors: {
    name: "apiserver_authorization_match_condition_evaluation_errors_total",
    type: "counter",
    labels: ["type", "name"],
    help: "Match conditions of authorization webhooks that could not tell.",
  },
  matchConditionExclusions: {
    name: "apiserver_authorization_match_condition_exclusions_total",
    type: "counter",
    labels: ["type", "name"],
    help: "Requests that match conditions kept from an authorization webhook.",
  },
  matchConditionDuration: {
    name: "apiserver_authorization_match_condition_evaluation_seconds",
    type: "histogram",
    labels: ["type", "name"],
    help: "Seconds that match conditions of an authorization webhook took.",
    buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
  },
  impersonations: {
    name: "apiserver_impersonation_attempts_total",
    type: "counter",
    labels: ["mode", "decision"],
    help: "Requests to act as another user, by the way that was allowed.",
  },
  impersonationDuration: {
    name: "apiserver_impersonation_attempts_duration_seconds",
    type: "histogram",
    labels: ["mode", "decision"],
    help: "Seconds that it took to find out whether a user may act as another.",
    buckets: REQUEST_SECONDS,
  },
  impersonationChecks: {
    name: "apiserver_impersonation_authorization_attempts_total",
    type: "counter",
    labels: ["mode", "decision"],
    help: "Rights that impersonation asked for, by mode.",
  },
  impersonationCheckDuration: {
    name: "apiserver_impersonation_authorization_attempts_duration_seconds",
    type: "histogram",
    labels: ["mode", "decision"],
    help: "Seconds that it took to look up a right which impersonation asked for.",
    buckets: REQUEST_SECONDS,
  },
  nodeGraphActions: {
    name: "node_authorizer_graph_actions_duration_seconds",
    type: "histogram",
    labels: ["operation"],
    help: "Seconds that changes of the node authorizer's graph took.",
    buckets: Array.from({ length: 12 }, (_, i) => 2 ** i / 10_000),
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
  invalidLegacyAutoTokens: {
    name: "serviceaccount_invalid_legacy_auto_token_uses_total",
    type: "counter",
    labels: [],
    help: "Uses of tokens in secrets that had been taken back because nobody used them.",
  },
  validTokens: {
    name: "serviceaccount_valid_tokens_total",
    type: "counter",
    labels: [],
    help: "Uses of bound tokens before they should be replaced.",
  },
  staleTokens: {
    name: "serviceaccount_stale_tokens_total",
    type: "counter",
    labels: [],
    help: "Uses of bound tokens after they should have been replaced.",
  },
} satisfies Record<string, MetricDefinition>;
