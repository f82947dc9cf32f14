// Rules of where and when a pod is scheduled: tolerations, topology spread and scheduling gates.
import type * as v1 from "../../../facts/generated/types.ts";
import { validateQualifiedName } from "../../../machinery/validation/domains.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import { validateLabelName, validateLabelSelector } from "../../../machinery/validation/labels.ts";
import { isLabelValue } from "../../../machinery/validation/names.ts";
import { validatePositive } from "../../../machinery/validation/numbers.ts";
import { validateLegacyMatchLabelKeys, validateMatchLabelKeys } from "./label_keys.ts";
import type { PodOptions } from "./options.ts";

const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** What a taint does to pods that do not tolerate it. */
export function validateTaintEffect(effect: string, at: Field): void {
  if (!EFFECTS.includes(effect)) at.notSupportedInOrder(effect, EFFECTS);
}

export function validateTolerations(tolerations: readonly v1.Toleration[], at: Field, options: PodOptions): void {
  tolerations.forEach((toleration, i) => {
    const field = at.index(i);
    const { key = "", operator = "", effect = "" } = toleration;
    if (key !== "") validateLabelName(key, field.child("key"));
    else if (operator !== "Exists") {
      field.child("operator").invalid(
        operator,
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      );
    }
    if (toleration.tolerationSeconds !== undefined && effect !== "NoExecute") {
      field.child("effect").invalid(effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    validateTolerationValue(toleration, field, options);
    if (effect !== "") validateTaintEffect(effect, field.child("effect"));
  });
}

function validateTolerationValue(toleration: v1.Toleration, at: Field, options: PodOptions): void {
  const { operator = "", value = "" } = toleration;
  const field = at.child("operator");
  switch (operator) {
    case "":
    case "Equal": {
      const messages = isLabelValue(value);
      if (messages.length > 0) field.invalid(value, messages.join(";"));
      return;
    }
    case "Exists":
      if (value !== "") field.invalid(value, "value must be empty when `operator` is 'Exists'");
      return;
    case "Lt":
    case "Gt":
      if (!options.allowTolerationComparison) {
        field.notSupportedInOrder(operator, ["Equal", "Exists", "Lt", "Gt"]);
      } else if (!/^(0|-?[1-9]\d*)$/.test(value)) {
        at.child("value").invalid(
          value,
          value === "" ? "must be non-empty" : "must be a valid decimal integer in canonical form",
        );
      }
      return;
    default:
      field.notSupportedInOrder(operator, ["Equal", "Exists"]);
  }
}

const UNSATISFIABLE = ["DoNotSchedule", "ScheduleAnyway"];
const INCLUSION_POLICIES = ["Honor", "Ignore"];

export function validateTopologySpread(
  constraints: readonly v1.TopologySpreadConstraint[],
  at: Field,
  options: PodOptions,
): void {
  constraints.forEach((constraint, i) => {
    const field = at.index(i);
    const { maxSkew = 0, topologyKey = "", whenUnsatisfiable: action = "", minDomains } = constraint;
    validatePositive(maxSkew, field.child("maxSkew"));
    if (topologyKey === "") field.child("topologyKey").required("can not be empty");
    if (!UNSATISFIABLE.includes(action)) field.child("whenUnsatisfiable").notSupported(action, UNSATISFIABLE);
    const repeated = constraints.slice(i + 1).some((other) =>
      (other.topologyKey ?? "") === topologyKey && (other.whenUnsatisfiable ?? "") === action
    );
    if (repeated) field.child("{topologyKey, whenUnsatisfiable}").duplicate(`{${topologyKey}, ${action}}`);
    if (minDomains !== undefined) {
      validatePositive(minDomains, field.child("minDomains"));
      if (action !== "DoNotSchedule") {
        field.child("minDomains").invalid(
          minDomains,
          `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`,
        );
      }
    }
    for (const member of ["nodeAffinityPolicy", "nodeTaintsPolicy"] as const) {
      const policy = constraint[member];
      if (policy !== undefined && !INCLUSION_POLICIES.includes(policy)) {
        field.child(member).notSupported(policy, INCLUSION_POLICIES);
      }
    }
    if (options.keepLegacyMatchLabelKeys) validateLegacyMatchLabelKeys(constraint, field.child("matchLabelKeys"));
    else validateMatchLabelKeys(constraint, field);
    if (!options.allowInvalidSpreadSelectors) {
      validateLabelSelector(constraint.labelSelector, field.child("labelSelector"));
    }
  });
}

/** What must be taken away before the scheduler looks at a pod (KEP-3521). */
export function validateSchedulingGates(gates: readonly v1.PodSchedulingGate[], at: Field): void {
  const seen = new Set<string>();
  gates.forEach(({ name = "" }, i) => {
    validateQualifiedName(name, at.index(i));
    if (seen.has(name)) at.index(i).duplicate(name);
    seen.add(name);
  });
}
