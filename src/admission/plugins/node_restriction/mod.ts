// NodeRestriction: a kubelet changes its own node and the pods on it, and nothing else.
import { NODES_GROUP, parseNodeUserName } from "../../../authentication/service_account_names.ts";
import { goQuote } from "../../../machinery/go_text.ts";
import { formatGroupResource } from "../../../machinery/types.ts";
import type { AdmissionPlugin } from "../../interface.ts";
import { on, refusal } from "../attributes.ts";
import type { PluginContext } from "../context.ts";
import { admitNode } from "./nodes.ts";
import { admitClaim, admitCSINode, admitLease, admitResourceSlice, admitSigningRequest } from "./objects.ts";
import { admitPod } from "./pods.ts";
import type { Restriction } from "./restriction.ts";
import { admitToken } from "./tokens.ts";

/** By resource; what is not here is the authorizer's affair alone. */
const RESTRICTIONS: Readonly<Record<string, Restriction>> = {
  pods: admitPod,
  nodes: admitNode,
  persistentvolumeclaims: admitClaim,
  serviceaccounts: admitToken,
  "leases.coordination.k8s.io": admitLease,
  "csinodes.storage.k8s.io": admitCSINode,
  "resourceslices.resource.k8s.io": admitResourceSlice,
  "certificatesigningrequests.certificates.k8s.io": admitSigningRequest,
  "podcertificaterequests.certificates.k8s.io": (attributes) => {
    throw refusal(attributes, "PodCertificateRequest feature gate is disabled");
  },
};

export function nodeRestriction(context: PluginContext): AdmissionPlugin {
  return {
    name: "NodeRestriction",
    handles: on("CREATE", "UPDATE", "DELETE"),
    admit(attributes) {
      const { user, resource } = attributes;
      const node = user.groups.includes(NODES_GROUP) ? parseNodeUserName(user.name) : undefined;
      if (node === undefined) return;
      if (node === "") throw refusal(attributes, `could not determine node from user ${goQuote(user.name)}`);
      const name = formatGroupResource(resource);
      if (Object.hasOwn(RESTRICTIONS, name)) return RESTRICTIONS[name](attributes, node, context);
    },
  };
}
