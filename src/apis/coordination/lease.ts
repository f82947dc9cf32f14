// Leases: who holds something, until when (KEP-589; leader election).
import type { KubeObject } from "../../machinery/types.ts";
import { collect, type Field } from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { Lease, LeaseSpec } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";

type LeaseObject = KubeObject & Lease;

/** Of coordinated leader election, which is off by default: kept only where the stored object has them. */
const COORDINATED = ["strategy", "preferredHolder"] as const;

function dropCoordinated({ spec }: LeaseObject, old?: LeaseObject): void {
  for (const member of COORDINATED) if (old?.spec?.[member] === undefined) delete spec?.[member];
}

function checkSpec(spec: LeaseSpec, at: Field): void {
  const { leaseDurationSeconds, leaseTransitions, strategy, preferredHolder } = spec;
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    at.child("leaseDurationSeconds").invalid(leaseDurationSeconds, "must be greater than 0");
  }
  if (leaseTransitions !== undefined && leaseTransitions < 0) {
    at.child("leaseTransitions").invalid(leaseTransitions, "must be greater than or equal to 0");
  }
  if (preferredHolder && !strategy) {
    at.child("preferredHolder").forbidden("may only be specified if `strategy` is defined");
  }
}

function validate({ spec = {} }: LeaseObject) {
  return collect((root) => checkSpec(spec, root.child("spec")));
}

export const lease: KindDefinition<LeaseObject> = {
  gvk: { group: "coordination.k8s.io", version: "v1", kind: "Lease" },
  resource: "leases",
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  anyFinalizers: true,
  prepareForCreate: (object) => dropCoordinated(object),
  prepareForUpdate: dropCoordinated,
  validate,
  validateUpdate: validate,
  columns: [NAME, text("Holder", "Who holds it.", ({ spec }) => spec?.holderIdentity ?? ""), AGE],
};
