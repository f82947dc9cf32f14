// Webhook: somebody else decides, asked with a SubjectAccessReview; the answers are remembered for a while.
import { resultOf, type Webhook } from "../client/webhook.ts";
import { logError } from "../logging/mod.ts";
import { ExpiringMap } from "../machinery/expiring_map.ts";
import { type AccessReviewSpec, accessReviewSpec } from "./access_review.ts";
import type { AuthorizationAttributes, AuthorizationResult, Authorizer, Decision, RuleResolver } from "./interface.ts";

/**
 * Whether a webhook is asked at all: false or an error from a condition may keep it out (KEP-3221).
 * @param failed called when some condition could not tell, whatever comes of it
 */
export type ReviewMatcher = (spec: AccessReviewSpec, failed?: () => void) => boolean;

export interface WebhookAuthorizerOptions {
  call: Webhook;
  version: "v1" | "v1beta1";
  /** Milliseconds that answers are remembered. */
  authorizedTtl: number;
  unauthorizedTtl: number;
  /** What holds when the webhook does not answer. */
  decisionOnError: Decision;
  /** Throws an Error when it cannot tell. */
  matches?: ReviewMatcher;
  observe?: WebhookAuthorizerObserver;
}

export interface WebhookAuthorizerObserver {
  /** The webhook did not answer, which left the decision to others. */
  failedOpen(result: "timeout" | "error"): void;
  /** The match conditions were looked at: `matches` is undefined when they could not tell, `failed` when some could not. */
  matched(outcome: { matches: boolean | undefined; failed: boolean }, seconds: number): void;
}

const REMEMBERED = 8192;
/** Requests with more text than this are not remembered, bytes. */
const MAX_CACHED = 10_000;
const NO_OPINION: AuthorizationResult = { decision: "no opinion", reason: "" };

interface ReviewStatus {
  allowed?: boolean;
  denied?: boolean;
  reason?: string;
}

export function webhookAuthorizer(options: WebhookAuthorizerOptions): Authorizer & RuleResolver {
  return new WebhookAuthorizer(options);
}

class WebhookAuthorizer implements Authorizer, RuleResolver {
  readonly #options: WebhookAuthorizerOptions;
  readonly #answers = new ExpiringMap<AuthorizationResult>(REMEMBERED);

  constructor(options: WebhookAuthorizerOptions) {
    this.#options = options;
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationResult | Promise<AuthorizationResult> {
    const spec = accessReviewSpec(attributes);
    try {
      if (!this.#concerns(spec)) return NO_OPINION;
    } catch (e) {
      return this.#failed(e);
    }
    const key = JSON.stringify(spec), known = this.#answers.get(key);
    if (known !== undefined) return known;
    return this.#ask(spec).then((result) => {
      const { authorizedTtl, unauthorizedTtl } = this.#options;
      if (isSmall(attributes)) {
        this.#answers.set(key, result, result.decision === "allow" ? authorizedTtl : unauthorizedTtl);
      }
      return result;
    }, (e) => this.#unanswered(e));
  }

  rulesFor(): ReturnType<RuleResolver["rulesFor"]> {
    return Promise.resolve({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      error: new Error("webhook authorizer does not support user rule resolution"),
    });
  }

  /** Throws an Error when the conditions cannot tell. */
  #concerns(spec: AccessReviewSpec): boolean {
    const { matches, observe } = this.#options;
    if (matches === undefined) return true;
    const started = performance.now();
    const outcome: { matches: boolean | undefined; failed: boolean } = { matches: undefined, failed: false };
    try {
      return outcome.matches = matches(spec, () => outcome.failed = true);
    } finally {
      observe?.matched(outcome, (performance.now() - started) / 1000);
    }
  }

  async #ask(spec: AccessReviewSpec): Promise<AuthorizationResult> {
    const { version, call } = this.#options;
    const { status } = await call({
      kind: "SubjectAccessReview",
      apiVersion: `authorization.k8s.io/${version}`,
      metadata: {},
      spec: version === "v1" ? spec : { ...spec, groups: undefined, group: spec.groups },
      status: { allowed: false },
    });
    return answerOf(status as ReviewStatus | undefined ?? {});
  }

  #unanswered(error: unknown): AuthorizationResult {
    const { decisionOnError, observe } = this.#options;
    if (decisionOnError === "no opinion") observe?.failedOpen(resultOf(error));
    return this.#failed(error);
  }

  #failed(error: unknown): AuthorizationResult {
    logError("Failed to make webhook authorizer request", error);
    return { decision: this.#options.decisionOnError, reason: "", error: (error as Error).message };
  }
}

function answerOf({ allowed = false, denied = false, reason = "" }: ReviewStatus): AuthorizationResult {
  if (denied && allowed) {
    return { decision: "deny", reason, error: "webhook subject access review returned both allow and deny response" };
  }
  return { decision: denied ? "deny" : allowed ? "allow" : "no opinion", reason };
}

/** What a client can make as long as it likes does not fill the memory. */
function isSmall(a: AuthorizationAttributes): boolean {
  const texts = [a.namespace, a.verb, a.apiGroup, a.apiVersion, a.resource, a.subresource, a.name, a.path];
  return texts.reduce((sum, text) => sum + text.length, 0) < MAX_CACHED;
}
