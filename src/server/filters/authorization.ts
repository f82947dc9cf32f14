// May they; 403 when not.
import type { AuthorizationAttributes, Authorizer } from "../../authorization/interface.ts";
import type { Filter, RequestHandlerContext } from "../../endpoints/env.ts";
import { respondError } from "../../endpoints/respond.ts";
import { forbiddenError } from "../../machinery/errors.ts";
import { logError } from "../../logging/mod.ts";

export function authorization(authorizer: Authorizer, observe: (allowed: boolean) => void): Filter {
  return async (c, next) => {
    const attributes = attributesOf(c);
    const pending = authorizer.authorize(attributes);
    const { decision, reason, error } = pending instanceof Promise ? await pending : pending;
    const allowed = decision === "allow";
    observe(allowed);
    if (allowed) return await next();
    if (error !== undefined) logError("Forbidden after an error", error, { URI: attributes.path });
    return await respondError(c, forbidden(attributes, reason));
  };
}

export function attributesOf(c: RequestHandlerContext): AuthorizationAttributes {
  const info = c.get("requestInfo");
  return {
    user: c.get("user"),
    verb: info.verb,
    isResourceRequest: info.isResourceRequest,
    namespace: info.namespace,
    apiGroup: info.apiGroup,
    apiVersion: info.apiVersion,
    resource: info.resource,
    subresource: info.subresource,
    name: info.name,
    path: info.path,
    fieldSelector: info.fieldSelector || undefined,
    labelSelector: info.labelSelector || undefined,
  };
}

/** `pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "x"`. */
export function forbidden(attributes: AuthorizationAttributes, reason: string) {
  const { resource, apiGroup, name } = attributes;
  let message = forbiddenMessage(attributes);
  if (reason !== "") message += `: ${reason}`;
  if (!attributes.isResourceRequest) return forbiddenError({ group: "", resource: "" }, "", message);
  return forbiddenError({ group: apiGroup, resource }, name, message);
}

/** `User "jane" cannot list resource "pods" in API group "" in the namespace "x"`. */
export function forbiddenMessage(attributes: AuthorizationAttributes): string {
  const { user, verb, path, resource, subresource, apiGroup, namespace } = attributes;
  const who = `User ${JSON.stringify(user.name)} cannot ${verb}`;
  if (!attributes.isResourceRequest) return `${who} path ${JSON.stringify(path)}`;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  return `${who} resource ${JSON.stringify(what)} in API group ${JSON.stringify(apiGroup)} ${where}`;
}
