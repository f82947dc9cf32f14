// What is reported of a job: counts, indexes and how it ended. Rules about a part hold when that part changes.
import { parseTime } from "../../machinery/time.ts";
import { deepEqual } from "../../machinery/validation/equality.ts";
import type { Field } from "../../machinery/validation/field.ts";
import type * as v1 from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import { validateNonnegative } from "../../machinery/validation/numbers.ts";
import { commonIndex, countIndexes } from "./job_indexes.ts";

export function jobCondition(status: v1.JobStatus | undefined, type: string): string | undefined {
  return status?.conditions?.find((condition) => condition.type === type)?.status;
}

/** Any condition of the type that is true, whatever others say. */
export function hasCondition(status: v1.JobStatus | undefined, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type && condition.status === "True") ?? false;
}

interface Change {
  spec: v1.JobSpec;
  now: v1.JobStatus;
  before: v1.JobStatus;
  /** Whether a condition, or finishing at all, is not what it was. */
  turned(...types: string[]): boolean;
  changed(member: keyof v1.JobStatus): boolean;
}

const COUNTS = ["active", "succeeded", "failed", "ready", "terminating"] as const;

/** `at` is the status. */
export function validateJobStatusUpdate(job: v1.Job, old: v1.Job, at: Field): void {
  const now = job.status ?? {}, before = old.status ?? {};
  const change: Change = {
    spec: job.spec ?? {},
    now,
    before,
    turned: (...types) => {
      const any = (status: v1.JobStatus) => types.some((type) => hasCondition(status, type));
      return any(now) !== any(before);
    },
    changed: (member) => !deepEqual(now[member], before[member]),
  };
  for (const member of COUNTS) validateNonnegative(now[member], at.child(member));
  validateUncounted(now.uncountedTerminatedPods, at.child("uncountedTerminatedPods"));
  validateEnd(change, at);
  validateFinished(change, at);
  validateIndexes(change, at);
  validateRunning(change, at);
  validateProgress(change, at);
}

function validateUncounted(pods: v1.UncountedTerminatedPods | undefined, at: Field): void {
  const seen = new Set<string>();
  for (const list of ["succeeded", "failed"] as const) {
    pods?.[list]?.forEach((uid, i) => {
      const field = at.child(list).index(i);
      if (uid === "") field.invalid(uid, "must not be empty");
      else if (seen.has(uid)) field.duplicate(uid);
      else seen.add(uid);
    });
  }
}

/** How it ended: completely, or not. */
function validateEnd({ now, turned, changed }: Change, at: Field): void {
  const complete = hasCondition(now, "Complete"), failed = hasCondition(now, "Failed");
  const conditions = at.child("conditions"), field = at.child("completionTime");
  if (turned("Complete") || turned("Failed")) {
    if (complete && failed) conditions.invalidUnseen("cannot set Complete=True and Failed=true conditions");
  }
  if ((turned("Complete") || turned("FailureTarget")) && complete && hasCondition(now, "FailureTarget")) {
    conditions.invalidUnseen("cannot set Complete=True and FailureTarget=true conditions");
  }
  const { completionTime: completed, startTime: started } = now;
  if (turned("Complete") || changed("completionTime")) {
    if (completed && !complete) {
      field.invalid(completed, "cannot set completionTime when there is no Complete=True condition");
    }
    if (!completed && complete) field.required("completionTime is required for Complete jobs");
  }
  const timesChanged = changed("startTime") || changed("completionTime");
  if (timesChanged && started && completed && parseTime(completed)! < parseTime(started)!) {
    field.invalid(completed, "must be equal to or after `startTime`");
  }
  if ((turned("Failed") || changed("failedIndexes")) && failed && !hasCondition(now, "FailureTarget")) {
    conditions.invalidUnseen("cannot set Failed=True condition without the FailureTarget=true condition");
  }
  if ((turned("Complete") || turned("SuccessCriteriaMet")) && complete && !hasCondition(now, "SuccessCriteriaMet")) {
    conditions.invalidUnseen("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
  }
}

function validateFinished({ spec, now, turned, changed }: Change, at: Field): void {
  if (!hasCondition(now, "Complete") && !hasCondition(now, "Failed")) return;
  const turns = turned("Complete", "Failed");
  if ((turns || changed("active")) && (now.active ?? 0) > 0) {
    at.child("active").invalid(now.active, "active>0 is invalid for finished job");
  }
  const neverStarts = spec.suspend === true && spec.completions === 0;
  if ((turns || changed("startTime")) && !neverStarts && !now.startTime) {
    at.child("startTime").required("startTime is required for finished job");
  }
  const pods = now.uncountedTerminatedPods;
  if ((turns || changed("uncountedTerminatedPods")) && (pods?.failed?.length || pods?.succeeded?.length)) {
    at.child("uncountedTerminatedPods").invalid(
      internalForm("UncountedTerminatedPods", pods),
      "must be empty for finished job",
    );
  }
}

function validateIndexes({ spec, now, changed }: Change, at: Field): void {
  const { completions } = spec, { completedIndexes: completed = "", failedIndexes: failed } = now;
  const completedChanged = changed("completedIndexes"), failedChanged = changed("failedIndexes");
  const completedField = at.child("completedIndexes"), failedField = at.child("failedIndexes");
  if (completedChanged && completions !== undefined) {
    const problem = countIndexes(completed, completions);
    if (typeof problem === "string") {
      completedField.invalid(completed, `error parsing completedIndexes: ${problem}`);
    }
  }
  const perIndex = spec.backoffLimitPerIndex !== undefined;
  if (failedChanged && completions !== undefined && perIndex && failed !== undefined) {
    const problem = countIndexes(failed, completions);
    if (typeof problem === "string") failedField.invalid(failed, `error parsing failedIndexes: ${problem}`);
  }
  if (completedChanged && completed !== "" && spec.completionMode !== "Indexed") {
    completedField.invalid(completed, "cannot set non-empty completedIndexes when non-indexed completion mode");
  }
  if (failedChanged && !perIndex && failed !== undefined) {
    failedField.invalid(failed, "cannot set non-null failedIndexes when backoffLimitPerIndex is null");
  }
  if (!(failedChanged || completedChanged) || completions === undefined || failed === undefined) return;
  const common = commonIndex(completed, failed, completions);
  if (common === undefined) return;
  failedField.invalid(failed, `failedIndexes and completedIndexes overlap at index: ${common}`);
}

function validateRunning({ spec, now, turned, changed }: Change, at: Field): void {
  const { active = 0, ready, terminating = 0 } = now;
  const complete = hasCondition(now, "Complete"), failed = hasCondition(now, "Failed");
  const met = hasCondition(now, "SuccessCriteriaMet"), conditions = at.child("conditions");
  if ((turned("Complete", "Failed") || changed("terminating")) && terminating > 0 && (complete || failed)) {
    at.child("terminating").invalid(terminating, "terminating>0 is invalid for finished job");
  }
  if ((changed("ready") || changed("active")) && ready !== undefined && ready > active) {
    at.child("ready").invalid(ready, "cannot set more ready pods than active");
  }
  if (met && failed) conditions.invalidUnseen("cannot set SuccessCriteriaMet=True and Failed=true conditions");
  if (met && hasCondition(now, "FailureTarget")) {
    conditions.invalidUnseen("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
  }
  if (spec.successPolicy && !met && complete) {
    conditions.invalidUnseen("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
  }
}

/** What only moves forward. */
function validateProgress({ spec, now, before, changed }: Change, at: Field): void {
  const conditions = at.child("conditions");
  for (const type of ["Failed", "Complete", "FailureTarget"]) {
    if (hasCondition(before, type) && !hasCondition(now, type)) {
      conditions.invalidUnseen(`cannot disable the terminal ${type}=True condition`);
    }
  }
  if ((now.failed ?? 0) < (before.failed ?? 0)) {
    at.child("failed").invalid(now.failed ?? 0, "cannot decrease the failed counter");
  }
  const elastic = spec.completionMode === "Indexed" && spec.completions === spec.parallelism;
  if (!elastic && (now.succeeded ?? 0) < (before.succeeded ?? 0)) {
    at.child("succeeded").invalid(now.succeeded ?? 0, "cannot decrease the succeeded counter");
  }
  if (now.completionTime && before.completionTime && changed("completionTime")) {
    at.child("completionTime").invalid(now.completionTime, "field is immutable");
  }
  const resumes = hasCondition(before, "Suspended") &&
    (now.conditions?.some((c) => c.type === "Suspended" && c.status === "False") ?? false);
  if (before.startTime && changed("startTime") && !resumes && !spec.suspend) {
    at.child("startTime").invalid(now.startTime ?? null, "field is immutable for unsuspended job once set");
  }
  const met = "SuccessCriteriaMet";
  if (hasCondition(before, met) && !hasCondition(now, met)) {
    conditions.invalidUnseen("cannot disable the SuccessCriteriaMet=True condition");
  }
  if (hasCondition(before, "Complete") && !hasCondition(before, met) && hasCondition(now, met)) {
    conditions.invalidUnseen("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
  }
}
