// Rules of affinity: to nodes by their labels, to other pods by theirs.
import type * as v1 from "../../../facts/generated/types.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import {
  validateLabelName,
  validateLabelSelector,
  validateLabelSelectorRequirement,
} from "../../../machinery/validation/labels.ts";
import { isDNS1123Label, isDNS1123Subdomain } from "../../../machinery/validation/names.ts";
import { validateMatchLabelKeys } from "./label_keys.ts";
import type { PodOptions } from "./options.ts";

export function validateAffinity(affinity: v1.Affinity, at: Field, options: PodOptions): void {
  if (affinity.nodeAffinity) validateNodeAffinity(affinity.nodeAffinity, at.child("nodeAffinity"), options);
  for (const side of ["podAffinity", "podAntiAffinity"] as const) {
    if (affinity[side]) validatePodAffinity(affinity[side], at.child(side), options);
  }
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

function validateNodeAffinity(affinity: v1.NodeAffinity, at: Field, options: PodOptions): void {
  if (affinity[REQUIRED]) {
    validateNodeSelector(affinity[REQUIRED], at.child(REQUIRED), {
      allowInvalidValues: options.allowInvalidNodeAffinityValues,
    });
  }
  affinity[PREFERRED]?.forEach((term, i) => {
    const field = at.child(PREFERRED).index(i);
    validateWeight(term.weight, field);
    // What is only preferred may have values that no label can have.
    validateNodeSelectorTerm(term.preference ?? {}, field.child("preference"), { allowInvalidValues: true });
  });
}

function validateWeight(weight = 0, at: Field): void {
  if (weight <= 0 || weight > 100) at.child("weight").invalid(weight, "must be in the range 1-100");
}

export interface NodeSelectorOptions {
  allowInvalidValues?: boolean;
}

/** At least one term; nodes must fulfil one of them. */
export function validateNodeSelector(selector: v1.NodeSelector, at: Field, options: NodeSelectorOptions = {}): void {
  const field = at.child("nodeSelectorTerms");
  const terms = selector.nodeSelectorTerms ?? [];
  if (terms.length === 0) return field.required("must have at least one node selector term");
  terms.forEach((term, i) => validateNodeSelectorTerm(term, field.index(i), options));
}

function validateNodeSelectorTerm(term: v1.NodeSelectorTerm, at: Field, options: NodeSelectorOptions): void {
  term.matchExpressions?.forEach((r, i) => validateExpression(r, at.child("matchExpressions").index(i), options));
  term.matchFields?.forEach((r, i) => validateFieldRequirement(r, at.child("matchFields").index(i)));
}

/** As in a label selector, where values cannot be compared. */
function validateExpression(r: v1.NodeSelectorRequirement, at: Field, options: NodeSelectorOptions): void {
  const compares = r.operator === "Gt" || r.operator === "Lt";
  if (compares && r.values?.length !== 1) {
    at.child("values").required("must be specified single value when `operator` is 'Lt' or 'Gt'");
  }
  validateLabelSelectorRequirement(r, at, { ...options, allowUnknownOperator: compares });
}

/** A node's name is the only field there is. */
function validateFieldRequirement(r: v1.NodeSelectorRequirement, at: Field): void {
  const { key = "", operator = "", values = [] } = r;
  if (operator !== "In" && operator !== "NotIn") {
    at.child("operator").invalid(operator, "not a valid selector operator");
  } else if (values.length !== 1) {
    at.child("values").required("must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
  }
  if (key !== "metadata.name") return at.child("key").invalid(key, "not a valid field selector key");
  values.forEach((value, i) => at.child("values").index(i).invalidEach(value, isDNS1123Subdomain(value)));
}

function validatePodAffinity(affinity: v1.PodAffinity | v1.PodAntiAffinity, at: Field, options: PodOptions): void {
  affinity[REQUIRED]?.forEach((term, i) => validateAffinityTerm(term, at.child(REQUIRED).index(i), options));
  affinity[PREFERRED]?.forEach((weighted, i) => {
    const field = at.child(PREFERRED).index(i);
    validateWeight(weighted.weight, field);
    validateAffinityTerm(weighted.podAffinityTerm ?? {}, field.child("podAffinityTerm"), options);
  });
}

/** The two selectors of a term: of pods, and of the namespaces that they are in. */
export function validateAffinityTermSelectors(
  term: v1.PodAffinityTerm,
  at: Field,
  options: { allowInvalidValues?: boolean } = {},
): void {
  validateLabelSelector(term.labelSelector, at.child("labelSelector"), options);
  validateLabelSelector(term.namespaceSelector, at.child("namespaceSelector"), options);
}

function validateAffinityTerm(term: v1.PodAffinityTerm, at: Field, options: PodOptions): void {
  validateAffinityTermSelectors(term, at, { allowInvalidValues: options.allowInvalidAffinitySelectors });
  for (const name of term.namespaces ?? []) at.child("namespace").invalidEach(name, isDNS1123Label(name));
  validateMatchLabelKeys(term, at);
  const { topologyKey = "" } = term;
  if (topologyKey === "") at.child("topologyKey").required("can not be empty");
  validateLabelName(topologyKey, at.child("topologyKey"));
}
