// The refusal of an authorizer in the API's words.
import { forbiddenError, type StatusError } from "../machinery/errors.ts";
import { goQuote } from "../machinery/go_text.ts";
import type { AuthorizationAttributes } from "./interface.ts";

const HTML: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** `pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "x"`, then the reason. */
export function forbiddenStatus(attributes: AuthorizationAttributes, reason = ""): StatusError {
  const message = forbiddenMessage(attributes).replace(/[&<>]/g, (c) => HTML[c]);
  const { apiGroup, resource, name } = attributes;
  return forbiddenError({ group: apiGroup, resource }, name, reason === "" ? message : `${message}: ${reason}`);
}

function forbiddenMessage(attributes: AuthorizationAttributes): string {
  const { user, verb, path, resource, subresource, apiGroup, namespace } = attributes;
  const who = `User ${goQuote(user.name)} cannot ${verb}`;
  if (!attributes.isResourceRequest) return `${who} path ${goQuote(path)}`;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${goQuote(namespace)}`;
  return `${who} resource ${goQuote(what)} in API group ${goQuote(apiGroup)} ${where}`;
}
