// Replication controllers: what replica sets were first.
import { path } from "../../machinery/field_error.ts";
import { labelsText } from "../label_selector_text.ts";
import { collect, type Field } from "../../machinery/validation/field.ts";
import { longNameMessages } from "../../machinery/validation/names.ts";
import { validateNonnegative } from "../../machinery/validation/numbers.ts";
import { validateObjectMeta, validateObjectMetaUpdate } from "../../machinery/validation/object_meta.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, containerColumns, NAME, replicaColumns, text, wide } from "../columns.ts";
import type * as v1 from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { type StatusRules, templateWarnings, validateCounts } from "../workload.ts";
import { setPodTemplateDefaults } from "./pod_spec/defaults.ts";
import { podRules } from "./pod_spec/later.ts";
import type { PodOptions } from "./pod_spec/options.ts";

type ReplicationController = KubeObject & v1.ReplicationController;

const META = { path: path("metadata"), standardFinalizers: true };

function validateSpec(spec: v1.ReplicationControllerSpec, at: Field, options: PodOptions): void {
  const { selector, template } = spec, hasSelector = Object.keys(selector ?? {}).length > 0;
  validateNonnegative(spec.minReadySeconds, at.child("minReadySeconds"));
  if (!hasSelector) at.child("selector").required();
  if (spec.replicas === undefined) at.child("replicas").required();
  else validateNonnegative(spec.replicas, at.child("replicas"));
  const field = at.child("template");
  if (!template) return field.required();
  if (hasSelector) podRules.module.validateSelectorMatches({ matchLabels: selector }, field, template);
  podRules.module.validatePodTemplate(template, field, options);
  podRules.module.validateRunsForever(template, field, "ReplicationController");
}

const STATUS: StatusRules<v1.ReplicationControllerStatus> = {
  nonnegative: ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration"],
  notAboveReplicas: ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
  aboveReady: "cannot be greater than readyReplicas",
};

export const replicationController: KindDefinition<ReplicationController> = {
  gvk: { group: "", version: "v1", kind: "ReplicationController" },
  resource: "replicationcontrollers",
  load: () => podRules.load(),
  generation: true,
  checksMetadata: true,
  defaultDeletion: "Orphan",
  columns: [
    NAME,
    ...replicaColumns<ReplicationController>(),
    AGE,
    ...containerColumns<ReplicationController>(({ spec }) => spec?.template?.spec?.containers).map(wide),
    wide(text<ReplicationController>(
      "Selector",
      "Which pods belong to the object.",
      ({ spec }) => labelsText(spec?.selector),
    )),
  ],
  fields: ({ status }) => ({ "status.replicas": String(status?.replicas ?? 0) }),
  setDefaults({ metadata, spec }) {
    if (!spec) return;
    const labels = spec.template?.metadata?.labels;
    if (labels) {
      if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
      if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
    }
    spec.replicas ??= 1;
    setPodTemplateDefaults(spec.template);
  },
  prepareForCreate(object) {
    object.status = { replicas: 0 };
    podRules.module.dropDisabledFields(object.spec?.template?.spec, undefined);
  },
  validate: ({ metadata, spec = {} }) =>
    collect((root) => {
      root.add(validateObjectMeta(metadata, {
        ...META,
        namespaced: true,
        validateName: (name) => longNameMessages(name),
        ignoreGenerateName: true,
      }));
      validateSpec(spec, root.child("spec"), podRules.module.podOptions(undefined));
    }),
  warningsOnCreate: ({ metadata, spec }) => [
    ...podRules.module.hostNameWarning(metadata, "Pod names and hostnames"),
    ...templateWarnings(spec?.template, "spec.template"),
  ],
  prepareForUpdate(object, old) {
    podRules.module.dropDisabledFields(object.spec?.template?.spec, old.spec?.template?.spec);
  },
  validateUpdate: ({ metadata, spec = {} }, old) =>
    collect((root) => {
      root.add(validateObjectMetaUpdate(metadata, old.metadata, META));
      validateSpec(spec, root.child("spec"), podRules.module.podOptions(old.spec?.template ?? {}));
    }),
  // The template before the change is looked at, as the real server has it.
  warningsOnUpdate: ({ metadata }, old) =>
    metadata.generation === old.metadata.generation ? [] : templateWarnings(old.spec?.template, "spec.template"),
  subresources: {
    status: {
      validateUpdate: ({ status = {} }) => collect((root) => validateCounts(status, root.child("status"), STATUS)),
    },
  },
};
