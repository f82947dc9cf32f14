// Templates of pods, as controllers carry them: their rules, and what all kinds with one have in common.
import type * as v1 from "../../../facts/generated/types.ts";
import { emptyMember } from "../../../machinery/empty_members.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import { type LabelSelector, selectorMatches } from "../../../machinery/validation/labels.ts";
import { validateAnnotations, validateLabels } from "../../../machinery/validation/labels.ts";
import { validatePodAnnotations, validateProfilesMatch } from "./annotations.ts";
import { validatePodSpec } from "./mod.ts";
import type { PodOptions } from "./options.ts";

export function validatePodTemplate(template: v1.PodTemplateSpec, at: Field, options: PodOptions): void {
  const { metadata: meta = {}, spec = {} } = template;
  validateLabels(meta.labels, at.child("labels"));
  validateAnnotations(meta.annotations, at.child("annotations"));
  if (meta.annotations) validatePodAnnotations(meta.annotations, at.child("annotations"), { spec, options });
  validatePodSpec(spec, at.child("spec"), { options });
  validateProfilesMatch(meta.annotations, at.child("spec"), spec);
  if (spec.ephemeralContainers?.length) {
    at.child("spec", "ephemeralContainers").forbidden("ephemeral containers not allowed in pod template");
  }
}

/** Pods of the template must be found by the controller's selector. */
export function validateSelectorMatches(
  selector: LabelSelector | null | undefined,
  at: Field,
  template: v1.PodTemplateSpec,
): void {
  const { metadata = {} } = template, { labels } = metadata;
  if (selectorMatches(selector, labels)) return;
  const shown = labels ?? emptyMember(metadata, "labels") ?? null;
  at.child("metadata", "labels").invalid(shown, "`selector` does not match template `labels`");
}

/** Controllers that keep pods running let them neither end nor be ended by a deadline; `kind` is for the message. */
export function validateRunsForever(template: v1.PodTemplateSpec, at: Field, kind: string): void {
  const { restartPolicy = "", activeDeadlineSeconds } = template.spec ?? {};
  if (restartPolicy !== "Always") at.child("spec", "restartPolicy").notSupported(restartPolicy, ["Always"]);
  if (activeDeadlineSeconds !== undefined) {
    at.child("spec", "activeDeadlineSeconds").forbidden(`activeDeadlineSeconds in ${kind} is not Supported`);
  }
}
