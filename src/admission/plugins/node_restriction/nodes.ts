// A kubelet's own Node: it neither moves to other work by labels and taints nor takes over another node.
import { goQuote } from "../../../machinery/go_text.ts";
import { deepEqual } from "../../../machinery/validation/mod.ts";
import { refusal } from "../attributes.ts";
import type { Restriction } from "./restriction.ts";

/** kubernetes.io labels that a kubelet knows about its machine. */
const KUBELET_LABELS = new Set([
  "kubernetes.io/hostname",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "kubernetes.io/os",
  "kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
]);

type Labels = Readonly<Record<string, string>>;

/** Whether the prefix of a label is this domain or one below it. */
function isUnder(label: string, domain: string): boolean {
  const prefix = label.includes("/") ? label.slice(0, label.indexOf("/")) : "";
  return prefix === domain || prefix.endsWith(`.${domain}`);
}

function isForbidden(label: string): boolean {
  if (isUnder(label, "node-restriction.kubernetes.io")) return true;
  if (!isUnder(label, "kubernetes.io") && !isUnder(label, "k8s.io")) return false;
  if (KUBELET_LABELS.has(label)) return false;
  return !isUnder(label, "kubelet.kubernetes.io") && !isUnder(label, "node.kubernetes.io");
}

function forbiddenChanges(now: Labels = {}, before: Labels = {}): string {
  const labels = new Set([...Object.keys(now), ...Object.keys(before)]);
  return [...labels].filter((label) => now[label] !== before[label] && isForbidden(label)).sort().join(", ");
}

export const admitNode: Restriction = (attributes, node) => {
  const { operation, name, object, oldObject } = attributes, me = `node ${goQuote(node)} is not allowed to`;
  if (name !== node) throw refusal(attributes, `${me} modify node ${goQuote(name)}`);
  if (operation === "CREATE") {
    if (object!.spec?.configSource) throw refusal(attributes, `${me} create pods with a non-nil configSource`);
    const labels = forbiddenChanges(object!.metadata.labels);
    if (labels !== "") throw refusal(attributes, `${me} set the following labels: ${labels}`);
  } else if (operation === "UPDATE") {
    const spec = object!.spec ?? {}, before = oldObject!.spec ?? {};
    if (spec.configSource && !deepEqual(spec.configSource, before.configSource)) {
      throw refusal(attributes, `${me} update configSource to a new non-nil configSource`);
    }
    if (!deepEqual(spec.taints, before.taints)) throw refusal(attributes, `${me} modify taints`);
    if (!deepEqual(object!.metadata.ownerReferences, oldObject!.metadata.ownerReferences)) {
      throw refusal(attributes, `${me} modify ownerReferences`);
    }
    const labels = forbiddenChanges(object!.metadata.labels, oldObject!.metadata.labels);
    if (labels !== "") throw refusal(attributes, `is not allowed to modify labels: ${labels}`);
  }
};
