// Pod disruption budgets: how many pods of an application may be away at a time (KEP-85).
import { collect, type Field } from "../../machinery/validation/field.ts";
import { validateConditions } from "../../machinery/validation/conditions.ts";
import { validateLabelSelector } from "../../machinery/validation/labels.ts";
import {
  type IntOrString,
  validateNonnegative,
  validateNonnegativeIntOrPercent,
  validateNotMoreThan100Percent,
} from "../../machinery/validation/numbers.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, integer, NAME, text } from "../columns.ts";
import type * as v1 from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import type { Column, KindDefinition } from "../kind.ts";

export type PodDisruptionBudget = KubeObject & v1.PodDisruptionBudget;

const EVICTION_POLICIES = ["AlwaysAllow", "IfHealthyBudget"];

function validateSpec(spec: v1.PodDisruptionBudgetSpec, at: Field, allowInvalidValues: boolean): void {
  const { minAvailable, maxUnavailable, unhealthyPodEvictionPolicy: policy } = spec;
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    at.invalid(
      internalForm("PodDisruptionBudgetSpec", spec),
      "minAvailable and maxUnavailable cannot be both set",
    );
  }
  for (const member of ["minAvailable", "maxUnavailable"] as const) {
    const value = spec[member];
    if (value === undefined) continue;
    validateNonnegativeIntOrPercent(value, at.child(member));
    validateNotMoreThan100Percent(value, at.child(member));
  }
  validateLabelSelector(spec.selector, at.child("selector"), { allowInvalidValues });
  if (policy !== undefined && !EVICTION_POLICIES.includes(policy)) {
    at.child("unhealthyPodEvictionPolicy").notSupported(policy, EVICTION_POLICIES);
  }
}

const STATUS_COUNTS = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] as const;

function limitColumn(
  name: string,
  description: string,
  limit: (spec: v1.PodDisruptionBudgetSpec) => IntOrString | undefined,
): Column<PodDisruptionBudget> {
  return text(name, description, ({ spec }) => String(limit(spec ?? {}) ?? "N/A"));
}

export const podDisruptionBudget: KindDefinition<PodDisruptionBudget> = {
  gvk: { group: "policy", version: "v1", kind: "PodDisruptionBudget" },
  resource: "poddisruptionbudgets",
  generation: true,
  allowUnconditionalUpdate: false,
  // Nothing beyond what holds for every kind: its name only has to fit into a path.
  checksMetadata: true,
  columns: [
    NAME,
    limitColumn("Min Available", "How many pods must be there.", (spec) => spec.minAvailable),
    limitColumn("Max Unavailable", "How many pods may be away.", (spec) => spec.maxUnavailable),
    integer<PodDisruptionBudget>(
      "Allowed Disruptions",
      "How many pods may be evicted now.",
      ({ status }) => status?.disruptionsAllowed ?? 0,
    ),
    AGE,
  ],
  prepareForCreate(object) {
    object.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  },
  validate: ({ spec = {} }) => collect((root) => validateSpec(spec, root.child("spec"), false)),
  validateUpdate({ spec = {} }, old) {
    const invalidBefore = collect((root) => validateLabelSelector(old.spec?.selector, root)).length > 0;
    return collect((root) => validateSpec(spec, root.child("spec"), invalidBefore));
  },
  subresources: {
    status: {
      checksMetadata: true,
      validateUpdate: ({ status = {} }) =>
        collect((root) => {
          const at = root.child("status");
          validateConditions(status.conditions ?? [], at.child("conditions"));
          for (const member of STATUS_COUNTS) validateNonnegative(status[member], at.child(member));
        }),
    },
  },
};
