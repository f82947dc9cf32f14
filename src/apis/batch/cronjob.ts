// Cron jobs: jobs at times that a crontab line tells.
import { age } from "../../machinery/duration.ts";
import { cronProblem, validateTimeZone } from "../../machinery/validation/cron.ts";
import { collect, type Field } from "../../machinery/validation/field.ts";
import { byteLength } from "../../machinery/validation/names.ts";
import { validateNonnegative } from "../../machinery/validation/numbers.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, containerColumns, integer, NAME, selectorColumn, text, wide } from "../columns.ts";
import { podRules } from "../core/pod_spec/later.ts";
import type { PodOptions } from "../core/pod_spec/options.ts";
import type * as v1 from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { jobSpecWarnings, setJobTemplateDefaults, validateJobTemplateSpec } from "./job_spec.ts";

type CronJob = KubeObject & v1.CronJob;

const CONCURRENCY_POLICIES = ["Allow", "Forbid", "Replace"];
/** Of the 63 bytes of a label the names of jobs need 11: a dash and the time of the run in minutes. */
const MAX_NAME = 52;
const TEMPLATE = "spec.jobTemplate.spec";

function templateOf({ spec }: CronJob): v1.PodTemplateSpec | undefined {
  return spec?.jobTemplate?.spec?.template;
}

function validateSchedule(spec: v1.CronJobSpec, at: Field, old: v1.CronJobSpec | undefined): void {
  const { schedule = "", timeZone } = spec;
  if (schedule === "") return at.required();
  const problem = cronProblem(schedule);
  if (problem) at.invalid(schedule, problem);
  if (!schedule.includes("TZ")) return;
  // Zones in schedules were never promised: those that are there stay.
  if (!old?.schedule?.includes("TZ")) {
    at.invalid(schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
  } else if (timeZone !== undefined) {
    at.invalid(schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule");
  }
}

interface SpecScope {
  old?: v1.CronJobSpec;
  options: PodOptions;
}

function validateSpec(spec: v1.CronJobSpec, at: Field, { old, options }: SpecScope): void {
  validateSchedule(spec, at.child("schedule"), old);
  validateNonnegative(spec.startingDeadlineSeconds, at.child("startingDeadlineSeconds"));
  if (!old || old.timeZone !== spec.timeZone) validateTimeZone(spec.timeZone, at.child("timeZone"));
  const { concurrencyPolicy: policy = "" } = spec;
  if (policy === "") at.child("concurrencyPolicy").required();
  else if (!CONCURRENCY_POLICIES.includes(policy)) {
    at.child("concurrencyPolicy").notSupportedInOrder(policy, CONCURRENCY_POLICIES);
  }
  const job = spec.jobTemplate?.spec ?? {}, field = at.child("jobTemplate", "spec");
  validateJobTemplateSpec(job, field, options);
  if (job.selector) field.child("selector").invalid(job.selector, "`selector` will be auto-generated");
  if (job.manualSelector) field.child("manualSelector").notSupportedInOrder(true, ["nil", "false"]);
  validateNonnegative(spec.successfulJobsHistoryLimit, at.child("successfulJobsHistoryLimit"));
  validateNonnegative(spec.failedJobsHistoryLimit, at.child("failedJobsHistoryLimit"));
}

export const cronJob: KindDefinition<CronJob> = {
  gvk: { group: "batch", version: "v1", kind: "CronJob" },
  resource: "cronjobs",
  load: () => podRules.load(),
  generation: true,
  columns: [
    NAME,
    text<CronJob>("Schedule", "When jobs are started, as a crontab has it.", ({ spec }) => spec?.schedule ?? ""),
    text<CronJob>("Timezone", "The time zone of the schedule.", ({ spec }) => spec?.timeZone ?? "<none>"),
    {
      name: "Suspend",
      type: "boolean",
      description: "Whether no jobs are started.",
      cell: ({ spec }) => spec?.suspend === undefined ? "<unset>" : spec.suspend ? "True" : "False",
    },
    integer<CronJob>("Active", "How many jobs run.", ({ status }) => status?.active?.length ?? 0),
    text<CronJob>(
      "Last Schedule",
      "When the last job was started.",
      ({ status }, now) => status?.lastScheduleTime ? age(status.lastScheduleTime, now) : "<none>",
    ),
    AGE,
    ...containerColumns<CronJob>((object) => templateOf(object)?.spec?.containers).map(wide),
    selectorColumn<CronJob>(({ spec }) => spec?.jobTemplate?.spec?.selector),
  ],
  setDefaults({ spec }) {
    if (!spec) return;
    spec.concurrencyPolicy ||= "Allow";
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
    setJobTemplateDefaults((spec.jobTemplate ??= {}).spec ??= {});
  },
  prepareForCreate(object) {
    object.status = {};
    podRules.module.dropDisabledFields(templateOf(object)?.spec, undefined);
  },
  validate: ({ metadata: { name = "" }, spec = {} }) =>
    collect((root) => {
      validateSpec(spec, root.child("spec"), { options: podRules.module.podOptions(undefined) });
      if (byteLength(name) > MAX_NAME) {
        root.child("metadata", "name").invalid(name, `must be no more than ${MAX_NAME} characters`);
      }
    }),
  warningsOnCreate: ({ metadata, spec }) => [
    ...podRules.module.hostNameWarning(metadata, "Pod names and hostnames"),
    ...jobSpecWarnings(spec?.jobTemplate?.spec ?? {}, TEMPLATE),
  ],
  prepareForUpdate(object, old) {
    podRules.module.dropDisabledFields(templateOf(object)?.spec, templateOf(old)?.spec);
  },
  validateUpdate: ({ spec = {} }, old) =>
    collect((root) => {
      const options = podRules.module.podOptions(templateOf(old) ?? {});
      validateSpec(spec, root.child("spec"), { old: old.spec ?? {}, options });
    }),
  warningsOnUpdate({ metadata, spec = {} }, old) {
    const changed = metadata.generation !== old.metadata.generation;
    const warnings = changed ? jobSpecWarnings(spec.jobTemplate?.spec ?? {}, TEMPLATE) : [];
    if (spec.schedule?.includes("TZ")) warnings.push(ZONE_IN_SCHEDULE);
    return warnings;
  },
  subresources: {
    // Nothing that a controller reports is wrong.
    status: { checksMetadata: true },
  },
};

const ZONE_IN_SCHEDULE = "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see " +
  "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details";
