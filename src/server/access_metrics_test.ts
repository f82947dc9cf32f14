import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { createMetrics } from "../metrics/mod.ts";
import {
  authenticationObserver,
  authorizationObserver,
  authorizationWebhookObserver,
  impersonationObserver,
  JwtMeasures,
  reloadObserver,
  tokenCacheObserver,
  tokenUseCounter,
  webhookAuthorizerObserver,
} from "./access_metrics.ts";
import { serverId } from "./identity.ts";

/** What the metrics say of names that start like this, without the buckets. */
async function lines(metrics: ReturnType<typeof createMetrics>, prefix: string): Promise<string[]> {
  const text = await metrics.text();
  return text.split("\n").filter((line) => line.startsWith(prefix) && !line.includes("_bucket")).sort();
}

function user(name: string) {
  return { user: { name, uid: "", groups: [], extra: {} } };
}

Deno.test("requests are counted by what became of them, users by the few names that are told apart", async () => {
  const metrics = createMetrics(), authenticated = authenticationObserver(metrics);
  authenticated("success", user("admin"), 0.5);
  authenticated("success", user("jane@example.com"), 0.25);
  authenticated("success", user("jane"), 0.25);
  authenticated("error", undefined, 0.125);
  authorizationObserver(metrics)("no-opinion", 0.5);
  assert.deepEqual(await lines(metrics, "authenti"), [
    'authenticated_user_requests{username="admin"} 1',
    'authenticated_user_requests{username="email_id"} 1',
    'authenticated_user_requests{username="other"} 1',
    'authentication_attempts{result="error"} 1',
    'authentication_attempts{result="success"} 3',
    'authentication_duration_seconds_count{result="error"} 1',
    'authentication_duration_seconds_count{result="success"} 3',
    'authentication_duration_seconds_sum{result="error"} 0.125',
    'authentication_duration_seconds_sum{result="success"} 1',
  ]);
  assert.deepEqual(await lines(metrics, "authorization_"), [
    'authorization_attempts_total{result="no-opinion"} 1',
    'authorization_duration_seconds_count{result="no-opinion"} 1',
    'authorization_duration_seconds_sum{result="no-opinion"} 0.5',
  ]);
});

Deno.test("look-ups of tokens, and those under way", async () => {
  const metrics = createMetrics(), cache = tokenCacheObserver(metrics);
  cache.request(true, 0);
  cache.fetching();
  cache.waiting(1);
  const during = await lines(metrics, "authentication_token_cache_active");
  assert.deepEqual(during.map((line) => line.at(-1)), ["1", "1"]);
  cache.fetched(false);
  cache.waiting(-1);
  cache.request(false, 0.5);
  assert.deepEqual(await lines(metrics, "authentication_token_cache"), [
    'authentication_token_cache_active_fetch_count{status="blocked"} 0',
    'authentication_token_cache_active_fetch_count{status="in_flight"} 0',
    'authentication_token_cache_fetch_total{status="error"} 1',
    'authentication_token_cache_request_duration_seconds_count{status="hit"} 1',
    'authentication_token_cache_request_duration_seconds_count{status="miss"} 1',
    'authentication_token_cache_request_duration_seconds_sum{status="hit"} 0',
    'authentication_token_cache_request_duration_seconds_sum{status="miss"} 0.5',
    'authentication_token_cache_request_total{status="hit"} 1',
    'authentication_token_cache_request_total{status="miss"} 1',
  ]);
});

Deno.test("uses of service account tokens are there from the start", async () => {
  const metrics = createMetrics(), count = tokenUseCounter(metrics);
  count("validTokens");
  assert.deepEqual(await lines(metrics, "serviceaccount_"), [
    "serviceaccount_invalid_legacy_auto_token_uses_total 0",
    "serviceaccount_legacy_auto_token_uses_total 0",
    "serviceaccount_legacy_manual_token_uses_total 0",
    "serviceaccount_legacy_tokens_total 0",
    "serviceaccount_stale_tokens_total 0",
    "serviceaccount_valid_tokens_total 1",
  ]);
});

Deno.test("impersonation by mode, and the rights that it asked for", async () => {
  const metrics = createMetrics(), observe = impersonationObserver(metrics);
  observe.check("impersonate-on:user-info:list", false, 0);
  observe.check("impersonate:serviceaccount", true, 0);
  observe.check("impersonate", true, 0);
  observe.attempt("legacy", true, 0);
  observe.attempt("", false, 0);
  const counts = (await lines(metrics, "apiserver_impersonation")).filter((line) => line.includes("_total"));
  assert.deepEqual(counts, [
    'apiserver_impersonation_attempts_total{mode="",decision="denied"} 1',
    'apiserver_impersonation_attempts_total{mode="legacy",decision="allowed"} 1',
    'apiserver_impersonation_authorization_attempts_total{mode="legacy",decision="allowed"} 1',
    'apiserver_impersonation_authorization_attempts_total{mode="serviceaccount",decision="allowed"} 1',
    'apiserver_impersonation_authorization_attempts_total{mode="user-info",decision="denied"} 1',
  ]);
});

Deno.test("authorization webhooks and their match conditions", async () => {
  const metrics = createMetrics(), observe = webhookAuthorizerObserver(metrics, "hook");
  authorizationWebhookObserver(metrics, "hook")("timeout", 1);
  observe.failedOpen("timeout");
  observe.matched({ matches: undefined, failed: true }, 0);
  observe.matched({ matches: false, failed: true }, 0);
  observe.matched({ matches: true, failed: false }, 0);
  const counts = (await lines(metrics, "apiserver_authorization_")).filter((line) => !line.includes("_sum"));
  assert.deepEqual(counts, [
    'apiserver_authorization_match_condition_evaluation_errors_total{type="Webhook",name="hook"} 2',
    'apiserver_authorization_match_condition_evaluation_seconds_count{type="Webhook",name="hook"} 3',
    'apiserver_authorization_match_condition_exclusions_total{type="Webhook",name="hook"} 1',
    'apiserver_authorization_webhook_duration_seconds_count{name="hook",result="timeout"} 1',
    'apiserver_authorization_webhook_evaluations_fail_open_total{name="hook",result="timeout"} 1',
    'apiserver_authorization_webhook_evaluations_total{name="hook",result="timeout"} 1',
  ]);
});

Deno.test("a configuration file that changes, and the digest of the one in use", async () => {
  const metrics = createMetrics(), observe = reloadObserver(metrics, "authorization", "first");
  const prefix = "apiserver_authorization_config_controller_";
  const of = async (name: string) =>
    (await lines(metrics, prefix + name)).map((line) => line.replace(/(?<=hash="sha256:.{6})[^"]*/g, ""));
  const [whole] = await lines(metrics, `${prefix}last_config_info`);
  assert.ok(
    whole.includes(`apiserver_id_hash="sha256:${hash("sha256", serverId())}"`),
    "the name it has in leases, too",
  );
  const [before] = await of("last_config_info");
  assert.match(before, /\{apiserver_id_hash="sha256:.{6}",hash="sha256:a7937b"\} 1$/);
  observe.failed();
  observe.loaded("second");
  const after = await of("last_config_info");
  assert.equal(after.length, 1);
  assert.match(after[0], /hash="sha256:16367a"\} 1$/);
  assert.deepEqual((await of("automatic_reloads_total")).map((line) => /status="(\w+)".* (\d)$/.exec(line)!.slice(1)), [
    ["failure", "1"],
    ["success", "1"],
  ]);
  assert.equal((await of("automatic_reload_last_timestamp_seconds")).length, 2);
});

Deno.test("tokens and keys of an issuer", async () => {
  const metrics = createMetrics(), measures = new JwtMeasures(metrics);
  const observe = measures.observer("https://issuer.example.com", new AbortController().signal);
  observe.authenticated(false, 0.5);
  for (const keys of ["a", "a", undefined, "b"]) observe.fetched(keys);
  const found = await lines(metrics, "apiserver_authentication_jwt_authenticator_");
  const count = (name: string) => found.filter((line) => line.includes(name)).length;
  assert.deepEqual([count("latency_seconds_count"), count("timestamp_seconds"), count("key_set_info")], [1, 2, 1]);
});

Deno.test("when the configuration changes, an issuer has one key set still, and one that is gone has none", async () => {
  const metrics = createMetrics(), measures = new JwtMeasures(metrics), replaced = new AbortController();
  const [stays, goes, silent] = ["stays", "goes", "silent"].map((name) => `https://${name}.example.com`);
  const first = [stays, goes, silent].map((issuer) => measures.observer(issuer, replaced.signal));
  first[0].fetched("old");
  first[1].fetched("other");
  first[2].fetched(undefined);
  replaced.abort();
  measures.retain([stays]);
  measures.observer(stays, new AbortController().signal).fetched("new");
  first[1].fetched("late");
  const prefix = "apiserver_authentication_jwt_authenticator_jwks_fetch_last_";
  const sha = (text: string) => `sha256:${hash("sha256", text)}`;
  const labels = `jwt_issuer_hash="${sha(stays)}",apiserver_id_hash="${sha(serverId())}"`;
  assert.deepEqual((await lines(metrics, prefix)).map((line) => line.replace(/ \S+$/, "")), [
    `${prefix}key_set_info{${labels},hash="${sha("new")}"}`,
    `${prefix}timestamp_seconds{result="success",${labels}}`,
  ]);
});
