// Pod templates as objects of their own.
import { labelsText } from "../label_selector_text.ts";
import { collect } from "../../machinery/validation/field.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { containerColumns, NAME, text } from "../columns.ts";
import type * as v1 from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { templateWarnings } from "../workload.ts";
import { setPodTemplateDefaults } from "./pod_spec/defaults.ts";
import { podRules } from "./pod_spec/later.ts";

type PodTemplate = KubeObject & v1.PodTemplate;

export const podTemplate: KindDefinition<PodTemplate> = {
  gvk: { group: "", version: "v1", kind: "PodTemplate" },
  resource: "podtemplates",
  load: () => podRules.load(),
  generation: true,
  returnsDeletedObject: true,
  columns: [
    NAME,
    ...containerColumns<PodTemplate>(({ template }) => template?.spec?.containers),
    text<PodTemplate>(
      "Pod Labels",
      "Labels that pods made of the template have.",
      ({ template }) => labelsText(template?.metadata?.labels),
    ),
  ],
  setDefaults: (object) => setPodTemplateDefaults(object.template ??= {}),
  prepareForCreate: ({ template }) => podRules.module.dropDisabledFields(template?.spec, undefined),
  validate: ({ template = {} }) =>
    collect((root) =>
      podRules.module.validatePodTemplate(template, root.child("template"), podRules.module.podOptions(undefined))
    ),
  warningsOnCreate: ({ template }) => templateWarnings(template, "template"),
  prepareForUpdate: ({ template }, old) => podRules.module.dropDisabledFields(template?.spec, old.template?.spec),
  validateUpdate: ({ template = {} }, old) =>
    collect((root) =>
      podRules.module.validatePodTemplate(
        template,
        root.child("template"),
        podRules.module.podOptions(old.template ?? {}),
      )
    ),
  warningsOnUpdate: ({ metadata, template }, old) =>
    metadata.generation === old.metadata.generation ? [] : templateWarnings(template, "template"),
};
