// The rights that it takes to act as another user: to its name, uid, groups and extras, one by one.
import {
  ALL_AUTHENTICATED,
  ALL_UNAUTHENTICATED,
  ANONYMOUS,
  SYSTEM_MASTERS,
  type UserInfo,
} from "../../authentication/interface.ts";
import {
  NODES_GROUP,
  parseNodeUserName,
  parseServiceAccountUserName,
  serviceAccountGroups,
} from "../../authentication/service_account_names.ts";
import { forbiddenStatus } from "../../authorization/forbidden.ts";
import type { AuthorizationAttributes, Authorizer } from "../../authorization/interface.ts";
import { aggregate } from "../../machinery/field_error.ts";
import { goQuote } from "../../machinery/go_text.ts";
import { collect, nameIsDNSSubdomain, validateDomainPrefixedPath } from "../../machinery/validation/mod.ts";

const AUTHENTICATION = { apiGroup: "authentication.k8s.io", apiVersion: "v1" };
const CORE = { apiGroup: "", apiVersion: "v1" };
/** From this many groups or extras on, the right to all of them is asked for first. */
const MANY = 4;

/** Throws 403 unless the authorizer allows it. */
export async function requireRight(authorizer: Authorizer, attributes: AuthorizationAttributes): Promise<void> {
  const { decision, reason, error } = await authorizer.authorize(attributes);
  if (decision === "allow") return;
  const why = error === undefined ? reason : reason === "" ? error : `${error}: ${reason}`;
  throw forbiddenStatus(attributes, why);
}

/** The rights to take on each part of a user: its name, uid, groups and extras. */
export class ImpersonationRights {
  /** @param constrained asks for the rights of the constrained modes, in authentication.k8s.io and never to everything */
  constructor(readonly authorizer: Authorizer, readonly verb: string, readonly constrained: boolean) {}

  /** The user to act as. Throws 403. */
  async require(wanted: UserInfo, requestor: UserInfo): Promise<UserInfo> {
    const user = { ...wanted, groups: await this.#name(wanted, requestor) };
    if (wanted.uid !== "") await this.#require(requestor, { ...AUTHENTICATION, resource: "uids", name: wanted.uid });
    await this.#groups(wanted.groups, requestor);
    await this.#extra(wanted.extra, requestor);
    if (user.name === ANONYMOUS) user.groups = withGroup(user.groups, ALL_UNAUTHENTICATED);
    else if (!user.groups.includes(ALL_UNAUTHENTICATED)) user.groups = withGroup(user.groups, ALL_AUTHENTICATED);
    return user;
  }

  /** The groups that the user has by name. */
  async #name({ name, groups }: UserInfo, requestor: UserInfo): Promise<readonly string[]> {
    const account = parseServiceAccountUserName(name);
    if (account !== undefined) {
      const target = { ...this.#core, resource: "serviceaccounts", ...account };
      if (this.constrained) this.#refuseGroups(requestor, target, "a service account", groups);
      await this.#require(requestor, target);
      return groups.length === 0 ? serviceAccountGroups(account.namespace) : groups;
    }
    if (this.constrained && isNodeUser(name)) {
      const target = { ...this.#core, resource: "nodes", name: parseNodeUserName(name)! };
      this.#refuseGroups(requestor, target, "a node", groups);
      await this.#require(requestor, target);
      return [NODES_GROUP];
    }
    await this.#require(requestor, { ...this.#core, resource: "users", name });
    return groups;
  }

  async #groups(groups: readonly string[], requestor: UserInfo): Promise<void> {
    if (groups.length === 0) return;
    const target = { ...this.#core, resource: "groups", name: "" };
    if (this.constrained) {
      if (groups.includes("")) this.#refuse(requestor, target, "impersonating the empty string group is not allowed");
      if (groups.includes(SYSTEM_MASTERS)) {
        const why = "impersonating the system:masters group is not allowed";
        this.#refuse(requestor, { ...target, name: SYSTEM_MASTERS }, why);
      }
      if (groups.length >= MANY && await this.#mayAll(requestor, { ...target, name: "*" })) return;
    }
    for (const name of groups) await this.#require(requestor, { ...target, name });
  }

  async #extra(extra: UserInfo["extra"], requestor: UserInfo): Promise<void> {
    const entries = Object.entries(extra);
    if (entries.length === 0) return;
    const target = { ...AUTHENTICATION, resource: "userextras", name: "" };
    if (this.constrained) {
      const why = extraProblem(extra);
      if (why !== undefined) this.#refuse(requestor, target, why);
      const values = entries.reduce((n, [, list]) => n + list.length, 0);
      const many = entries.length >= MANY || values >= MANY;
      if (many && await this.#mayAll(requestor, { ...target, subresource: "*", name: "*" })) return;
    }
    for (const [subresource, values] of entries) {
      for (const name of values) await this.#require(requestor, { ...target, subresource, name });
    }
  }

  get #core() {
    return this.constrained ? AUTHENTICATION : CORE;
  }

  #attributes(user: UserInfo, target: Target): AuthorizationAttributes {
    return { user, verb: this.verb, isResourceRequest: true, namespace: "", subresource: "", path: "", ...target };
  }

  #require(requestor: UserInfo, target: Target): Promise<void> {
    return requireRight(this.authorizer, this.#attributes(requestor, target));
  }

  async #mayAll(requestor: UserInfo, target: Target): Promise<boolean> {
    return (await this.authorizer.authorize(this.#attributes(requestor, target))).decision === "allow";
  }

  #refuse(requestor: UserInfo, target: Target, why: string): never {
    throw forbiddenStatus(this.#attributes(requestor, target), why);
  }

  #refuseGroups(requestor: UserInfo, target: Target, what: string, groups: readonly string[]): void {
    if (groups.length === 0) return;
    const list = groups.map(goQuote).join(" ");
    this.#refuse(requestor, target, `when impersonating ${what}, cannot impersonate groups [${list}]`);
  }
}

type Target =
  & Pick<AuthorizationAttributes, "apiGroup" | "apiVersion" | "resource" | "name">
  & Partial<Pick<AuthorizationAttributes, "subresource" | "namespace">>;

/** Whether it is the name of a node's user. */
export function isNodeUser(user: string): boolean {
  const name = parseNodeUserName(user);
  return name !== undefined && nameIsDNSSubdomain(name, false).length === 0;
}

function withGroup(groups: readonly string[], group: string): readonly string[] {
  return groups.includes(group) ? groups : [...groups, group];
}

/** What is wrong with extras that somebody wants to take on. */
function extraProblem(extra: UserInfo["extra"]): string | undefined {
  for (const [key, values] of Object.entries(extra)) {
    if (key === "") return "impersonating the empty string key in extra is not allowed";
    const errors = collect((root) => validateDomainPrefixedPath(key, root.child("extra", "key")));
    if (errors.length > 0) return `impersonating an invalid key in extra is not allowed: ${aggregate(errors)}`;
    if (key !== key.toLowerCase()) {
      return `impersonating a non-lowercase key in extra is not allowed: ${goQuote(key)}`;
    }
    if (values.length === 0) return "impersonating empty values in extra is not allowed";
    if (values.includes("")) return "impersonating the empty string value in extra is not allowed";
  }
  return undefined;
}
