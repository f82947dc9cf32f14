// ClusterTrustBundleAttest: trust in a signer is published by whom the signer lets.
import { goQuote } from "../../machinery/go_text.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { deepEqual } from "../../machinery/validation/mod.ts";
import type { AdmissionPlugin } from "../interface.ts";
import { isOf, on, refusal } from "./attributes.ts";
import type { PluginContext } from "./context.ts";
import { mayUseSigner } from "./signer_authorization.ts";

const TRUST_BUNDLES = { group: "certificates.k8s.io", resource: "clustertrustbundles" };

/** Whether only those members changed by which an object is collected or migrated. */
function isUpkeep(object: KubeObject, old: KubeObject): boolean {
  const { ownerReferences, finalizers, managedFields } = old.metadata;
  return deepEqual({ ...object, metadata: { ...object.metadata, ownerReferences, finalizers, managedFields } }, old);
}

export function clusterTrustBundleAttest({ authorizer, features }: PluginContext): AdmissionPlugin {
  const enabled = features.enabled("ClusterTrustBundle");
  return {
    name: "ClusterTrustBundleAttest",
    handles: enabled ? on("CREATE", "UPDATE") : () => false,
    looksAt: ({ resource }) => isOf(resource, TRUST_BUNDLES),
    async validate(attributes) {
      const { object, oldObject, user } = attributes;
      const signer = object!.spec?.signerName ?? "";
      if (signer === "" || (oldObject !== undefined && isUpkeep(object!, oldObject))) return;
      if (await mayUseSigner(authorizer, user, { verb: "attest", signer })) return;
      throw refusal(attributes, `user not permitted to attest for signerName ${goQuote(signer)}`);
    },
  };
}
