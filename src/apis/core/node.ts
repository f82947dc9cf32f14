// Nodes: machines that run pods.
import type { KubeObject } from "../../machinery/types.ts";
import { collect, warningsForCIDR } from "../../machinery/validation/mod.ts";
import { AGE, NAME, text, wide } from "../columns.ts";
import type { Node, NodeStatus } from "../../facts/generated/types.ts";
import { LaterModule } from "../../later.ts";
import type { Column, KindDefinition } from "../kind.ts";
import { roundResources } from "./resource_names.ts";

export type NodeObject = KubeObject & Node;

const rules = new LaterModule(() => import("./node_validation.ts"));

function setDefaults({ spec, status }: NodeObject): void {
  if (status?.capacity && !status.allocatable) status.allocatable = { ...status.capacity };
  for (const list of [status?.capacity, status?.allocatable]) roundResources(list);
  if (!spec) return;
  // podCIDR is the older of two ways to say it: it wins over a list that begins with something else.
  const { podCIDR, podCIDRs = [] } = spec;
  if (podCIDR && podCIDR !== podCIDRs[0]) spec.podCIDRs = [podCIDR];
  else if (!podCIDR && podCIDRs.length > 0) spec.podCIDR = podCIDRs[0];
}

/** Kubelets take their configuration from nowhere in the API any more (KEP-281): only old nodes keep the fields. */
function dropRemovedFields({ spec, status }: NodeObject, old?: NodeObject): void {
  if (spec && !old?.spec?.configSource) delete spec.configSource;
  if (status && !old) delete status.config;
}

function warnings({ spec = {} }: NodeObject): string[] {
  const found: string[] = [];
  if (spec.configSource) found.push("spec.configSource: the feature is removed");
  if (spec.externalID) found.push("spec.externalID: this field is deprecated, and is unused by Kubernetes");
  (spec.podCIDRs ?? []).forEach((cidr, i) => found.push(...warningsForCIDR(cidr, `spec.podCIDRs[${i}]`)));
  return found;
}

function statusText({ spec, status }: NodeObject): string {
  const ready = (status?.conditions ?? []).findLast((c) => c.type === "Ready");
  const word = ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady";
  return spec?.unschedulable ? `${word},SchedulingDisabled` : word;
}

const ROLE_PREFIX = "node-role.kubernetes.io/";
const ROLE = "kubernetes.io/role";

function rolesText({ metadata: { labels = {} } }: NodeObject): string {
  const roles = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key.slice(ROLE_PREFIX.length) || [];
    return key === ROLE && value !== "" ? value : [];
  });
  return [...new Set(roles)].sort().join(",") || "<none>";
}

function address(status: NodeStatus | undefined, type: string): string {
  return status?.addresses?.find((a) => a.type === type)?.address ?? "<none>";
}

function kernel({ status }: NodeObject): string {
  const { kernelVersion, architecture } = status?.nodeInfo ?? {};
  return (kernelVersion || "<unknown>") + (architecture ? ` (${architecture})` : "");
}

const columns: readonly Column<NodeObject>[] = [
  NAME,
  text("Status", "Whether it is ready.", statusText),
  text("Roles", "What it is for.", rolesText),
  AGE,
  text("Version", "Version of its kubelet.", ({ status }) => status?.nodeInfo?.kubeletVersion ?? ""),
  wide(text("Internal-IP", "Address within the cluster.", ({ status }) => address(status, "InternalIP"))),
  wide(text("External-IP", "Address from outside.", ({ status }) => address(status, "ExternalIP"))),
  wide(text("OS-Image", "Operating system.", ({ status }) => status?.nodeInfo?.osImage || "<unknown>")),
  wide(text("Kernel-Version", "Kernel and architecture.", kernel)),
  wide(
    text(
      "Container-Runtime",
      "Runtime and its version.",
      ({ status }) => status?.nodeInfo?.containerRuntimeVersion || "<unknown>",
    ),
  ),
];

export const node: KindDefinition<NodeObject> = {
  gvk: { group: "", version: "v1", kind: "Node" },
  resource: "nodes",
  load: () => rules.load(),
  setDefaults,
  // Unlike that of other kinds, its status may be there from the start.
  prepareForCreate: (object) => dropRemovedFields(object),
  prepareForUpdate: dropRemovedFields,
  checksMetadata: true,
  validate: (object) => collect((root) => rules.module.checkNode(object, root)),
  validateUpdate: (object, old) =>
    collect((root) => {
      rules.module.checkNode(object, root);
      rules.module.checkNodeUpdate(object, old, root);
    }),
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
  fields: ({ spec }) => ({ "spec.unschedulable": String(spec?.unschedulable ?? false) }),
  columns,
  subresources: {
    status: {
      checksMetadata: true,
      prepareForUpdate({ status }, old) {
        if (status && !old.status?.config) delete status.config;
      },
      validateUpdate: (object, old) => collect((root) => rules.module.checkNodeUpdate(object, old, root)),
    },
  },
};
