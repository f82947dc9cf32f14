// Jobs: pods that run until enough of them have succeeded.
import { humanDuration } from "../../machinery/duration.ts";
import { path } from "../../machinery/field_error.ts";
import { parseTime } from "../../machinery/time.ts";
import { deepEqual } from "../../machinery/validation/equality.ts";
import { collect, type Field } from "../../machinery/validation/field.ts";
import { validateImmutable } from "../../machinery/validation/immutable.ts";
import { selectorHasInvalidValue, selectorMatches, validateLabelSelector } from "../../machinery/validation/labels.ts";
import { isDNS1123Label, nameIsDNSSubdomain } from "../../machinery/validation/names.ts";
import { validateObjectMeta, validateObjectMetaUpdate } from "../../machinery/validation/object_meta.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, containerColumns, NAME, selectorColumn, text, wide } from "../columns.ts";
import { podRules } from "../core/pod_spec/later.ts";
import type { PodOptions } from "../core/pod_spec/options.ts";
import type * as v1 from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import type { KindDefinition } from "../kind.ts";
import { canSelect } from "../workload.ts";
import { jobSpecWarnings, setJobSpecDefaults, validateJobTemplateSpec } from "./job_spec.ts";
import { hasCondition, jobCondition, validateJobStatusUpdate } from "./job_status.ts";

type Job = KubeObject & v1.Job;

const CONTROLLER_UID = "batch.kubernetes.io/controller-uid";
const JOB_NAME = "batch.kubernetes.io/job-name";
const META = { path: path("metadata"), standardFinalizers: true };

/** Labels that the pods of a job get, under their names of today and of before. */
function ownLabels({ metadata: { name = "", uid = "" } }: Job): Record<string, string> {
  return { "controller-uid": uid, "job-name": name, [CONTROLLER_UID]: uid, [JOB_NAME]: name };
}

/** A selector that no other job can have: its own uid. */
function generateSelector(job: Job): void {
  const spec = job.spec ??= {};
  const template = (spec.template ??= {}).metadata ??= {};
  const labels = template.labels ??= {};
  for (const [key, value] of Object.entries(ownLabels(job))) labels[key] ??= value;
  ((spec.selector ??= {}).matchLabels ??= {})[CONTROLLER_UID] ??= job.metadata.uid ?? "";
}

interface JobOptions {
  pod: PodOptions;
  /** Jobs of older servers lack the labels with the domain. */
  requirePrefixedLabels: boolean;
}

function optionsFor(old?: Job): JobOptions {
  if (!old) return { pod: podRules.module.podOptions(undefined), requirePrefixedLabels: true };
  const pod = podRules.module.podOptions(old.spec?.template ?? {}), labels = old.spec?.template?.metadata?.labels ?? {};
  return {
    pod: {
      ...pod,
      allowInvalidSelectorValues: pod.allowInvalidSelectorValues || selectorHasInvalidValue(old.spec?.selector),
    },
    requirePrefixedLabels: JOB_NAME in labels && CONTROLLER_UID in labels,
  };
}

function validateGeneratedSelector(job: Job, root: Field, { requirePrefixedLabels }: JobOptions): void {
  const { manualSelector, selector, template } = job.spec ?? {};
  if (manualSelector || !selector) return;
  if (!job.metadata.uid) root.child("metadata", "uid").required();
  const labels = template?.metadata?.labels ?? {}, expected = ownLabels(job);
  const at = root.child("spec", "template").child("metadata", "labels");
  for (const [key, value] of Object.entries(expected)) {
    if (!requirePrefixedLabels && key.includes("/")) delete expected[key];
    else if (!(key in labels)) at.key(key).required(`must be '${value}'`);
    else if (labels[key] !== value) at.key(key).invalid(labels, `must be '${value}'`);
  }
  if (canSelect(selector) && !selectorMatches(selector, expected)) {
    root.child("spec", "selector").invalid(selector, "`selector` not auto-generated");
  }
}

function validateSpec(spec: v1.JobSpec, at: Field, options: PodOptions): void {
  validateJobTemplateSpec(spec, at, options);
  const { selector, template = {} } = spec;
  if (!selector) at.child("selector").required();
  else {
    validateLabelSelector(selector, at.child("selector"), { allowInvalidValues: options.allowInvalidSelectorValues });
  }
  if (canSelect(selector)) podRules.module.validateSelectorMatches(selector, at.child("template"), template);
}

function validateJob(job: Job, root: Field, options: JobOptions): void {
  const { metadata, spec = {} } = job;
  root.add(validateObjectMeta(metadata, { ...META, namespaced: true, validateName: nameIsDNSSubdomain }));
  validateGeneratedSelector(job, root, options);
  validateSpec(spec, root.child("spec"), options.pod);
  if (spec.completionMode !== "Indexed" || !spec.completions || spec.completions < 0) return;
  const longest = `${metadata.name}-${spec.completions - 1}`;
  if (isDNS1123Label(longest).length === 0) return;
  root.child("metadata", "name").invalid(
    metadata.name,
    `will not able to create pod with invalid DNS label: ${longest}`,
  );
}

function validateSpecUpdate(spec: v1.JobSpec, at: Field, { old, options }: { old: Job; options: JobOptions }): void {
  const before = old.spec ?? {};
  validateSpec(spec, at, options.pod);
  validateCompletions(spec, at.child("completions"), before);
  validateImmutable({ now: spec.selector, before: before.selector }, at.child("selector"));
  validateTemplateUpdate(spec, at, old);
  validateImmutable({ now: spec.completionMode, before: before.completionMode }, at.child("completionMode"));
  for (
    const [member, type] of [["podFailurePolicy", "PodFailurePolicy"], ["successPolicy", "SuccessPolicy"]] as const
  ) {
    if (member === "successPolicy") {
      for (const plain of ["backoffLimitPerIndex", "managedBy"] as const) {
        validateImmutable({ now: spec[plain], before: before[plain] }, at.child(plain));
      }
    }
    if (deepEqual(spec[member], before[member])) continue;
    const shown = internalForm(`*${type}`, spec[member]);
    validateImmutable({ now: spec[member], before: before[member], shown }, at.child(member));
  }
}

/** An indexed job can grow and shrink, completions and parallelism together (KEP-3715). */
function validateCompletions(spec: v1.JobSpec, at: Field, before: v1.JobSpec): void {
  if (spec.completionMode !== "Indexed") {
    return validateImmutable({ now: spec.completions, before: before.completions }, at);
  }
  if (spec.completions === before.completions || spec.completions === undefined) return;
  if (spec.completions !== spec.parallelism) {
    at.invalid(spec.completions, "can only be modified in tandem with spec.parallelism");
  }
}

/** While a job is suspended and has no pods, where and with how much they will run can be changed (KEP-2926, KEP-5440). */
function mayChangeTemplate({ spec, status }: Job): boolean {
  const idle = !status?.startTime || hasCondition(status, "Suspended");
  return spec?.suspend === true && idle && (status?.active ?? 0) === 0;
}

function validateTemplateUpdate(spec: v1.JobSpec, at: Field, old: Job): void {
  const now = spec.template ?? {}, mutable = mayChangeTemplate(old);
  let before = old.spec?.template ?? {};
  if (mutable) before = withSchedulingOf(now, before);
  if (!mutable || old.spec?.suspend !== true) {
    if (deepEqual(now, before)) return;
    const shown = internalForm("PodTemplateSpec", now);
    return validateImmutable({ now, before, shown }, at.child("template"));
  }
  const spared = withResourcesOf(now.spec ?? {}, before.spec ?? {});
  if (deepEqual(now.spec ?? {}, spared)) return;
  const shown = internalForm("PodSpec", now.spec ?? {});
  validateImmutable({ now: now.spec ?? {}, before: spared, shown }, at.child("template.spec"));
}

/** The old template with what says where its pods may run taken from the new one. */
function withSchedulingOf(now: v1.PodTemplateSpec, before: v1.PodTemplateSpec): v1.PodTemplateSpec {
  const pod = now.spec ?? {}, old = before.spec ?? {};
  const affinity: v1.Affinity = { ...old.affinity, nodeAffinity: pod.affinity?.nodeAffinity };
  const hasAffinity = pod.affinity || Object.values(affinity).some((side) => side !== undefined);
  return {
    metadata: { ...before.metadata, labels: now.metadata?.labels, annotations: now.metadata?.annotations },
    spec: {
      ...old,
      affinity: hasAffinity ? affinity : undefined,
      nodeSelector: pod.nodeSelector,
      tolerations: pod.tolerations,
      schedulingGates: pod.schedulingGates,
    },
  };
}

function withResourcesOf(now: v1.PodSpec, before: v1.PodSpec): v1.PodSpec {
  const spared = { ...before };
  for (const list of ["containers", "initContainers"] as const) {
    const containers = now[list] ?? [];
    if (containers.length !== (before[list]?.length ?? 0)) continue;
    spared[list] = before[list]?.map((container, i) =>
      container.name === containers[i].name ? { ...container, resources: containers[i].resources } : container
    );
  }
  return spared;
}

function durationText({ status }: Job, now: number): string {
  if (!status?.startTime) return "";
  const end = status.completionTime ? parseTime(status.completionTime)! : now;
  return humanDuration(end - parseTime(status.startTime)!);
}

/** What a job's state is called: the first condition that is true. */
const STATES = ["Complete", "Failed", "", "Suspended", "FailureTarget", "SuccessCriteriaMet"];

function stateText({ metadata, status }: Job): string {
  for (const type of STATES) {
    if (type === "" ? metadata.deletionTimestamp : jobCondition(status, type) === "True") return type || "Terminating";
  }
  return "Running";
}

function completionsText({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0, parallelism = spec?.parallelism ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

export const job: KindDefinition<Job> = {
  gvk: { group: "batch", version: "v1", kind: "Job" },
  resource: "jobs",
  load: () => podRules.load(),
  generation: true,
  checksMetadata: true,
  defaultDeletion: "Orphan",
  defaultDeletionWarning:
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background " +
    "to remove them or set propagationPolicy=Orphan to suppress this warning",
  columns: [
    NAME,
    text<Job>("Status", "What the job does.", stateText),
    text<Job>("Completions", "How many pods have succeeded.", completionsText),
    text<Job>("Duration", "How long the job took, or has been running.", durationText),
    AGE,
    ...containerColumns<Job>(({ spec }) => spec?.template?.spec?.containers).map(wide),
    selectorColumn<Job>(({ spec }) => spec?.selector),
  ],
  fields: ({ status }) => ({ "status.successful": String(status?.succeeded ?? 0) }),
  setDefaults(job) {
    if (!job.spec) return;
    setJobSpecDefaults(job.spec);
    // One and the same object: what is added to the template's labels later is the job's too.
    const labels = job.spec.template?.metadata?.labels;
    if (labels && Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = labels;
  },
  prepareForCreate(job) {
    if (!job.spec?.manualSelector) generateSelector(job);
    const labels = job.spec?.template?.metadata?.labels;
    if (labels && Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = { ...labels };
    job.status = {};
    podRules.module.dropDisabledFields(job.spec?.template?.spec, undefined);
  },
  validate: (job) => collect((root) => validateJob(job, root, optionsFor())),
  warningsOnCreate: ({ metadata, spec = {} }) => [
    ...podRules.module.hostNameWarning(metadata, "Pod names and hostnames"),
    ...jobSpecWarnings(spec, "spec"),
  ],
  prepareForUpdate(job, old) {
    podRules.module.dropDisabledFields(job.spec?.template?.spec, old.spec?.template?.spec);
  },
  validateUpdate: (job, old) =>
    collect((root) => {
      const options = optionsFor(old);
      validateJob(job, root, options);
      root.add(validateObjectMetaUpdate(job.metadata, old.metadata, META));
      validateSpecUpdate(job.spec ?? {}, root.child("spec"), { old, options });
    }),
  warningsOnUpdate: ({ metadata, spec = {} }, old) =>
    metadata.generation === old.metadata.generation ? [] : jobSpecWarnings(spec, "spec"),
  subresources: {
    status: {
      validateUpdate: (job, old) => collect((root) => validateJobStatusUpdate(job, old, root.child("status"))),
    },
  },
};
