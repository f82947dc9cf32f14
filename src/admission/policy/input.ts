// The variables of expressions, made of a request.
import { AuthorizerValue, ResourceCheck } from "../../machinery/cel/libraries/authorizer.ts";
import type { PolicyInput } from "../../machinery/cel/policies/evaluation.ts";
import { notFoundError } from "../../machinery/errors.ts";
import type { GroupVersionKind, GroupVersionResource, Json, JsonObject, KubeObject } from "../../machinery/types.ts";
import type { AdmissionAttributes } from "../interface.ts";
import type { Match } from "../matching/match.ts";
import { shownObject, type VersionedObjects } from "../matching/versioned.ts";
import type { ObjectLookup } from "../plugins/lookup.ts";
import type { RequestAccess } from "./access.ts";

export interface InputOptions {
  match: Match;
  objects: Pick<VersionedObjects, "object" | "oldObject">;
  params: KubeObject | undefined;
  namespace: KubeObject | undefined;
  access: RequestAccess;
}

/** Everything; expressions that may not ask for access do without the last two members. */
export function inputOf(attributes: AdmissionAttributes, options: InputOptions): Required<PolicyInput> {
  const { match, objects, params, namespace, access } = options;
  const authorizer = new AuthorizerValue(access.decide);
  const { resource, subresource, namespace: inside, name } = attributes;
  const requestResource = new ResourceCheck(authorizer, {
    group: resource.group,
    resource: resource.resource,
    subresource,
    namespace: inside,
    name,
    fieldSelector: "",
    labelSelector: "",
  });
  return {
    object: shownObject(attributes, objects),
    oldObject: objects.oldObject as Json | undefined,
    params: params as Json | undefined,
    request: requestJson(attributes, match),
    namespaceObject: namespace && namespaceJson(namespace),
    authorizer,
    requestResource,
  };
}

/** The same without what asks for access. */
export function withoutAccess({ authorizer: _, requestResource: __, ...input }: PolicyInput): PolicyInput {
  return input;
}

/** The namespace that the request is in. Throws NotFound when there is none of its name. */
export async function requestNamespace(
  { kind, namespace }: AdmissionAttributes,
  lookup: ObjectLookup,
): Promise<KubeObject | undefined> {
  const isNamespace = kind.kind === "Namespace" && kind.version === "v1" && kind.group === "";
  if (namespace === "" || isNamespace) return undefined;
  const found = await lookup.get("", "namespaces", namespace);
  if (found === undefined) throw notFoundError({ group: "", resource: "namespaces" }, namespace);
  return found;
}

function kindJson({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, version, kind };
}

function resourceJson({ group, version, resource }: GroupVersionResource): JsonObject {
  return { group, version, resource };
}

/** admission.k8s.io/v1 AdmissionRequest, as far as expressions know it: empty texts and lists are not there. */
function requestJson(attributes: AdmissionAttributes, match: Match): JsonObject {
  const { kind, resource, subresource, name, namespace, operation, user, dryRun, options } = attributes;
  return {
    kind: kindJson(match.kind),
    resource: resourceJson(match.resource),
    ...(subresource ? { subResource: subresource } : {}),
    requestKind: kindJson(kind),
    requestResource: resourceJson(resource),
    ...(subresource ? { requestSubResource: subresource } : {}),
    ...(name ? { name } : {}),
    ...(namespace ? { namespace } : {}),
    operation,
    userInfo: {
      ...(user.name ? { username: user.name } : {}),
      ...(user.uid ? { uid: user.uid } : {}),
      ...(user.groups.length > 0 ? { groups: [...user.groups] } : {}),
      ...(Object.keys(user.extra).length > 0 ? { extra: user.extra as JsonObject } : {}),
    },
    dryRun,
    options: operation === "CONNECT" ? null : options,
  };
}

const NAMESPACE_METADATA = [
  "name",
  "generateName",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "finalizers",
];

function namespaceJson(namespace: KubeObject): JsonObject {
  const all = namespace.metadata as JsonObject, metadata: JsonObject = {};
  for (const name of NAMESPACE_METADATA) if (all[name] !== undefined) metadata[name] = all[name];
  const { spec = {}, status = {} } = namespace as { spec?: Json; status?: Json };
  return { metadata, spec, status };
}
