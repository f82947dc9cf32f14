// Node: a node may read what its pods need and write what is its own. Further limits on what it writes are the admission
// plugin NodeRestriction's.
import type { PolicyRule } from "../../facts/generated/types.ts";
import type { UserInfo } from "../../authentication/interface.ts";
import { NODES_GROUP, parseNodeUserName } from "../../authentication/service_account_names.ts";
import { goQuote } from "../../machinery/go_text.ts";
import { parseFieldSelector } from "../../machinery/selectors/mod.ts";
import type { AuthorizationAttributes, AuthorizationResult, Authorizer, RuleResolver } from "../interface.ts";
import { ruleAllows } from "../rbac/rules.ts";
import { type NodeGraph, objectKey } from "./graph.ts";

const ALLOWED: AuthorizationResult = { decision: "allow", reason: "" };
const NO_OPINION = noOpinion("");
const LEASE_NAMESPACE = "kube-node-lease";

export interface NodeAuthorizerOptions {
  /** The graph, once it knows everything there is; built when first asked for. */
  graph(): NodeGraph | Promise<NodeGraph>;
  /** What all nodes may do alike. */
  rules(): readonly PolicyRule[];
}

type Answer = AuthorizationResult | Promise<AuthorizationResult>;

/** What a request on a resource is checked by. */
interface NodeRequest extends AuthorizationAttributes {
  node: string;
  /** Whether the node has to do with the object of the request. */
  related(): Answer;
}

export function nodeAuthorizer({ graph, rules }: NodeAuthorizerOptions): Authorizer & RuleResolver {
  /** The first request waits for the graph; later ones find it there. */
  function related(node: string, { resource, namespace, name }: AuthorizationAttributes): Answer {
    if (name === "") return noOpinion("No Object name found");
    const key = objectKey(resource, namespace, name);
    const decide = (found: NodeGraph) =>
      found.relates(node, key) ? ALLOWED : noOpinion(`no relationship found between node '${node}' and this object`);
    const found = graph();
    return found instanceof Promise ? found.then(decide) : decide(found);
  }

  return {
    authorize(attributes) {
      const node = nodeOf(attributes.user);
      if (node === undefined) return NO_OPINION;
      if (node === "") return noOpinion(`unknown node for user ${goQuote(attributes.user.name)}`);
      if (attributes.isResourceRequest) {
        const check = CHECKS[`${attributes.resource}.${attributes.apiGroup}`];
        if (check) return check({ ...attributes, node, related: () => related(node, attributes) });
      }
      return rules().some((rule) => ruleAllows(rule, attributes)) ? ALLOWED : NO_OPINION;
    },
    rulesFor(user) {
      const none = { resourceRules: [], nonResourceRules: [], incomplete: false };
      if (nodeOf(user) === undefined) return Promise.resolve(none);
      const error = new Error("node authorizer does not support user rule resolution");
      return Promise.resolve({ ...none, incomplete: true, error });
    },
  };
}

function noOpinion(reason: string): AuthorizationResult {
  return { decision: "no opinion", reason };
}

/** The node's name; undefined when the user is none. */
function nodeOf({ name, groups }: UserInfo): string | undefined {
  const node = parseNodeUserName(name);
  return node !== undefined && groups.includes(NODES_GROUP) ? node : undefined;
}

/** `resource.group` → who may do what with it; resources that are not here are the same to all nodes. */
const CHECKS: Readonly<Record<string, ((request: NodeRequest) => Answer) | undefined>> = {
  "secrets.": readOne,
  "configmaps.": readOne,
  "persistentvolumeclaims.": (request) => request.subresource === "status" ? writeStatus(request) : get(request),
  "persistentvolumes.": get,
  "resourceclaims.resource.k8s.io": get,
  "volumeattachments.storage.k8s.io": get,
  "serviceaccounts.": account,
  "leases.coordination.k8s.io": lease,
  "csinodes.storage.k8s.io": csiNode,
  "resourceslices.resource.k8s.io": resourceSlice,
  "nodes.": ownNode,
  "pods.": pod,
  "podcertificaterequests.certificates.k8s.io": () => NO_OPINION,
};

function readOne({ verb, subresource, namespace, related }: NodeRequest): Answer {
  if (!["get", "list", "watch"].includes(verb)) return noOpinion("can only read resources of this type");
  if (subresource !== "") return noOpinion("cannot read subresource");
  if (namespace === "") return noOpinion("can only read namespaced object of this type");
  return related();
}

function get({ verb, subresource, related }: NodeRequest): Answer {
  if (verb !== "get") return noOpinion("can only get individual resources of this type");
  return subresource === "" ? related() : noOpinion("cannot get subresource");
}

function writeStatus({ verb, related }: NodeRequest): Answer {
  return verb === "update" || verb === "patch" ? related() : noOpinion("can only get/update/patch this type");
}

/** Reads the account of its pods and makes tokens for it. */
function account(request: NodeRequest): Answer {
  const { verb, subresource, name, related } = request;
  if (verb === "get" && subresource === "") return readOne(request);
  if (verb !== "create" || name === "") {
    return noOpinion("can only create tokens for individual service accounts");
  }
  return subresource === "token" ? related() : noOpinion("can only create token subresource of serviceaccount");
}

const OWN_VERBS = ["get", "create", "update", "patch", "delete"];

/** The name is not known when an object is created: NodeRestriction looks at it then. */
function isOthers({ verb, name, node }: NodeRequest): boolean {
  return verb !== "create" && name !== node;
}

function lease(request: NodeRequest): Answer {
  if (!OWN_VERBS.includes(request.verb)) {
    return noOpinion("can only get, create, update, patch, or delete a node lease");
  }
  if (request.namespace !== LEASE_NAMESPACE) {
    return noOpinion(`can only access leases in the "${LEASE_NAMESPACE}" system namespace`);
  }
  if (isOthers(request)) return noOpinion("can only access node lease with the same name as the requesting node");
  return ALLOWED;
}

function csiNode(request: NodeRequest): Answer {
  if (!OWN_VERBS.includes(request.verb)) return noOpinion("can only get, create, update, patch, or delete a CSINode");
  if (request.subresource !== "") return noOpinion("cannot authorize CSINode subresources");
  if (isOthers(request)) return noOpinion("can only access CSINode with the same name as the requesting node");
  return ALLOWED;
}

function resourceSlice(request: NodeRequest): Answer {
  if (request.subresource !== "") return noOpinion("cannot authorize ResourceSlice subresources");
  switch (request.verb) {
    case "create":
      return ALLOWED;
    case "get":
    case "update":
    case "patch":
    case "delete":
      return request.related();
    case "watch":
    case "list":
    case "deletecollection":
      if (selectsOwn(request)) return ALLOWED;
      return noOpinion("can only list/watch/deletecollection resourceslices with nodeName field selector");
    default:
      return noOpinion(
        "only the following verbs are allowed for a ResourceSlice: " +
          "get, watch, list, create, update, patch, delete, deletecollection",
      );
  }
}

/** Whether a field selector asks for what is on the node only. */
function selectsOwn({ fieldSelector, node }: NodeRequest): boolean {
  if (!fieldSelector) return false;
  try {
    const { requirements } = parseFieldSelector(fieldSelector);
    return requirements.some((r) => r.field === "spec.nodeName" && r.operator === "=" && r.value === node);
  } catch {
    return false;
  }
}

function ownNode({ verb, subresource, name, node }: NodeRequest): Answer {
  const writes = verb === "update" || verb === "patch";
  if (subresource === "status") return writes ? ALLOWED : NO_OPINION;
  if (subresource !== "") return NO_OPINION;
  if (writes || verb === "create") return ALLOWED;
  if (!["get", "list", "watch"].includes(verb)) return NO_OPINION;
  if (name === node) return ALLOWED;
  const what = name === "" ? "all nodes" : `'${name}'`;
  return noOpinion(`node '${node}' cannot read ${what}, only its own Node object`);
}

function pod(request: NodeRequest): Answer {
  const { verb, subresource, name } = request;
  const writes = verb === "update" || verb === "patch";
  if (subresource === "status") return writes ? ALLOWED : NO_OPINION;
  if (subresource === "eviction") return verb === "create" ? ALLOWED : NO_OPINION;
  if (subresource !== "") return NO_OPINION;
  switch (verb) {
    case "get":
      return get(request);
    case "list":
    case "watch":
      if (selectsOwn(request)) return ALLOWED;
      return name === "" ? noOpinion("can only list/watch pods with spec.nodeName field selector") : request.related();
    case "create":
    case "delete":
      return ALLOWED;
    default:
      return NO_OPINION;
  }
}
