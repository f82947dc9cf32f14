// OwnerReferencesPermissionEnforcement: owners are set by who may delete, and block who may set the owner's finalizers.
import type { AuthorizationAttributes, Authorizer } from "../../authorization/interface.ts";
import type { KubeObject, OwnerReference } from "../../machinery/types.ts";
import { deepEqual } from "../../machinery/validation/mod.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { on, refusal } from "./attributes.ts";
import type { PluginContext } from "./context.ts";

function ownersOf(object: KubeObject | undefined): OwnerReference[] {
  return object?.metadata?.ownerReferences ?? [];
}

/** Owners that are kept from going and were not before. */
function newlyBlocked(object: KubeObject, old: KubeObject | undefined): OwnerReference[] {
  const blocked = new Set(ownersOf(old).filter((owner) => owner.blockOwnerDeletion).map((owner) => owner.uid));
  return ownersOf(object).filter((owner) => owner.blockOwnerDeletion && !blocked.has(owner.uid));
}

type Wanted =
  & Pick<AuthorizationAttributes, "verb" | "apiGroup" | "apiVersion" | "resource">
  & Partial<AuthorizationAttributes>;

/** Undefined when it is allowed, else what a refusal says of the reason. */
async function refusedFor(
  authorizer: Authorizer,
  { user }: AdmissionAttributes,
  wanted: Wanted,
): Promise<string | undefined> {
  const nowhere = { namespace: "", subresource: "", name: "", path: "" };
  const { decision, reason, error } = await authorizer.authorize({
    ...nowhere,
    ...wanted,
    user,
    isResourceRequest: true,
  });
  return decision === "allow" ? undefined : `${reason}, ${error ?? "<nil>"}`;
}

async function checkDelete(authorizer: Authorizer, attributes: AdmissionAttributes): Promise<void> {
  const { resource, subresource, namespace, name } = attributes;
  const why = await refusedFor(authorizer, attributes, {
    verb: "delete",
    apiGroup: resource.group,
    apiVersion: resource.version,
    resource: resource.resource,
    subresource,
    namespace,
    name,
  });
  if (why !== undefined) throw refusal(attributes, `cannot set an ownerRef on a resource you can't delete: ${why}`);
}

async function checkBlocking(
  { authorizer, resourcesOf }: PluginContext,
  attributes: AdmissionAttributes,
  { apiVersion, kind, name }: OwnerReference,
): Promise<void> {
  const served = resourcesOf(apiVersion, kind);
  if (served.length === 0) {
    throw refusal(
      attributes,
      `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: no matches for kind "${kind}" in version "${apiVersion}"`,
    );
  }
  for (const { group, version, resource, namespaced } of served) {
    const why = await refusedFor(authorizer, attributes, {
      verb: "update",
      apiGroup: group,
      apiVersion: version,
      resource,
      subresource: "finalizers",
      name,
      namespace: namespaced ? attributes.namespace : "",
    });
    if (why === undefined) continue;
    throw refusal(
      attributes,
      `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${why}`,
    );
  }
}

export function ownerReferencesPermissionEnforcement(context: PluginContext): AdmissionPlugin {
  const { authorizer } = context;
  return {
    name: "OwnerReferencesPermissionEnforcement",
    handles: on("CREATE", "UPDATE"),
    async validate(attributes) {
      const { operation, resource, subresource, object, oldObject } = attributes;
      if (resource.group === "" && resource.resource === "pods" && subresource === "status") return;
      if (object === undefined || deepEqual(ownersOf(object), ownersOf(oldObject))) return;
      if (operation === "UPDATE") await checkDelete(authorizer, attributes);
      const blocked = newlyBlocked(object, oldObject);
      if (blocked.length === 0) return;
      const anything = { apiGroup: "*", apiVersion: "*", resource: "*", subresource: "finalizers", name: "*" };
      if (await refusedFor(authorizer, attributes, { verb: "update", ...anything }) === undefined) return;
      for (const owner of blocked) await checkBlocking(context, attributes, owner);
    },
  };
}
