// Tokens that a node asks for: bound to a pod that runs on it, for an audience that one of the pod's volumes names.
import type { Volume } from "../../../facts/generated/types.ts";
import { goQuote } from "../../../machinery/go_text.ts";
import { AggregateFailure, asError } from "../../../machinery/aggregate_error.ts";
import { notFoundError } from "../../../machinery/errors.ts";
import type { KubeObject } from "../../../machinery/types.ts";
import type { AdmissionAttributes } from "../../interface.ts";
import { refusal } from "../attributes.ts";
import type { PluginContext } from "../context.ts";
import type { ObjectLookup } from "../lookup.ts";
import { podOf } from "./pods.ts";
import type { Restriction } from "./restriction.ts";

/** The CSI drivers that took over from what was built into Kubernetes. */
const MIGRATED: Readonly<Record<string, string>> = {
  awsElasticBlockStore: "ebs.csi.aws.com",
  azureDisk: "disk.csi.azure.com",
  azureFile: "file.csi.azure.com",
  gcePersistentDisk: "pd.csi.storage.gke.io",
  cinder: "cinder.csi.openstack.org",
  portworxVolume: "pxd.portworx.com",
  vsphereVolume: "csi.vsphere.vmware.com",
};

function driverOf(source: Record<string, unknown>): string | undefined {
  const csi = source.csi as { driver?: string } | undefined;
  if (csi !== undefined) return csi.driver;
  const migrated = Object.keys(MIGRATED).find((type) => source[type] !== undefined);
  return migrated === undefined ? undefined : MIGRATED[migrated];
}

async function existing(lookup: ObjectLookup, [group, resource, one]: string[], name: string, namespace = "") {
  const found = await lookup.get(group, resource, name, namespace);
  if (found === undefined) throw notFoundError({ group, resource: one }, name);
  return found;
}

async function driverOfClaim(lookup: ObjectLookup, name: string, namespace: string): Promise<string | undefined> {
  const claim = await existing(
    lookup,
    ["", "persistentvolumeclaims", "persistentvolumeclaim"],
    name,
    namespace,
  );
  const volume = await existing(
    lookup,
    ["", "persistentvolumes", "persistentvolume"],
    claim.spec?.volumeName ?? "",
  );
  return driverOf(volume.spec ?? {});
}

async function volumeNames(lookup: ObjectLookup, pod: KubeObject, volume: Volume, audience: string): Promise<boolean> {
  if (
    volume.projected?.sources?.some((s) => s.serviceAccountToken && (s.serviceAccountToken.audience ?? "") === audience)
  ) {
    return true;
  }
  const { name, namespace = "" } = pod.metadata;
  const claim = volume.ephemeral?.volumeClaimTemplate
    ? `${name}-${volume.name}`
    : volume.persistentVolumeClaim?.claimName;
  const driver = claim === undefined ? driverOf({ ...volume }) : await driverOfClaim(lookup, claim, namespace);
  if (!driver) return false;
  const { spec } = await existing(lookup, ["storage.k8s.io", "csidrivers", "csidriver"], driver);
  const requests: { audience?: string }[] = spec?.tokenRequests ?? [];
  return requests.some((request) => (request.audience ?? "") === audience);
}

/** Throws what kept it from finding out when it did not find the audience. */
async function podNames(lookup: ObjectLookup, pod: KubeObject, audience: string): Promise<boolean> {
  const errors: Error[] = [];
  for (const volume of pod.spec.volumes ?? []) {
    try {
      if (await volumeNames(lookup, pod, volume, audience)) return true;
    } catch (e) {
      errors.push(asError(e));
    }
  }
  if (errors.length > 0) throw new AggregateFailure(errors);
  return false;
}

async function checkAudience(attributes: AdmissionAttributes, pod: KubeObject, context: PluginContext): Promise<void> {
  const { user, namespace, name, object } = attributes;
  const audiences: string[] = object!.spec?.audiences ?? [];
  if (audiences.length > 1) throw refusal(attributes, "node may only request 0 or 1 audiences");
  const audience = audiences[0] ?? "";
  let named: boolean;
  try {
    named = await podNames(context.lookup, pod, audience);
  } catch (e) {
    throw refusal(attributes, `error validating audience ${goQuote(audience)}: ${asError(e).message}`);
  }
  if (named) return;
  const { decision, error } = await context.authorizer.authorize({
    user,
    verb: "request-serviceaccounts-token-audience",
    isResourceRequest: true,
    namespace,
    apiGroup: "",
    apiVersion: "v1",
    resource: audience,
    subresource: "",
    name,
    path: "",
  });
  if (decision === "allow") return;
  const why = error === undefined
    ? `${user.name} is not authorized to request tokens for this audience`
    : `error authorizing ${user.name} to request tokens for this audience: ${error}`;
  throw refusal(attributes, `audience ${goQuote(audience)} not found in pod spec volume, ${why}`);
}

export const admitToken: Restriction = async (attributes, node, context) => {
  const { operation, subresource, object, namespace } = attributes;
  if (operation !== "CREATE" || subresource !== "token") return;
  const bound = object!.spec?.boundObjectRef;
  if (bound?.apiVersion !== "v1" || bound.kind !== "Pod" || !bound.name) {
    throw refusal(attributes, "node requested token not bound to a pod");
  }
  if (!bound.uid) throw refusal(attributes, "node requested token with a pod binding without a uid");
  const pod = await podOf(context, bound.name, namespace);
  if (bound.uid !== pod.metadata.uid) {
    throw refusal(
      attributes,
      `the UID in the bound object reference (${bound.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  if (pod.spec.nodeName !== node) {
    throw refusal(attributes, "node requested token bound to a pod scheduled on a different node");
  }
  if (context.features.enabled("ServiceAccountNodeAudienceRestriction")) await checkAudience(attributes, pod, context);
};
