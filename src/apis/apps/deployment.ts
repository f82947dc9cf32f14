// Deployments: replica sets that follow each other as the template changes.
import { labelSelectorText } from "../label_selector_text.ts";
import { deepEqual } from "../../machinery/validation/equality.ts";
import { collect, type Field } from "../../machinery/validation/field.ts";
import { validateImmutable } from "../../machinery/validation/immutable.ts";
import {
  intOrPercentValue,
  validateNonnegative,
  validateNonnegativeIntOrPercent,
  validateNotMoreThan100Percent,
} from "../../machinery/validation/numbers.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, containerColumns, NAME, text, wide } from "../columns.ts";
import { setPodTemplateDefaults } from "../core/pod_spec/defaults.ts";
import { podRules } from "../core/pod_spec/later.ts";
import type { PodOptions } from "../core/pod_spec/options.ts";
import type * as v1 from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import type { KindDefinition } from "../kind.ts";
import {
  canSelect,
  type StatusRules,
  templateWarnings,
  validateCollisionCount,
  validateCounts,
  validateReplicaTemplate,
  validateRequiredSelector,
} from "../workload.ts";

type Deployment = KubeObject & v1.Deployment;

const DEFAULT_SHARE = "25%";

function setStrategyDefaults(spec: v1.DeploymentSpec): void {
  const strategy = spec.strategy ??= {};
  strategy.type ||= "RollingUpdate";
  if (strategy.type !== "RollingUpdate") return;
  strategy.rollingUpdate ??= {};
  strategy.rollingUpdate.maxUnavailable ??= DEFAULT_SHARE;
  strategy.rollingUpdate.maxSurge ??= DEFAULT_SHARE;
}

function validateSpec(spec: v1.DeploymentSpec, at: Field, options: PodOptions): void {
  validateNonnegative(spec.replicas, at.child("replicas"));
  validateRequiredSelector(spec.selector, at.child("selector"), "deployment");
  // Its pods are those of replica sets, as messages say.
  validateReplicaTemplate(spec, at, options);
  validateStrategy(spec.strategy ?? {}, at.child("strategy"));
  validateNonnegative(spec.minReadySeconds, at.child("minReadySeconds"));
  validateNonnegative(spec.revisionHistoryLimit, at.child("revisionHistoryLimit"));
  const deadline = spec.progressDeadlineSeconds;
  if (deadline === undefined) return;
  validateNonnegative(deadline, at.child("progressDeadlineSeconds"));
  if (deadline <= (spec.minReadySeconds ?? 0)) {
    at.child("progressDeadlineSeconds").invalid(deadline, "must be greater than minReadySeconds");
  }
}

function validateStrategy(strategy: v1.DeploymentStrategy, at: Field): void {
  const rolling = strategy.rollingUpdate, field = at.child("rollingUpdate");
  if (strategy.type === "Recreate") {
    if (rolling) field.forbidden("may not be specified when strategy `type` is 'Recreate'");
  } else if (strategy.type === "RollingUpdate") {
    if (!rolling) return field.required("this should be defaulted and never be nil");
    const { maxUnavailable = 0, maxSurge = 0 } = rolling;
    validateNonnegativeIntOrPercent(maxUnavailable, field.child("maxUnavailable"));
    validateNonnegativeIntOrPercent(maxSurge, field.child("maxSurge"));
    if (intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0) {
      field.child("maxUnavailable").invalid(maxUnavailable, "may not be 0 when `maxSurge` is 0");
    }
    validateNotMoreThan100Percent(maxUnavailable, field.child("maxUnavailable"));
  } else at.notSupported(internalForm("DeploymentStrategy", strategy), ["Recreate", "RollingUpdate"]);
}

const STATUS: StatusRules<v1.DeploymentStatus> = {
  nonnegative: [
    "observedGeneration",
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
    "terminatingReplicas",
    "collisionCount",
  ],
  notAboveReplicas: ["updatedReplicas", "readyReplicas", "availableReplicas"],
  aboveReady: "cannot be greater than readyReplicas",
};

export const deployment: KindDefinition<Deployment> = {
  gvk: { group: "apps", version: "v1", kind: "Deployment" },
  resource: "deployments",
  load: () => podRules.load(),
  generation: true,
  columns: [
    NAME,
    text<Deployment>(
      "Ready",
      "How many of the wanted pods are ready.",
      ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    ),
    text<Deployment>(
      "Up-to-date",
      "How many pods are made of the newest template.",
      ({ status }) => status?.updatedReplicas ?? 0,
    ),
    text<Deployment>(
      "Available",
      "How many pods have been ready for long enough.",
      ({ status }) => status?.availableReplicas ?? 0,
    ),
    AGE,
    ...containerColumns<Deployment>(({ spec }) => spec?.template?.spec?.containers).map(wide),
    wide(text<Deployment>(
      "Selector",
      "Which pods belong to the object.",
      ({ spec }) => canSelect(spec?.selector) ? labelSelectorText(spec?.selector ?? {}) : "<invalid>",
    )),
  ],
  setDefaults({ spec }) {
    if (!spec) return;
    spec.replicas ??= 1;
    setStrategyDefaults(spec);
    spec.revisionHistoryLimit ??= 10;
    spec.progressDeadlineSeconds ??= 600;
    setPodTemplateDefaults(spec.template ??= {});
  },
  prepareForCreate(object) {
    object.status = {};
    podRules.module.dropDisabledFields(object.spec?.template?.spec, undefined);
  },
  validate: ({ spec = {} }) =>
    collect((root) => validateSpec(spec, root.child("spec"), podRules.module.podOptions(undefined))),
  warningsOnCreate: ({ metadata, spec }) => [
    ...podRules.module.hostNameWarning(metadata, "Pod names and hostnames"),
    ...templateWarnings(spec?.template, "spec.template"),
  ],
  prepareForUpdate(object, old) {
    podRules.module.dropDisabledFields(object.spec?.template?.spec, old.spec?.template?.spec);
    // The controller copies annotations to its replica sets.
    if (deepEqual(object.metadata.annotations, old.metadata.annotations)) return;
    object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validateUpdate: ({ spec = {} }, old) =>
    collect((root) => {
      validateSpec(spec, root.child("spec"), podRules.module.podOptions(old.spec?.template ?? {}));
      validateImmutable({ now: spec.selector, before: old.spec?.selector }, root.child("spec", "selector"));
    }),
  warningsOnUpdate: ({ metadata, spec }, old) =>
    metadata.generation === old.metadata.generation ? [] : templateWarnings(spec?.template, "spec.template"),
  subresources: {
    status: {
      resetFields: [["spec"], ["metadata", "labels"]],
      prepareForUpdate({ metadata }, old) {
        if (old.metadata.labels) metadata.labels = old.metadata.labels;
        else delete metadata.labels;
      },
      validateUpdate: ({ status = {} }, old) =>
        collect((root) => {
          validateCounts(status, root.child("status"), STATUS);
          validateCollisionCount(status, old.status ?? {}, root.child("status"));
        }),
    },
  },
};
