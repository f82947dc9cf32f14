// How objects come from one version of a CRD to another: not at all, or by a webhook.
import {
  caBundleProblem,
  type Field,
  isDNS1035Label,
  validateWebhookService,
  validateWebhookUrl,
} from "../../machinery/validation/mod.ts";
import type { CustomResourceConversion, WebhookConversion } from "../../facts/generated/types.ts";

const STRATEGIES = ["None", "Webhook"];
/** Versions of ConversionReview that the server sends. */
const REVIEW_VERSIONS = ["v1", "v1beta1"];

export interface ConversionOptions {
  requireKnownReviewVersion: boolean;
  allowInvalidCABundle: boolean;
}

/** `at` is spec.conversion as the server sees it, where the members of `webhook` are its own. */
export function validateConversion(conversion: CustomResourceConversion, at: Field, options: ConversionOptions): void {
  const { strategy = "", webhook = {} } = conversion;
  if (strategy === "") at.child("strategy").required();
  else if (!STRATEGIES.includes(strategy)) at.child("strategy").notSupportedInOrder(strategy, STRATEGIES);
  const client = at.child("webhookClientConfig"), reviews = at.child("conversionReviewVersions");
  if (strategy === "Webhook") {
    if (!webhook.clientConfig) client.required("required when strategy is set to Webhook");
    else validateClient(webhook.clientConfig, client, options);
    return validateReviewVersions(webhook.conversionReviewVersions ?? [], reviews, options);
  }
  const detail = "should not be set when strategy is not set to Webhook";
  if (webhook.clientConfig) client.forbidden(detail);
  if (webhook.conversionReviewVersions?.length) reviews.forbidden(detail);
}

function validateClient(
  { url, service, caBundle = "" }: NonNullable<WebhookConversion["clientConfig"]>,
  at: Field,
  { allowInvalidCABundle }: ConversionOptions,
): void {
  if ((url === undefined) === (service === undefined)) at.required("exactly one of url or service is required");
  else if (url !== undefined) validateWebhookUrl(url, at.child("url"));
  else if (service !== undefined) {
    // The real server mixes the two up: of a service without namespace it says that the name is missing.
    const { name: namespace, namespace: name } = service;
    validateWebhookService({ ...service, name, namespace }, at.child("service"));
  }
  const problem = allowInvalidCABundle ? undefined : caBundleProblem(caBundle);
  if (problem !== undefined) at.child("caBundle").invalid(caBundle, problem);
}

function validateReviewVersions(versions: readonly string[], at: Field, options: ConversionOptions): void {
  if (versions.length === 0) return at.required();
  const seen = new Set<string>();
  versions.forEach((version, i) => {
    if (seen.has(version)) return at.index(i).invalid(version, "duplicate version");
    seen.add(version);
    at.index(i).invalidEach(version, isDNS1035Label(version));
  });
  if (options.requireKnownReviewVersion && !hasKnownReviewVersion(versions)) {
    at.invalid(versions, `must include at least one of ${REVIEW_VERSIONS.join(", ")}`);
  }
}

export function hasKnownReviewVersion(versions: readonly string[]): boolean {
  return versions.some((version) => REVIEW_VERSIONS.includes(version));
}
