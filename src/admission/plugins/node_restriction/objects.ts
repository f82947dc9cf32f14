// What else belongs to a node: its lease, its CSINode, its slices of devices, its claims' status, its certificates.
import { internalDiff } from "../../../apis/internal_form.ts";
import { clone } from "../../../machinery/clone.ts";
import { goQuote } from "../../../machinery/go_text.ts";
import { COMMON_NAME, parseCertificateRequest } from "../../../machinery/pkcs10.ts";
import type { KubeObject } from "../../../machinery/types.ts";
import { deepEqual } from "../../../machinery/validation/mod.ts";
import type { AdmissionAttributes } from "../../interface.ts";
import { refusal } from "../attributes.ts";
import type { Restriction } from "./restriction.ts";

const LEASE_NAMESPACE = "kube-node-lease";
const NODE_SIGNERS = new Set(["kubernetes.io/kubelet-serving", "kubernetes.io/kube-apiserver-client-kubelet"]);

function ownName({ operation, name, object }: AdmissionAttributes): string | undefined {
  return operation === "CREATE" ? object!.metadata.name : name;
}

export const admitLease: Restriction = (attributes, node) => {
  if (attributes.namespace !== LEASE_NAMESPACE) {
    throw refusal(attributes, `can only access leases in the "${LEASE_NAMESPACE}" system namespace`);
  }
  if (ownName(attributes) === node) return;
  throw refusal(attributes, "can only access node lease with the same name as the requesting node");
};

export const admitCSINode: Restriction = (attributes, node) => {
  if (ownName(attributes) === node) return;
  throw refusal(attributes, "can only access CSINode with the same name as the requesting node");
};

export const admitResourceSlice: Restriction = (attributes, node) => {
  const { operation, object, oldObject } = attributes;
  if (operation === "UPDATE") return;
  const [slice, verb] = operation === "CREATE" ? [object, "create"] : [oldObject, "delete"];
  if (slice?.spec?.nodeName === node) return;
  throw refusal(attributes, `can only ${verb} ResourceSlice with the same NodeName as the requesting node`);
};

/** The claim without what a node writes when it has resized a volume. */
function withoutSizes(claim: KubeObject): KubeObject {
  const copy = clone(claim);
  delete copy.metadata.resourceVersion;
  delete copy.metadata.managedFields;
  const { capacity: _1, conditions: _2, allocatedResourceStatuses: _3, allocatedResources: _4, ...status } =
    copy.status ?? {};
  return { ...copy, status };
}

export const admitClaim: Restriction = (attributes, node) => {
  const { operation, subresource, object, oldObject } = attributes;
  if (subresource !== "status") throw refusal(attributes, "may only update PVC status");
  if (operation !== "UPDATE") throw refusal(attributes, `unexpected operation ${goQuote(operation)}`);
  const now = withoutSizes(object!), before = withoutSizes(oldObject!);
  if (deepEqual(now, before)) return;
  const me = `node ${goQuote(node)} is not allowed to update fields`;
  const changes = internalDiff("PersistentVolumeClaim", before, now);
  throw refusal(attributes, `${me} other than status.quantity and status.conditions: ${changes}`);
};

export const admitSigningRequest: Restriction = (attributes, node) => {
  if (attributes.operation !== "CREATE") return;
  const { signerName, request } = attributes.object!.spec;
  if (!NODE_SIGNERS.has(signerName)) return;
  let names: readonly string[];
  try {
    names = parseCertificateRequest(atob(request ?? "")).subject.get(COMMON_NAME) ?? [];
  } catch (e) {
    throw refusal(attributes, `unable to parse csr: ${(e as Error).message}`);
  }
  if (names.at(-1) === `system:node:${node}`) return;
  throw refusal(attributes, `can only create a node CSR with CN=system:node:${node}`);
};
