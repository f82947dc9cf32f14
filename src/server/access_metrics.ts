// What is measured of authentication and authorization. What every request records has its labels looked up once.
import { hash } from "node:crypto";
import type { AuthenticationResponse } from "../authentication/interface.ts";
import type { TokenUse } from "../authentication/service_accounts/interface.ts";
import type { TokenCacheObserver } from "../authentication/token_cache.ts";
import type { JwtObserver } from "../authentication/oidc/interface.ts";
import type { WebhookAuthorizerObserver } from "../authorization/webhook.ts";
import type { WebhookObserver } from "../client/webhook.ts";
import type { Metrics } from "../metrics/mod.ts";
import type { AuthenticationResult } from "./filters/authentication.ts";
import type { AuthorizationOutcome } from "./filters/authorization.ts";
import type { ImpersonationObserver } from "./filters/impersonation.ts";
import { serverId } from "./identity.ts";
import type { ReloadObserver } from "./reloaded_file.ts";

const COUNTED_USERS = new Set([
  "admin",
  "client",
  "kube_proxy",
  "kubelet",
  "system:serviceaccount:kube-system:default",
]);

/** Few labels for any number of users, as in kube-apiserver. */
function countedUser(name: string): string {
  return COUNTED_USERS.has(name) ? name : name.includes("@") ? "email_id" : "other";
}

/** Makes something for each of a few labels when it is first asked for. */
function perLabel<L extends string, T>(make: (label: L) => T): (label: L) => T {
  const made = new Map<L, T>();
  return (label) => {
    let found = made.get(label);
    if (found === undefined) made.set(label, found = make(label));
    return found;
  };
}

export function authenticationObserver(metrics: Metrics) {
  const results = perLabel((result: AuthenticationResult) => ({
    count: metrics.adder("authenticationAttempts", { result }),
    took: metrics.observer("authenticationDuration", { result }),
  }));
  const users = perLabel((username: string) => metrics.adder("authenticatedRequests", { username }));
  return (result: AuthenticationResult, found: AuthenticationResponse | undefined, seconds: number): void => {
    const { count, took } = results(result);
    count();
    took(seconds);
    if (found !== undefined) users(countedUser(found.user.name))();
  };
}

export function authorizationObserver(metrics: Metrics) {
  const results = perLabel((result: AuthorizationOutcome) => ({
    count: metrics.adder("authorizationAttempts", { result }),
    took: metrics.observer("authorizationDuration", { result }),
  }));
  return (result: AuthorizationOutcome, seconds: number): void => {
    const { count, took } = results(result);
    count();
    took(seconds);
  };
}

export function tokenCacheObserver(metrics: Metrics): TokenCacheObserver {
  const requests = perLabel((status: "hit" | "miss") => ({
    count: metrics.adder("tokenCacheRequests", { status }),
    took: metrics.observer("tokenCacheDuration", { status }),
  }));
  const fetched = perLabel((status: "ok" | "error") => metrics.adder("tokenCacheFetches", { status }));
  const inFlight = metrics.adder("tokenCacheActive", { status: "in_flight" });
  const blocked = metrics.adder("tokenCacheActive", { status: "blocked" });
  return {
    request(hit, seconds) {
      const { count, took } = requests(hit ? "hit" : "miss");
      count();
      took(seconds);
    },
    waiting: (by) => blocked(by),
    fetching: () => inFlight(1),
    fetched(ok) {
      inFlight(-1);
      fetched(ok ? "ok" : "error")();
    },
  };
}

const TOKEN_USES = [
  "legacyTokens",
  "legacyAutoTokens",
  "invalidLegacyAutoTokens",
  "legacyManualTokens",
  "validTokens",
  "staleTokens",
] as const;

/** Uses of service account tokens: each kind is there from the start. */
export function tokenUseCounter(metrics: Metrics): (use: TokenUse) => void {
  const uses = new Map<TokenUse, () => void>(TOKEN_USES.map((use) => [use, metrics.adder(use, {})]));
  return (use) => uses.get(use)!();
}

export function impersonationObserver(metrics: Metrics): ImpersonationObserver {
  const decision = (allowed: boolean) => allowed ? "allowed" : "denied";
  return {
    attempt(mode, allowed, seconds) {
      const labels = { mode, decision: decision(allowed) };
      metrics.add("impersonations", labels);
      metrics.observe("impersonationDuration", labels, seconds);
    },
    check(verb, allowed, seconds) {
      const labels = { mode: modeOf(verb), decision: decision(allowed) };
      metrics.add("impersonationChecks", labels);
      metrics.observe("impersonationCheckDuration", labels, seconds);
    },
  };
}

/** `impersonate:MODE`, `impersonate-on:MODE:VERB`; the legacy mode's is `impersonate`. */
function modeOf(verb: string): string {
  return verb.split(":")[1] ?? "legacy";
}

/** Calls of one authorization webhook. */
export function authorizationWebhookObserver(metrics: Metrics, name: string): WebhookObserver {
  return (result, seconds) => {
    metrics.add("authorizationWebhookCalls", { name, result });
    metrics.observe("authorizationWebhookDuration", { name, result }, seconds);
  };
}

export function webhookAuthorizerObserver(metrics: Metrics, name: string): WebhookAuthorizerObserver {
  const labels = { type: "Webhook", name };
  return {
    failedOpen: (result) => metrics.add("authorizationWebhookFailOpen", { name, result }),
    matched({ matches, failed }, seconds) {
      metrics.observe("matchConditionDuration", labels, seconds);
      if (failed) metrics.add("matchConditionErrors", labels);
      if (matches === false) metrics.add("matchConditionExclusions", labels);
    },
  };
}

const RELOADS = {
  authentication: ["authenticationReloads", "authenticationReloaded", "authenticationConfigInfo"],
  authorization: ["authorizationReloads", "authorizationReloaded", "authorizationConfigInfo"],
} as const;

/** Changes of a configuration file. @param text what it holds at the start */
export function reloadObserver(metrics: Metrics, what: keyof typeof RELOADS, text: string): ReloadObserver {
  const [reloads, reloaded, used] = RELOADS[what], server = { apiserver_id_hash: digest(serverId()) };
  let info = { ...server, hash: digest(text) };
  metrics.set(used, info, 1);
  return {
    loaded(text) {
      count("success");
      metrics.remove(used, info);
      info = { ...server, hash: digest(text) };
      metrics.set(used, info, 1);
    },
    failed: () => count("failure"),
  };

  function count(status: string): void {
    metrics.add(reloads, { status, ...server });
    metrics.set(reloaded, { status, ...server }, Date.now() / 1000);
  }
}

/** Tokens and keys of issuers. When the configuration changes there are new observers, and the keys stay the same. */
export class JwtMeasures {
  readonly #metrics: Metrics;
  readonly #server = { apiserver_id_hash: digest(serverId()) };
  /** By issuer the keys that it gave last; undefined as long as it gave none. */
  readonly #keys = new Map<string, string | undefined>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** @param replaced when there is another observer: keys that still come are not told of */
  observer(issuer: string, replaced: AbortSignal): JwtObserver {
    const jwt_issuer_hash = digest(issuer);
    return {
      authenticated: (ok, seconds) =>
        this.#metrics.observe("jwtLatency", { result: ok ? "success" : "failure", jwt_issuer_hash }, seconds),
      fetched: (keys) => {
        if (!replaced.aborted) this.#fetched(issuer, keys);
      },
    };
  }

  /** Forgets the keys of all other issuers. */
  retain(issuers: readonly string[]): void {
    for (const [issuer, keys] of this.#keys) {
      if (issuers.includes(issuer)) continue;
      const labels = this.#labels(issuer);
      for (const result of ["success", "failure"]) this.#metrics.remove("jwksFetched", { result, ...labels });
      if (keys !== undefined) this.#metrics.remove("jwksInfo", { ...labels, hash: digest(keys) });
      this.#keys.delete(issuer);
    }
  }

  #fetched(issuer: string, keys: string | undefined): void {
    const labels = this.#labels(issuer), known = this.#keys.get(issuer);
    const result = keys === undefined ? "failure" : "success";
    this.#metrics.set("jwksFetched", { result, ...labels }, Date.now() / 1000);
    this.#keys.set(issuer, keys ?? known);
    if (keys === undefined || keys === known) return;
    if (known !== undefined) this.#metrics.remove("jwksInfo", { ...labels, hash: digest(known) });
    this.#metrics.set("jwksInfo", { ...labels, hash: digest(keys) }, 1);
  }

  #labels(issuer: string) {
    return { jwt_issuer_hash: digest(issuer), ...this.#server };
  }
}

function digest(text: string): string {
  return text === "" ? "" : `sha256:${hash("sha256", text)}`;
}
