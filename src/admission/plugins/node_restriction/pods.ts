// The pods of a node: it makes mirror pods, deletes, evicts and writes the status of what runs on it.
import { containersOf } from "../../../apis/core/pod_spec/visit.ts";
import type { PodSpec, Volume, VolumeProjection } from "../../../facts/generated/types.ts";
import { notFoundError } from "../../../machinery/errors.ts";
import { goQuote } from "../../../machinery/go_text.ts";
import type { KubeObject } from "../../../machinery/types.ts";
import { deepEqual } from "../../../machinery/validation/mod.ts";
import type { AdmissionAttributes } from "../../interface.ts";
import { refusal } from "../attributes.ts";
import type { PluginContext } from "../context.ts";
import { secretNames } from "../secrets.ts";
import { MIRROR_POD } from "../service_account.ts";
import type { Restriction } from "./restriction.ts";

export async function podOf({ lookup }: PluginContext, name: string, namespace: string): Promise<KubeObject> {
  const pod = await lookup.get("", "pods", name, namespace);
  if (pod === undefined) throw notFoundError({ group: "", resource: "pod" }, name);
  return pod;
}

function namesConfigMaps(spec: PodSpec): boolean {
  return containersOf(spec).some((container) =>
    container.envFrom?.some((from) => from.configMapRef?.name) ||
    container.env?.some((variable) => variable.valueFrom?.configMapKeyRef?.name)
  ) || !!spec.volumes?.some((volume) =>
    volume.configMap?.name || volume.projected?.sources?.some((source) =>
      source.configMap?.name
    )
  );
}

const VOLUME_REFERENCES: readonly [keyof Volume, string][] = [
  ["configMap", "configmaps (via configmap volumes)"],
  ["secret", "secrets (via secret volumes)"],
  ["csi", "csidrivers (via CSI volumes)"],
  ["glusterfs", "endpoints (via glusterFS volumes)"],
  ["persistentVolumeClaim", "persistentvolumeclaims"],
  ["ephemeral", "persistentvolumeclaims (via ephemeral volumes)"],
  ["azureFile", "secrets (via azureFile volumes)"],
];
const PROJECTED_REFERENCES: readonly [keyof VolumeProjection, string][] = [
  ["configMap", "configmaps (via projected volumes)"],
  ["secret", "secrets (via projected volumes)"],
  ["serviceAccountToken", "serviceaccounts (via projected volumes)"],
  ["clusterTrustBundle", "clustertrustbundles"],
  ["podCertificate", "podcertificates"],
];

/** What of the API a pod refers to; undefined when nothing. */
function referenceOf(spec: PodSpec): string | undefined {
  if (spec.serviceAccountName) return "serviceaccounts";
  if (secretNames(spec).size > 0) return "secrets";
  if (namesConfigMaps(spec)) return "configmaps";
  if ((spec.resourceClaims ?? []).length > 0) return "resourceclaims";
  for (const volume of spec.volumes ?? []) {
    const known = VOLUME_REFERENCES.find(([type]) => volume[type] !== undefined);
    if (known !== undefined) return known[1];
    for (const source of volume.projected?.sources ?? []) {
      const projected = PROJECTED_REFERENCES.find(([type]) => source[type] !== undefined);
      if (projected !== undefined) return projected[1];
    }
  }
}

async function checkOwner(attributes: AdmissionAttributes, node: string, { lookup }: PluginContext): Promise<void> {
  const owners = attributes.object!.metadata.ownerReferences ?? [], me = `node ${goQuote(node)}`;
  if (owners.length > 1) {
    throw refusal(attributes, `${me} can only create pods with a single owner reference set to itself`);
  }
  const [owner] = owners;
  if (owner?.apiVersion !== "v1" || owner.kind !== "Node" || owner.name !== node) {
    throw refusal(attributes, `${me} can only create pods with an owner reference set to itself`);
  }
  if (!owner.controller) {
    throw refusal(attributes, `${me} can only create pods with a controller owner reference set to itself`);
  }
  if (owner.blockOwnerDeletion) {
    throw refusal(attributes, `${me} must not set blockOwnerDeletion on an owner reference`);
  }
  const found = await lookup.get("", "nodes", node);
  if (found === undefined) throw notFoundError({ group: "", resource: "node" }, node);
  const { uid } = found.metadata;
  if (owner.uid !== uid) throw refusal(attributes, `node ${node} UID mismatch: expected ${owner.uid} got ${uid}`);
}

const admitCreate: Restriction = async (attributes, node, context) => {
  const { metadata, spec } = attributes.object!, me = `node ${goQuote(node)}`;
  if (metadata.annotations?.[MIRROR_POD] === undefined) {
    const why = `pod does not have "${MIRROR_POD}" annotation, ${me} can only create mirror pods`;
    throw refusal(attributes, why);
  }
  if (spec.nodeName !== node) {
    throw refusal(attributes, `${me} can only create pods with spec.nodeName set to itself`);
  }
  await checkOwner(attributes, node, context);
  const reference = referenceOf(spec);
  if (reference !== undefined) throw refusal(attributes, `${me} can not create pods that reference ${reference}`);
};

const admitItself: Restriction = async (attributes, node, context) => {
  const { operation, name, namespace } = attributes, me = `node ${goQuote(node)}`;
  if (operation === "CREATE") return await admitCreate(attributes, node, context);
  if (operation !== "DELETE") {
    throw refusal(
      attributes,
      `unexpected operation ${goQuote(operation)}, ${me} can only create and delete mirror pods`,
    );
  }
  const pod = await podOf(context, name, namespace);
  if (pod.spec.nodeName === node) return;
  throw refusal(attributes, `${me} can only delete pods with spec.nodeName set to itself`);
};

const admitStatus: Restriction = (attributes, node) => {
  const { operation, object, oldObject } = attributes, me = `node ${goQuote(node)}`;
  if (operation !== "UPDATE") throw refusal(attributes, `unexpected operation ${goQuote(operation)}`);
  if (oldObject!.spec.nodeName !== node) {
    throw refusal(attributes, `${me} can only update pod status for pods with spec.nodeName set to itself`);
  }
  if (!deepEqual(object!.metadata.labels ?? {}, oldObject!.metadata.labels ?? {})) {
    throw refusal(attributes, `${me} cannot update labels through pod status`);
  }
  const now = object!.status ?? {}, before = oldObject!.status ?? {};
  if (!deepEqual(now.resourceClaimStatuses, before.resourceClaimStatuses)) {
    throw refusal(attributes, `${me} cannot update resource claim statues`);
  }
  if (!deepEqual(now.extendedResourceClaimStatus, before.extendedResourceClaimStatus)) {
    throw refusal(attributes, `${me} cannot update extended resource claim status`);
  }
};

const admitEviction: Restriction = async (attributes, node, context) => {
  const { operation, name, namespace } = attributes;
  if (operation !== "CREATE") throw refusal(attributes, `unexpected operation ${operation}`);
  if (name === "") throw refusal(attributes, "could not determine pod from request data");
  const pod = await podOf(context, name, namespace);
  if (pod.spec.nodeName === node) return;
  throw refusal(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
};

const SUBRESOURCES = new Map([["", admitItself], ["status", admitStatus], ["eviction", admitEviction]]);

export const admitPod: Restriction = (attributes, node, context) => {
  const { subresource } = attributes, admit = SUBRESOURCES.get(subresource);
  if (admit !== undefined) return admit(attributes, node, context);
  const what = `unexpected pod subresource ${goQuote(subresource)}`;
  throw refusal(attributes, `${what}, only 'status' and 'eviction' are allowed`);
};
