// One call of one webhook: whether it is to be called, the question, the answer, and what becomes of a failure.
import { asError } from "../../machinery/aggregate_error.ts";
import { StatusError, timeoutError } from "../../machinery/errors.ts";
import { logWarning } from "../../logging/mod.ts";
import type { AdmissionAttributes } from "../interface.ts";
import { type Match, matchRequest } from "../matching/match.ts";
import { inVersion, type VersionedObjects } from "../matching/versioned.ts";
import type { PluginContext } from "../plugins/context.ts";
import { postReview } from "./client.ts";
import type { CredentialsOf } from "./credentials.ts";
import { displayed, endpointOf, urlOf } from "./endpoint.ts";
import { CallError, denial, dryRunUnsupported } from "./errors.ts";
import type { Hook, Webhook } from "./hooks.ts";
import { readResponse, type Review, reviewOf, type ReviewResponse, reviewVersion } from "./review.ts";

const DEFAULT_TIMEOUT_SECONDS = 10;
const WITHOUT_SIDE_EFFECTS = new Set(["None", "NoneOnDryRun"]);

/** A webhook that is about the request. */
export interface Invocation {
  hook: Hook;
  match: Match;
  objects: VersionedObjects;
}

export interface CallContext extends PluginContext {
  type: "admit" | "validating";
  credentials: CredentialsOf;
}

/** Undefined when the webhook is not about the request. Throws a StatusError when that cannot be found out. */
export async function invocationOf(
  hook: Hook,
  attributes: AdmissionAttributes,
  context: CallContext,
): Promise<Invocation | undefined> {
  const { rules = [], ...criteria } = hook.webhook;
  const match = await matchRequest({ ...criteria, rules }, attributes, context);
  if (match === undefined) return undefined;
  const invocation = { hook, match, objects: await inVersion(attributes, match.kind) };
  if (hook.webhook.matchConditions === undefined || hook.webhook.matchConditions.length === 0) return invocation;
  const { matchesConditions } = await import("./match_conditions.ts");
  return await matchesConditions(invocation, attributes, context) ? invocation : undefined;
}

/**
 * The answer of a webhook that lets the request pass. Throws a CallError when there is none, and a StatusError when the
 * webhook says no or cannot be asked.
 */
async function ask(
  { hook: { webhook }, match, objects }: Invocation,
  attributes: AdmissionAttributes,
  context: CallContext,
): Promise<ReviewResponse> {
  if (attributes.dryRun && !WITHOUT_SIDE_EFFECTS.has(webhook.sideEffects ?? "")) {
    throw dryRunUnsupported(webhook.name);
  }
  const fail = (what: string, e: unknown, code: number) =>
    new CallError(webhook.name, `${what}: ${asError(e).message}`, code);
  let version: string;
  try {
    version = reviewVersion(webhook.admissionReviewVersions);
  } catch (e) {
    throw fail("could not create admission objects", e, 400);
  }
  const { uid, review } = reviewOf(version, { attributes, match, objects });
  const answer = await post(webhook, review, attributes, context).catch((e) => {
    throw fail("failed to call webhook", e, e instanceof StatusError ? e.code : 503);
  });
  let response: ReviewResponse;
  try {
    response = readResponse(version, answer, { uid, mutating: context.type === "admit" });
  } catch (e) {
    throw fail("received invalid webhook response", e, 503);
  }
  for (const [key, value] of Object.entries(response.auditAnnotations)) {
    attributes.addAuditAnnotation(`${webhook.name}/${key}`, value);
  }
  response.warnings.forEach(attributes.addWarning);
  if (!response.allowed) throw denial(webhook.name, response.result);
  return response;
}

async function post(
  { clientConfig, timeoutSeconds: timeout = DEFAULT_TIMEOUT_SECONDS }: Webhook,
  review: Review,
  { signal }: AdmissionAttributes,
  { resolveService, credentials }: CallContext,
) {
  const endpoint = await endpointOf(clientConfig, resolveService).catch((e) => {
    const url = `${displayed(clientConfig, urlOf(clientConfig))}?timeout=${timeout}s`;
    throw new Error(`Post "${url}": ${asError(e).message}`);
  });
  return await postReview(endpoint, review, {
    timeout,
    signal,
    credentials: credentials(endpoint.serverName, endpoint.targetPort),
  });
}

/**
 * Calls and counts. Undefined when the webhook failed and its policy says to ignore that.
 * @param options.failedOpen told then
 */
export async function callHook(
  invocation: Invocation,
  attributes: AdmissionAttributes,
  context: CallContext,
  failedOpen: () => void,
): Promise<ReviewResponse | undefined> {
  const { webhook } = invocation.hook, started = performance.now();
  try {
    const response = await ask(invocation, attributes, context);
    observe(webhook, attributes, context, { code: 200, rejected: false, started });
    return response;
  } catch (e) {
    if (!(e instanceof CallError) || webhook.failurePolicy !== "Ignore") {
      const code = e instanceof CallError || e instanceof StatusError ? e.code : 0;
      observe(webhook, attributes, context, { code, rejected: true, started, error: e });
      throw e instanceof CallError ? e.toStatus() : e;
    }
    observe(webhook, attributes, context, { code: e.code, rejected: false, started });
    context.metrics.add("webhookFailOpen", { name: webhook.name, type: context.type });
    logWarning("Failed calling a webhook, failing open", { webhook: webhook.name, error: e.message });
    failedOpen();
    if (attributes.signal.aborted) throw timeoutError("request did not complete within requested timeout", 0);
    return undefined;
  }
}

interface Outcome {
  code: number;
  rejected: boolean;
  started: number;
  error?: unknown;
}

function observe(
  { name }: Webhook,
  { operation }: AdmissionAttributes,
  { metrics, type }: CallContext,
  { code, rejected, started, error }: Outcome,
): void {
  const labels = { name, type, operation, rejected: String(rejected) };
  metrics.observe("webhookDuration", labels, (performance.now() - started) / 1000);
  // Codes that no answer has are counted as the worst there is.
  metrics.add("webhookRequests", { ...labels, code: String(Math.min(code, 600)) });
  if (!rejected) return;
  const error_type = error instanceof CallError
    ? "calling_webhook_error"
    : error instanceof StatusError
    ? "no_error"
    : "apiserver_internal_error";
  metrics.add("webhookRejections", { name, type, operation, error_type, rejection_code: String(Math.min(code, 600)) });
}
