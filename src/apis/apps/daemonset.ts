// Daemon sets: a pod on every node that fits.
import { deepEqual } from "../../machinery/validation/equality.ts";
import { collect, type Field } from "../../machinery/validation/field.ts";
import { validateImmutable } from "../../machinery/validation/immutable.ts";
import { labelsText } from "../label_selector_text.ts";
import { selectorHasInvalidValue, selectorIsEmpty, validateLabelSelector } from "../../machinery/validation/labels.ts";
import {
  intOrPercentValue,
  validateNonnegative,
  validateNonnegativeIntOrPercent,
  validateNotMoreThan100Percent,
} from "../../machinery/validation/numbers.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, containerColumns, integer, NAME, selectorColumn, text, wide } from "../columns.ts";
import { setPodTemplateDefaults } from "../core/pod_spec/defaults.ts";
import { podRules } from "../core/pod_spec/later.ts";
import type { PodOptions } from "../core/pod_spec/options.ts";
import type * as v1 from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import type { KindDefinition } from "../kind.ts";
import { canSelect, type StatusRules, templateWarnings, validateCollisionCount, validateCounts } from "../workload.ts";

type DaemonSet = KubeObject & v1.DaemonSet;

/** Counts changes of the template. What is a field inside is an annotation to clients (it was one of extensions/v1beta1). */
const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

function templateGeneration(object: DaemonSet): number {
  return Number(object.metadata.annotations?.[TEMPLATE_GENERATION] ?? 0) || 0;
}

function setTemplateGeneration(object: DaemonSet, generation: number): void {
  (object.metadata.annotations ??= {})[TEMPLATE_GENERATION] = String(generation);
}

function validateSpec(spec: v1.DaemonSetSpec, at: Field, options: PodOptions): void {
  const { selector, template = {} } = spec;
  validateLabelSelector(selector, at.child("selector"), { allowInvalidValues: options.allowInvalidSelectorValues });
  const field = at.child("template");
  if (canSelect(selector)) podRules.module.validateSelectorMatches(selector, field, template);
  if (selector && selectorIsEmpty(selector)) {
    at.child("selector").invalid(selector, "empty selector is invalid for daemonset");
  }
  podRules.module.validatePodTemplate(template, field, options);
  podRules.module.validateRunsForever(template, field, "DaemonSet");
  validateNonnegative(spec.minReadySeconds, at.child("minReadySeconds"));
  validateStrategy(spec.updateStrategy ?? {}, at.child("updateStrategy"));
  validateNonnegative(spec.revisionHistoryLimit, at.child("revisionHistoryLimit"));
}

function validateStrategy(strategy: v1.DaemonSetUpdateStrategy, at: Field): void {
  if (strategy.type === "OnDelete") return;
  if (strategy.type !== "RollingUpdate") {
    return at.notSupportedInOrder(internalForm("DaemonSetUpdateStrategy", strategy), ["RollingUpdate", "OnDelete"]);
  }
  const field = at.child("rollingUpdate");
  if (!strategy.rollingUpdate) return field.required();
  const { maxUnavailable = 0, maxSurge = 0 } = strategy.rollingUpdate;
  const unavailable = field.child("maxUnavailable"), surge = field.child("maxSurge");
  validateNonnegativeIntOrPercent(maxUnavailable, unavailable);
  validateNonnegativeIntOrPercent(maxSurge, surge);
  validateNotMoreThan100Percent(maxUnavailable, unavailable);
  validateNotMoreThan100Percent(maxSurge, surge);
  const takesAway = intOrPercentValue(maxUnavailable) !== 0, adds = intOrPercentValue(maxSurge) !== 0;
  if (takesAway && adds) surge.invalid(maxSurge, "may not be set when maxUnavailable is non-zero");
  if (!takesAway && !adds) unavailable.required("cannot be 0 when maxSurge is 0");
}

const STATUS: StatusRules<v1.DaemonSetStatus> = {
  nonnegative: [
    "currentNumberScheduled",
    "numberMisscheduled",
    "desiredNumberScheduled",
    "numberReady",
    "observedGeneration",
    "updatedNumberScheduled",
    "numberAvailable",
    "numberUnavailable",
    "collisionCount",
  ],
};

export const daemonSet: KindDefinition<DaemonSet> = {
  gvk: { group: "apps", version: "v1", kind: "DaemonSet" },
  resource: "daemonsets",
  load: () => podRules.load(),
  fieldAnnotations: [TEMPLATE_GENERATION],
  generation: true,
  columns: [
    NAME,
    integer<DaemonSet>("Desired", "How many nodes should run the pod.", (o) => o.status?.desiredNumberScheduled ?? 0),
    integer<DaemonSet>("Current", "How many nodes run the pod.", (o) => o.status?.currentNumberScheduled ?? 0),
    integer<DaemonSet>("Ready", "How many of them are ready.", (o) => o.status?.numberReady ?? 0),
    integer<DaemonSet>(
      "Up-to-date",
      "How many are made of the newest template.",
      (o) => o.status?.updatedNumberScheduled ?? 0,
    ),
    integer<DaemonSet>(
      "Available",
      "How many have been ready for long enough.",
      (o) => o.status?.numberAvailable ?? 0,
    ),
    text<DaemonSet>(
      "Node Selector",
      "Labels that nodes must have.",
      ({ spec }) => labelsText(spec?.template?.spec?.nodeSelector),
    ),
    AGE,
    ...containerColumns<DaemonSet>(({ spec }) => spec?.template?.spec?.containers).map(wide),
    selectorColumn<DaemonSet>(({ spec }) => spec?.selector),
  ],
  setDefaults({ spec }) {
    if (!spec) return;
    const strategy = spec.updateStrategy ??= {};
    strategy.type ||= "RollingUpdate";
    if (strategy.type === "RollingUpdate") {
      strategy.rollingUpdate ??= {};
      strategy.rollingUpdate.maxUnavailable ??= 1;
      strategy.rollingUpdate.maxSurge ??= 0;
    }
    spec.revisionHistoryLimit ??= 10;
    setPodTemplateDefaults(spec.template ??= {});
  },
  prepareForCreate(object) {
    object.status = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
    setTemplateGeneration(object, Math.max(1, templateGeneration(object)));
    podRules.module.dropDisabledFields(object.spec?.template?.spec, undefined);
  },
  validate: ({ spec = {} }) =>
    collect((root) => validateSpec(spec, root.child("spec"), podRules.module.podOptions(undefined))),
  warningsOnCreate: ({ spec }) => templateWarnings(spec?.template, "spec.template"),
  prepareForUpdate(object, old) {
    podRules.module.dropDisabledFields(object.spec?.template?.spec, old.spec?.template?.spec);
    const changed = !deepEqual(object.spec?.template, old.spec?.template);
    setTemplateGeneration(object, templateGeneration(old) + (changed ? 1 : 0));
  },
  validateUpdate: ({ spec = {} }, old) =>
    collect((root) => {
      const at = root.child("spec"), before = old.spec ?? {};
      const options = podRules.module.podOptions(before.template ?? {});
      validateImmutable({ now: spec.selector, before: before.selector }, at.child("selector"));
      validateSpec(spec, at, {
        ...options,
        allowInvalidSelectorValues: options.allowInvalidSelectorValues || selectorHasInvalidValue(before.selector),
      });
    }),
  warningsOnUpdate: (object, old) =>
    templateGeneration(object) === templateGeneration(old)
      ? []
      : templateWarnings(object.spec?.template, "spec.template"),
  subresources: {
    status: {
      prepareForUpdate: (object, old) => setTemplateGeneration(object, templateGeneration(old)),
      validateUpdate: ({ status = {} }, old) =>
        collect((root) => {
          validateCounts(status, root.child("status"), STATUS);
          validateCollisionCount(status, old.status ?? {}, root.child("status"));
        }),
    },
  },
};
