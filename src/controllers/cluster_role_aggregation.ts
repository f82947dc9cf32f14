// Cluster roles that gather the rules of others: `admin`, `edit` and `view` among them (clusterrole-aggregation-controller).
import type { ClusterRole, PolicyRule } from "../facts/generated/types.ts";
import type { ServedResource } from "../registry/resource.ts";
import { clone } from "../machinery/clone.ts";
import { labelSelectorOf } from "../machinery/selectors/mod.ts";
import type { KubeObject } from "../machinery/types.ts";
import { deepEqual } from "../machinery/validation/mod.ts";
import type { RequestContext } from "../apis/context.ts";
import { controllerContext, follow } from "./informer.ts";
import { WorkQueue } from "./work_queue.ts";

const NAME = "clusterrole-aggregation-controller";

type Role = KubeObject & ClusterRole;

export interface AggregationOptions {
  clusterRoles: ServedResource;
  onError(role: string, error: unknown): void;
}

/** Runs until the signal ends. */
export async function startClusterRoleAggregation(
  { clusterRoles, onError }: AggregationOptions,
  signal: AbortSignal,
): Promise<void> {
  const context = controllerContext(NAME, signal);
  const roles = new Map<string, Role>();
  const queue = new WorkQueue({
    workers: 1,
    process: (name) => aggregate(clusterRoles, context, { name, roles }),
    onError,
  }, signal);
  /** Any change may be of rules that others gather. */
  const look = () => {
    for (const role of roles.values()) if (role.aggregationRule) queue.add(role.metadata.name!);
  };
  await follow(clusterRoles, context, {
    changed(item) {
      roles.set(item.fields["metadata.name"], item.object());
      look();
    },
    deleted(item) {
      roles.delete(item.fields["metadata.name"]);
      look();
    },
  });
}

async function aggregate(
  clusterRoles: ServedResource,
  context: RequestContext,
  { name, roles }: { name: string; roles: ReadonlyMap<string, Role> },
): Promise<void> {
  const role = roles.get(name);
  if (!role?.aggregationRule) return;
  const rules = gatheredRules(role, roles);
  if (deepEqual(rules, role.rules ?? [])) return;
  const transform = (current: KubeObject | undefined) => ({ ...clone(current!), rules });
  await clusterRoles.storage.update!(context, name, transform, { options: {}, dryRun: false });
}

/** The rules of all roles that a selector chooses, by the names of the roles, equal ones once. */
export function gatheredRules(role: Role, roles: ReadonlyMap<string, Role>): PolicyRule[] {
  const rules: PolicyRule[] = [];
  for (const selector of role.aggregationRule?.clusterRoleSelectors ?? []) {
    const wanted = labelSelectorOf(selector);
    for (const name of [...roles.keys()].sort()) {
      const { metadata, rules: own } = roles.get(name)!;
      if (name === role.metadata.name || !wanted?.matches(metadata.labels)) continue;
      for (const rule of own ?? []) if (!rules.some((known) => deepEqual(known, rule))) rules.push(rule);
    }
  }
  return rules;
}
