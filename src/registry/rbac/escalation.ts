// Nobody gives more rights than he has: a role may hold what its author may do himself, a binding may bind such a role,
// unless he has the verb `escalate` on roles or `bind` on the role.
import type { PolicyRule } from "../../facts/generated/types.ts";
import { describeRules, uncoveredRules } from "../../apis/rbac/rules.ts";
import { SYSTEM_MASTERS } from "../../authentication/interface.ts";
import type { AuthorizationAttributes, Authorizer } from "../../authorization/interface.ts";
import { rulesFor } from "../../authorization/rbac/authorizer.ts";
import type { RbacIndex } from "../../authorization/rbac/index.ts";
import { objectOf } from "../rest.ts";
import { forbiddenError, hasReason, notFoundError } from "../../machinery/errors.ts";
import { AggregateFailure } from "../../machinery/aggregate_error.ts";
import { goQuote } from "../../machinery/go_text.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { deepEqual } from "../../machinery/validation/mod.ts";
import type { BuiltinResources } from "../builtin.ts";
import type { Finish, StoreHooks } from "../config.ts";
import type { RequestContext } from "../../apis/context.ts";

export interface EscalationOptions {
  authorizer: Authorizer;
  index: RbacIndex;
}

const GROUP = "rbac.authorization.k8s.io";
/** Members of metadata that somebody may change who could not grant the rights: those that help to delete an object. */
const FREE = ["ownerReferences", "finalizers", "managedFields"] as const;

/** Hooks of `roles`, `clusterroles`, `rolebindings` and `clusterrolebindings`. */
export function escalationHooks(
  options: EscalationOptions,
): Record<string, (resources: BuiltinResources) => StoreHooks> {
  return Object.fromEntries([
    ...["roles", "clusterroles"].map((resource) => [`${resource}.${GROUP}`, () => roleHooks(resource, options)]),
    ...["rolebindings", "clusterrolebindings"].map((resource) => [
      `${resource}.${GROUP}`,
      (resources: BuiltinResources) => bindingHooks(resource, resources, options),
    ]),
  ]);
}

interface Change {
  object: KubeObject;
  old?: KubeObject;
  /** Of the path: "" on create. */
  name: string;
}

/** Throws 403. */
type Check = (context: RequestContext, change: Change) => Promise<void>;

/** An update that only helps to delete the object is nobody's escalation. */
function hooksOf(check: Check): StoreHooks {
  return {
    async beginCreate(context, object) {
      if (!mayEverything(context)) await check(context, { object, name: "" });
      return NOTHING;
    },
    async beginUpdate(context, object, old) {
      if (!mayEverything(context) && !onlyFreeChanges(object, old)) {
        await check(context, { object, old, name: old.metadata.name! });
      }
      return NOTHING;
    },
  };
}

const NOTHING: Finish = () => {};

function mayEverything({ user }: RequestContext): boolean {
  return user.groups.includes(SYSTEM_MASTERS);
}

function onlyFreeChanges(object: KubeObject, old: KubeObject): boolean {
  const metadata = { ...object.metadata };
  for (const member of FREE) {
    const before = old.metadata[member];
    if (before === undefined) delete metadata[member];
    else Object.assign(metadata, { [member]: before });
  }
  return deepEqual({ ...object, metadata }, old);
}

function roleHooks(resource: string, { authorizer, index }: EscalationOptions): StoreHooks {
  return hooksOf(async (context, { object, old, name }) => {
    if (await may(authorizer, context, { verb: "escalate", resource, name })) return;
    confirmHeld(index, context, { resource, object, rules: object.rules ?? [] });
    if (!aggregates(object) && !aggregates(old)) return;
    // It may gather anything, now or later.
    if (uncoveredRules(rulesFor(index, context.user, context.namespace).rules, EVERYTHING).length > 0) {
      const why = "must have cluster-admin privileges to use the aggregationRule";
      throw forbiddenError({ group: GROUP, resource }, object.metadata.name ?? "", why);
    }
  });
}

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

function aggregates(role: KubeObject | undefined): boolean {
  return role?.aggregationRule?.clusterRoleSelectors?.length > 0;
}

function bindingHooks(
  resource: string,
  resources: BuiltinResources,
  { authorizer, index }: EscalationOptions,
): StoreHooks {
  return hooksOf(async (context, { object }) => {
    const { kind, name }: { kind: string; name: string } = object.roleRef ?? { kind: "", name: "" };
    const of = kind === "ClusterRole" ? "clusterroles" : "roles";
    if (await may(authorizer, context, { verb: "bind", resource: of, name })) return;
    const rules = await rulesOfRole(resources, context, { of, name, resource });
    confirmHeld(index, context, { resource, object, rules });
  });
}

/** Throws 404 when there is no such role, in the name of the binding's resource. */
async function rulesOfRole(
  resources: BuiltinResources,
  context: RequestContext,
  { of, name, resource }: { of: string; name: string; resource: string },
): Promise<PolicyRule[]> {
  const where = of === "clusterroles" ? { ...context, namespace: "" } : context;
  try {
    return objectOf(await resources.store(GROUP, of).get(where, name, {})).rules ?? [];
  } catch (e) {
    throw hasReason(e, "NotFound") ? notFoundError({ group: GROUP, resource }, name) : e;
  }
}

async function may(
  authorizer: Authorizer,
  { user, namespace }: RequestContext,
  wanted: Pick<AuthorizationAttributes, "verb" | "resource" | "name">,
): Promise<boolean> {
  const { decision } = await authorizer.authorize({
    ...wanted,
    user,
    namespace,
    isResourceRequest: true,
    apiGroup: GROUP,
    apiVersion: "*",
    subresource: "",
    path: "",
  });
  return decision === "allow";
}

/** Throws 403 with what is missing. */
function confirmHeld(
  index: RbacIndex,
  { user, namespace }: RequestContext,
  { resource, object, rules }: { resource: string; object: KubeObject; rules: readonly PolicyRule[] },
): void {
  const held = rulesFor(index, user, namespace);
  const uncovered = uncoveredRules(held.rules, rules);
  if (uncovered.length === 0) return;
  const who = `user ${goQuote(user.name)} (groups=[${user.groups.map(goQuote).join(" ")}])`;
  const what = `is attempting to grant RBAC permissions not currently held:\n${describeRules(uncovered).join("\n")}`;
  // What is not found is told in the name of the resource that is written.
  const missing = held.missing.map(({ roleRef: { name } }) => notFoundError({ group: GROUP, resource }, name));
  const errors = missing.length === 0 ? "" : `; resolution errors: [${new AggregateFailure(missing).message}]`;
  throw forbiddenError({ group: GROUP, resource }, object.metadata.name ?? "", `${who} ${what}${errors}`);
}
