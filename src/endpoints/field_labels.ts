// The fields that a field selector may name, with the names that older or other versions have for them.
import { badRequestError } from "../machinery/errors.ts";
import { apiVersionOf } from "../machinery/types.ts";
import type { ServedResource } from "../registry/resource.ts";
import { lookUp } from "../machinery/look_up.ts";

/** Names by kind and version that stand for another field. */
const ALIASES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "v1/Pod": { "spec.host": "spec.nodeName" },
  "events.k8s.io/v1/Event": {
    "regarding.kind": "involvedObject.kind",
    "regarding.namespace": "involvedObject.namespace",
    "regarding.name": "involvedObject.name",
    "regarding.uid": "involvedObject.uid",
    "regarding.apiVersion": "involvedObject.apiVersion",
    "regarding.resourceVersion": "involvedObject.resourceVersion",
    "regarding.fieldPath": "involvedObject.fieldPath",
    "reportingController": "reportingComponent",
  },
};

/** Fields that the kind has but that this version does not name. */
const HIDDEN: Readonly<Record<string, (label: string) => boolean>> = {
  "events.k8s.io/v1/Event": (label) =>
    label.startsWith("involvedObject.") || /^(reportingComponent|source)$/.test(label),
};

const ALWAYS: readonly string[] = ["metadata.name", "metadata.namespace"];

/** The field that a label of a selector means. Throws 400 when the kind has no such field. */
export function fieldOfLabel(resource: ServedResource, label: string): string {
  const { selectableFields, kind, namespaced } = resource;
  const id = `${apiVersionOf(kind.gvk)}/${kind.gvk.kind}`;
  const field = lookUp(ALIASES[id] ?? {}, label);
  if (field !== undefined) return field;
  const own = selectableFields.some((name) => !ALWAYS.includes(name));
  // Cluster-scoped kinds with fields of their own do not name a namespace that they do not have.
  const named = label === "metadata.namespace"
    ? namespaced || !own && !kind.custom
    : selectableFields.includes(label) && !HIDDEN[id]?.(label) || label === "metadata.name";
  if (!named) throw badRequestError(refusal(resource, label, own));
  return label;
}

function refusal({ kind, resource, group }: ServedResource, label: string, own: boolean): string {
  if (!own && !kind.custom) {
    return `${JSON.stringify(label)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
  }
  if (group === "batch" && resource === "jobs") return `field label ${JSON.stringify(label)} not supported for Job`;
  if (group === "resource.k8s.io" && resource === "resourceslices") {
    return `field label not supported for ${apiVersionOf(kind.gvk)}, Kind=${kind.gvk.kind}: ${label}`;
  }
  return `field label not supported: ${label}`;
}
