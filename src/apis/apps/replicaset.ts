// Replica sets: so many pods of one template.
import { collect, type Field } from "../../machinery/validation/field.ts";
import { validateImmutable } from "../../machinery/validation/immutable.ts";
import { validateNonnegative } from "../../machinery/validation/numbers.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, containerColumns, NAME, replicaColumns, selectorColumn, wide } from "../columns.ts";
import { setPodTemplateDefaults } from "../core/pod_spec/defaults.ts";
import { podRules } from "../core/pod_spec/later.ts";
import type { PodOptions } from "../core/pod_spec/options.ts";
import type * as v1 from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import {
  type StatusRules,
  templateWarnings,
  validateCounts,
  validateReplicaTemplate,
  validateRequiredSelector,
} from "../workload.ts";

type ReplicaSet = KubeObject & v1.ReplicaSet;

function validateSpec(spec: v1.ReplicaSetSpec, at: Field, options: PodOptions): void {
  validateNonnegative(spec.replicas, at.child("replicas"));
  validateNonnegative(spec.minReadySeconds, at.child("minReadySeconds"));
  validateRequiredSelector(spec.selector, at.child("selector"), "deployment");
  validateReplicaTemplate(spec, at, options);
}

const STATUS: StatusRules<v1.ReplicaSetStatus> = {
  nonnegative: [
    "replicas",
    "fullyLabeledReplicas",
    "readyReplicas",
    "availableReplicas",
    "observedGeneration",
    "terminatingReplicas",
  ],
  notAboveReplicas: ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
  aboveReady: "cannot be greater than readyReplicas",
};

export const replicaSet: KindDefinition<ReplicaSet> = {
  gvk: { group: "apps", version: "v1", kind: "ReplicaSet" },
  resource: "replicasets",
  load: () => podRules.load(),
  generation: true,
  columns: [
    NAME,
    ...replicaColumns<ReplicaSet>(),
    AGE,
    ...containerColumns<ReplicaSet>(({ spec }) => spec?.template?.spec?.containers).map(wide),
    selectorColumn<ReplicaSet>(({ spec }) => spec?.selector),
  ],
  setDefaults({ spec }) {
    if (!spec) return;
    spec.replicas ??= 1;
    setPodTemplateDefaults(spec.template ??= {});
  },
  prepareForCreate(object) {
    object.status = { replicas: 0 };
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
      validateUpdate: ({ status = {} }) => collect((root) => validateCounts(status, root.child("status"), STATUS)),
    },
  },
};
