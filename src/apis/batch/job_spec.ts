// The specification of a job, as jobs and the templates of cron jobs have it.
import { validateDomainPrefixedPath, validateQualifiedName } from "../../machinery/validation/domains.ts";
import type { Field } from "../../machinery/validation/field.ts";
import { goQuote } from "../../machinery/go_text.ts";
import { byteLength } from "../../machinery/validation/names.ts";
import { validateNonnegative } from "../../machinery/validation/numbers.ts";
import { setPodTemplateDefaults } from "../core/pod_spec/defaults.ts";
import { podRules } from "../core/pod_spec/later.ts";
import type { PodOptions } from "../core/pod_spec/options.ts";
import type * as v1 from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import { templateWarnings } from "../workload.ts";
import { countIndexes } from "./job_indexes.ts";

const MAX_INT32 = 2 ** 31 - 1;
const MAX_PARALLELISM = 100_000;
const MAX_FAILED_INDEXES = 100_000;
/** Above so many completions, jobs with a backoff limit for each index have lower limits. */
const MANY_COMPLETIONS = 100_000;
const MAX_PARALLELISM_OF_MANY = 10_000;
const MAX_FAILED_INDEXES_OF_MANY = 10_000;
const MAX_MANAGED_BY = 63;
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_CONDITION_PATTERNS = 20;
const MAX_INDEXES_TEXT = 64 * 1024;

/** Defaults that hold for jobs themselves and, of these, the ones that hold for templates of jobs too. */
export function setJobTemplateDefaults(spec: v1.JobSpec): void {
  for (const rule of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= "True";
  }
  setPodTemplateDefaults(spec.template ??= {});
}

export function setJobSpecDefaults(spec: v1.JobSpec): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : MAX_INT32;
  spec.completionMode ??= "NonIndexed";
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? "Failed" : "TerminatingOrFailed";
  spec.manualSelector ??= false;
  setJobTemplateDefaults(spec);
}

const COUNTS = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
] as const;

const COMPLETION_MODES = ["NonIndexed", "Indexed"];
const REPLACEMENT_POLICIES = ["Failed", "TerminatingOrFailed"];

/** Everything but the selector, which templates do not have. */
export function validateJobTemplateSpec(spec: v1.JobSpec, at: Field, options: PodOptions): void {
  for (const member of COUNTS) validateNonnegative(spec[member], at.child(member));
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    at.child("backoffLimitPerIndex").required("when maxFailedIndexes is specified");
  }
  if (spec.managedBy !== undefined) {
    validateDomainPrefixedPath(spec.managedBy, at.child("managedBy"));
    if (byteLength(spec.managedBy) > MAX_MANAGED_BY) at.child("managedBy").tooLong(MAX_MANAGED_BY);
  }
  validateCompletionMode(spec, at);
  if (spec.podFailurePolicy) validateFailurePolicy(spec, at.child("podFailurePolicy"));
  if (spec.successPolicy) {
    const field = at.child("successPolicy");
    if (spec.completionMode !== "Indexed") {
      field.invalid(internalForm("SuccessPolicy", spec.successPolicy), "requires indexed completion mode");
    } else validateSuccessPolicy(spec, field);
  }
  validateReplacementPolicy(spec, at.child("podReplacementPolicy"));
  podRules.module.validatePodTemplate(spec.template ?? {}, at.child("template"), options);
  validateRestartPolicy(spec, at.child("template").child("spec", "restartPolicy"));
}

function validateCompletionMode(spec: v1.JobSpec, at: Field): void {
  const { completionMode: mode = "NonIndexed", backoffLimitPerIndex, maxFailedIndexes } = spec;
  if (!COMPLETION_MODES.includes(mode)) at.child("completionMode").notSupportedInOrder(mode, COMPLETION_MODES);
  if (mode === "Indexed") validateIndexed(spec, at);
  if (mode !== "NonIndexed") return;
  if (backoffLimitPerIndex !== undefined) {
    at.child("backoffLimitPerIndex").invalid(backoffLimitPerIndex, "requires indexed completion mode");
  }
  if (maxFailedIndexes !== undefined) {
    at.child("maxFailedIndexes").invalid(maxFailedIndexes, "requires indexed completion mode");
  }
}

function validateIndexed(spec: v1.JobSpec, at: Field): void {
  const { completions, parallelism = 0, maxFailedIndexes } = spec;
  const failed = at.child("maxFailedIndexes"), parallel = at.child("parallelism");
  if (completions === undefined) at.child("completions").required("when completion mode is Indexed");
  if (parallelism > MAX_PARALLELISM) {
    parallel.invalid(
      parallelism,
      `must be less than or equal to ${MAX_PARALLELISM} when completion mode is Indexed`,
    );
  }
  if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions) {
    failed.invalid(maxFailedIndexes, "must be less than or equal to completions");
  }
  if (maxFailedIndexes !== undefined && maxFailedIndexes > MAX_FAILED_INDEXES) {
    failed.invalid(maxFailedIndexes, `must be less than or equal to ${MAX_FAILED_INDEXES}`);
  }
  if (completions === undefined || completions <= MANY_COMPLETIONS || spec.backoffLimitPerIndex === undefined) return;
  if (maxFailedIndexes === undefined) {
    failed.required(`must be specified when completions is above ${MANY_COMPLETIONS}`);
  }
  const above = (max: number) =>
    `must be less than or equal to ${max} when completions are above ${MANY_COMPLETIONS} and used with backoff limit ` +
    "per index";
  if (parallelism > MAX_PARALLELISM_OF_MANY) parallel.invalid(parallelism, above(MAX_PARALLELISM_OF_MANY));
  if ((maxFailedIndexes ?? 0) > MAX_FAILED_INDEXES_OF_MANY) {
    failed.invalid(maxFailedIndexes, above(MAX_FAILED_INDEXES_OF_MANY));
  }
}

function validateReplacementPolicy(spec: v1.JobSpec, at: Field): void {
  const policy = spec.podReplacementPolicy;
  if (policy === undefined) return;
  const supported = spec.podFailurePolicy ? ["Failed"] : REPLACEMENT_POLICIES;
  if (!supported.includes(policy)) at.notSupported(policy, supported);
}

function validateRestartPolicy(spec: v1.JobSpec, at: Field): void {
  const policy = spec.template?.spec?.restartPolicy ?? "";
  if (policy === "" || policy === "Always") at.required('valid values: "OnFailure", "Never"');
  else if (policy !== "OnFailure" && policy !== "Never") at.notSupportedInOrder(policy, ["OnFailure", "Never"]);
  else if (spec.podFailurePolicy && policy !== "Never") {
    at.invalid(policy, 'only "Never" is supported when podFailurePolicy is specified');
  }
}

const ACTIONS = ["Count", "FailIndex", "FailJob", "Ignore"];
const EXIT_CODE_OPERATORS = ["In", "NotIn"];
const CONDITION_STATUSES = ["False", "True", "Unknown"];

/** What Go prints of a list of names: `["In" "NotIn"]`. */
function validValues(values: readonly string[]): string {
  return `valid values: [${values.map(goQuote).join(" ")}]`;
}

/** How failures of pods count (KEP-3329). */
function validateFailurePolicy(spec: v1.JobSpec, at: Field): void {
  const rules = spec.podFailurePolicy?.rules ?? [], field = at.child("rules");
  if (rules.length > MAX_RULES) field.tooMany(rules.length, MAX_RULES);
  const pod = spec.template?.spec ?? {};
  const names = new Set([...pod.containers ?? [], ...pod.initContainers ?? []].map((c) => c.name ?? ""));
  rules.forEach((rule, i) => {
    const place = field.index(i);
    validateAction(rule.action ?? "", place.child("action"), spec);
    const conditions = rule.onPodConditions ?? [];
    if (rule.onExitCodes) validateExitCodes(rule.onExitCodes, place.child("onExitCodes"), names);
    if (conditions.length > 0) validateConditionPatterns(conditions, place.child("onPodConditions"));
    if (rule.onExitCodes && conditions.length > 0) {
      place.invalidUnseen("specifying both OnExitCodes and OnPodConditions is not supported");
    }
    if (!rule.onExitCodes && conditions.length === 0) {
      place.invalidUnseen("specifying one of OnExitCodes and OnPodConditions is required");
    }
  });
}

function validateAction(action: string, at: Field, spec: v1.JobSpec): void {
  if (action === "") at.required(validValues(ACTIONS));
  else if (!ACTIONS.includes(action)) at.notSupported(action, ACTIONS);
  else if (action === "FailIndex" && spec.backoffLimitPerIndex === undefined) {
    at.invalid(action, "requires the backoffLimitPerIndex to be set");
  }
}

function validateConditionPatterns(patterns: readonly v1.PodFailurePolicyOnPodConditionsPattern[], at: Field): void {
  if (patterns.length > MAX_CONDITION_PATTERNS) at.tooMany(patterns.length, MAX_CONDITION_PATTERNS);
  patterns.forEach(({ type = "", status = "" }, i) => {
    validateQualifiedName(type, at.index(i).child("type"));
    const field = at.index(i).child("status");
    if (status === "") field.required(validValues(CONDITION_STATUSES));
    else if (!CONDITION_STATUSES.includes(status)) field.notSupported(status, CONDITION_STATUSES);
  });
}

function validateExitCodes(
  requirement: v1.PodFailurePolicyOnExitCodesRequirement,
  at: Field,
  names: ReadonlySet<string>,
): void {
  const { operator = "", containerName } = requirement, values = requirement.values ?? [];
  if (operator === "") at.child("operator").required(validValues(EXIT_CODE_OPERATORS));
  else if (!EXIT_CODE_OPERATORS.includes(operator)) at.child("operator").notSupported(operator, EXIT_CODE_OPERATORS);
  if (containerName !== undefined && !names.has(containerName)) {
    at.child("containerName").invalid(
      containerName,
      "must be one of the container or initContainer names in the pod template",
    );
  }
  const field = at.child("values");
  if (values.length === 0) field.invalid(requirement.values ?? null, "at least one value is required");
  else if (values.length > MAX_EXIT_CODES) field.tooMany(values.length, MAX_EXIT_CODES);
  const seen = new Set<number>();
  values.forEach((value, i) => {
    if (operator === "In" && value === 0) field.index(i).invalid(value, "must not be 0 for the In operator");
    if (seen.has(value)) field.index(i).duplicate(value);
    seen.add(value);
  });
  if (values.some((value, i) => i > 0 && values[i - 1] > value)) field.invalid(values, "must be ordered");
}

/** When an indexed job is done although not all of its indexes are (KEP-3998). */
function validateSuccessPolicy(spec: v1.JobSpec, at: Field): void {
  const rules = spec.successPolicy?.rules ?? [], field = at.child("rules"), completions = spec.completions ?? 0;
  if (rules.length === 0) {
    field.required("at least one rules must be specified when the successPolicy is specified");
  }
  if (rules.length > MAX_RULES) field.tooMany(rules.length, MAX_RULES);
  rules.forEach(({ succeededCount: count, succeededIndexes: indexes }, i) => {
    const place = field.index(i);
    if (count === undefined && indexes === undefined) {
      place.required("at least one of succeededCount or succeededIndexes must be specified");
    }
    let total = 0;
    if (indexes !== undefined) {
      const text = place.child("succeededIndexes");
      if (byteLength(indexes) > MAX_INDEXES_TEXT) text.tooLong(MAX_INDEXES_TEXT);
      const counted = countIndexes(indexes, completions);
      if (typeof counted === "number") total = counted;
      else text.invalid(indexes, `error parsing succeededIndexes: ${counted}`);
    }
    if (count === undefined) return;
    const number = place.child("succeededCount");
    validateNonnegative(count, number);
    if (count > completions) {
      number.invalid(count, `must be less than or equal to ${completions} (the number of specified completions)`);
    }
    if (indexes !== undefined && count > total) {
      number.invalid(
        count,
        `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`,
      );
    }
  });
}

const HARD_TO_TRACK =
  "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, " +
  "Kubernetes might not be able to track completedIndexes when a big number of indexes fail";

/** `at` is the text of the spec's path. */
export function jobSpecWarnings(spec: v1.JobSpec, at: string): string[] {
  const many = spec.completionMode === "Indexed" && (spec.completions ?? 0) > MANY_COMPLETIONS &&
    (spec.parallelism ?? 0) > MAX_PARALLELISM_OF_MANY;
  return [...many ? [`${at}: ${HARD_TO_TRACK}`] : [], ...templateWarnings(spec.template, `${at}.template`)];
}
