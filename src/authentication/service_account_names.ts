// The names that service accounts and nodes have as users.
import { nameIsDNSLabel, nameIsDNSSubdomain } from "../machinery/validation/mod.ts";

const USER_PREFIX = "system:serviceaccount:", GROUP = "system:serviceaccounts";
const NODE_PREFIX = "system:node:";

export const NODES_GROUP = "system:nodes";

export function serviceAccountUserName(namespace: string, name: string): string {
  return `${USER_PREFIX}${namespace}:${name}`;
}

/** Undefined when the user is no service account. */
export function parseServiceAccountUserName(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(USER_PREFIX)) return undefined;
  const parts = user.slice(USER_PREFIX.length).split(":");
  if (parts.length !== 2) return undefined;
  const [namespace, name] = parts;
  if (nameIsDNSLabel(namespace, false).length > 0 || nameIsDNSSubdomain(name, false).length > 0) return undefined;
  return { namespace, name };
}

export function serviceAccountGroups(namespace: string): string[] {
  return [GROUP, `${GROUP}:${namespace}`];
}

/** The node behind `system:node:NAME`. */
export function parseNodeUserName(user: string): string | undefined {
  return user.startsWith(NODE_PREFIX) ? user.slice(NODE_PREFIX.length) : undefined;
}
