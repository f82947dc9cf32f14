// What the configurations of mutating and validating webhooks have in common.
import type { KubeObject } from "../../machinery/types.ts";
import {
  collect,
  deepEqual,
  type Field,
  isDNS1035Label,
  isUnset,
  validateFullyQualifiedName,
  validateLabelSelector,
} from "../../machinery/validation/mod.ts";
import { validateWebhookService, validateWebhookUrl } from "../../machinery/validation/webhook_client.ts";
import { AGE, integer, NAME } from "../columns.ts";
import type { MutatingWebhook, WebhookClientConfig } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta } from "../meta.ts";
import { checkConditions } from "./conditions.ts";
import { CONFIGURATION_KIND } from "./configuration_kind.ts";
import { loadPolicyCompiler } from "./expressions.ts";
import { checkOneOf, FAILURE_POLICIES, REINVOCATION_POLICIES } from "./one_of.ts";
import { checkRuleWithOperations } from "./rules.ts";

/** A validating webhook has the same members but for the reinvocation policy. */
type Webhook = MutatingWebhook;
type Configuration = KubeObject & { webhooks?: Webhook[] };

const MATCH_POLICIES = ["Equivalent", "Exact"];
const NO_SIDE_EFFECTS = ["None", "NoneOnDryRun"];
const SIDE_EFFECTS = [...NO_SIDE_EFFECTS, "Some", "Unknown"];
const REVIEW_VERSIONS = ["v1", "v1beta1"];
const MAX_SECONDS = 30;

function setDefaults(webhook: Webhook, mutating: boolean): void {
  webhook.failurePolicy ??= "Fail";
  webhook.matchPolicy ??= "Equivalent";
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  if (mutating) webhook.reinvocationPolicy ??= "Never";
  if (webhook.clientConfig?.service) webhook.clientConfig.service.port ??= 443;
  for (const rule of webhook.rules ?? []) rule.scope ??= "*";
}

/** What old configurations may keep although it would be refused in new ones. */
interface Options {
  allowSideEffects: boolean;
  allowUnknownReviews: boolean;
  allowSameNames: boolean;
  allowInvalidValues: boolean;
  ignoreConditions: boolean;
}

function optionsOf(webhooks: readonly Webhook[], old: readonly Webhook[] | undefined): Options {
  if (old === undefined) {
    return {
      allowSideEffects: false,
      allowUnknownReviews: false,
      allowSameNames: false,
      allowInvalidValues: false,
      ignoreConditions: false,
    };
  }
  const badSelector = ({ namespaceSelector, objectSelector }: Webhook) =>
    [namespaceSelector, objectSelector].some((s) => collect((at) => validateLabelSelector(s, at)).length > 0);
  return {
    allowSideEffects: old.some(({ sideEffects }) => !NO_SIDE_EFFECTS.includes(sideEffects ?? "")),
    allowUnknownReviews: old.some(({ admissionReviewVersions: v }) => (v?.length ?? 0) > 0 && !hasKnownVersion(v!)),
    allowSameNames: new Set(old.map(({ name }) => name)).size < old.length,
    allowInvalidValues: old.some(badSelector),
    ignoreConditions: webhooks.length === old.length &&
      old.every((webhook, i) => deepEqual(webhooks[i].matchConditions, webhook.matchConditions)),
  };
}

function check(configuration: Configuration, root: Field, old?: Configuration): void {
  const webhooks = configuration.webhooks ?? [], names = new Set<string>();
  const options = optionsOf(webhooks, old && (old.webhooks ?? []));
  checkMeta(configuration, root, { namespaced: false, standardFinalizers: false });
  webhooks.forEach((webhook, i) => {
    const at = root.child("webhooks").index(i), { name = "" } = webhook;
    checkWebhook(webhook, at, options);
    checkReviewVersions(webhook.admissionReviewVersions ?? [], at.child("admissionReviewVersions"), options);
    if (!options.allowSameNames && name !== "" && names.has(name)) at.child("name").duplicate(name);
    names.add(name);
  });
}

function checkWebhook(webhook: Webhook, at: Field, options: Options): void {
  const { name = "", rules = [], sideEffects, timeoutSeconds, clientConfig = {} } = webhook;
  validateFullyQualifiedName(name, at.child("name"));
  rules.forEach((rule, i) => checkRuleWithOperations(rule, at.child("rules").index(i)));
  checkOneOf(webhook.failurePolicy, at.child("failurePolicy"), FAILURE_POLICIES);
  checkOneOf(webhook.matchPolicy, at.child("matchPolicy"), MATCH_POLICIES);
  const allowed = options.allowSideEffects ? SIDE_EFFECTS : NO_SIDE_EFFECTS;
  if (isUnset(sideEffects)) at.child("sideEffects").required(`must specify one of ${allowed.join(", ")}`);
  else checkOneOf(sideEffects, at.child("sideEffects"), allowed);
  if (timeoutSeconds !== undefined && (timeoutSeconds > MAX_SECONDS || timeoutSeconds < 1)) {
    at.child("timeoutSeconds").invalid(timeoutSeconds, "the timeout value must be between 1 and 30 seconds");
  }
  validateLabelSelector(webhook.namespaceSelector, at.child("namespaceSelector"), options);
  validateLabelSelector(webhook.objectSelector, at.child("objectSelector"), options);
  checkOneOf(webhook.reinvocationPolicy, at.child("reinvocationPolicy"), REINVOCATION_POLICIES);
  checkClient(clientConfig, at.child("clientConfig"));
  if (!options.ignoreConditions) {
    checkConditions(webhook.matchConditions ?? [], at.child("matchConditions"), { params: false });
  }
}

function checkClient({ url, service }: WebhookClientConfig, at: Field): void {
  if ((url === undefined) === !service) at.required("exactly one of url or service is required");
  else if (url !== undefined) validateWebhookUrl(url, at.child("url"));
  // The real server takes name and namespace for each other.
  else if (service) {
    validateWebhookService({ ...service, name: service.namespace, namespace: service.name }, at.child("service"));
  }
}

function hasKnownVersion(versions: readonly string[]): boolean {
  return versions.some((version) => REVIEW_VERSIONS.includes(version));
}

function checkReviewVersions(versions: readonly string[], at: Field, { allowUnknownReviews }: Options): void {
  const known = REVIEW_VERSIONS.join(", ");
  if (versions.length === 0) return at.required(`must specify one of ${known}`);
  versions.forEach((version, i) => {
    if (versions.indexOf(version) < i) at.index(i).invalid(version, "duplicate version");
    else at.index(i).invalidEach(version, isDNS1035Label(version));
  });
  if (!allowUnknownReviews && !hasKnownVersion(versions)) at.invalid(versions, `must include at least one of ${known}`);
}

/** A kind of configuration: the two differ by whether webhooks may change objects. */
export function configurationKind(
  kind: string,
  resource: string,
  { mutating }: { mutating: boolean },
): KindDefinition<Configuration> {
  return {
    gvk: { group: "admissionregistration.k8s.io", version: "v1", kind },
    resource,
    ...CONFIGURATION_KIND,
    async load({ webhooks }) {
      if (webhooks?.some(({ matchConditions }) => matchConditions?.length)) await loadPolicyCompiler();
    },
    setDefaults: ({ webhooks }) => webhooks?.forEach((webhook) => setDefaults(webhook, mutating)),
    validate: (object) => collect((root) => check(object, root)),
    validateUpdate: (object, old) => collect((root) => check(object, root, old)),
    columns: [NAME, integer("Webhooks", "Number of webhooks.", ({ webhooks }) => webhooks?.length ?? 0), AGE],
  };
}
