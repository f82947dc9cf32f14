// RBAC's default roles and bindings: made at start, and given back what somebody took from them, unless they say that they
// are not to be looked after (annotation rbac.authorization.kubernetes.io/autoupdate).
import type { PolicyRule } from "../../facts/generated/types.ts";
import { sideBySide } from "../../machinery/side_by_side.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { uncoveredRules } from "../../apis/rbac/rules.ts";
import type { PostStartHook } from "../delegation.ts";
import type { LoopbackClient } from "../loopback_client.ts";
import { bootstrapObjects } from "./defaults.ts";
import { AT_ONCE, ensureNamespace } from "./hooks.ts";

const AUTOUPDATE = "rbac.authorization.kubernetes.io/autoupdate";
const GROUP = "/apis/rbac.authorization.k8s.io/v1";
const CLUSTER_ROLES = `${GROUP}/clusterroles`;
const CLUSTER_BINDINGS = `${GROUP}/clusterrolebindings`;
const ROLES = `${GROUP}/roles`;
const BINDINGS = `${GROUP}/rolebindings`;

type Fact = ReturnType<typeof bootstrapObjects>[number];

export function rbacHook(client: LoopbackClient): PostStartHook {
  return {
    name: "rbac/bootstrap-roles",
    async run() {
      for (const path of [CLUSTER_ROLES, CLUSTER_BINDINGS] as const) await reconcileAll(client, path, path);
      for (const path of [ROLES, BINDINGS] as const) await reconcileNamespaced(client, path);
    },
  };
}

/** One list says what is there, so that a start without changes writes nothing and asks once; writes share commits. */
async function reconcileAll(
  client: LoopbackClient,
  facts: typeof CLUSTER_ROLES | typeof CLUSTER_BINDINGS | typeof ROLES | typeof BINDINGS,
  collection: string,
  namespace?: string,
): Promise<void> {
  const there = new Map((await client.list(collection)).map((o) => [o.metadata.name!, o]));
  const mine = bootstrapObjects(facts).filter(({ metadata }) =>
    namespace === undefined || metadata.namespace === namespace
  );
  await sideBySide(mine, AT_ONCE, (fact) => reconcile(client, collection, fact, there.get(fact.metadata.name)));
}

async function reconcileNamespaced(client: LoopbackClient, facts: typeof ROLES | typeof BINDINGS): Promise<void> {
  const namespaces = new Set(bootstrapObjects(facts).map((f) => f.metadata.namespace as string));
  const resource = facts.slice(facts.lastIndexOf("/") + 1);
  await Promise.all([...namespaces].map(async (namespace) => {
    await ensureNamespace(client, namespace);
    await reconcileAll(client, facts, `${GROUP}/namespaces/${namespace}/${resource}`, namespace);
  }));
}

async function reconcile(
  client: LoopbackClient,
  collection: string,
  wanted: Fact,
  found: KubeObject | undefined,
): Promise<void> {
  if (found === undefined) {
    await client.create(collection, wanted);
    return;
  }
  if (found.metadata.annotations?.[AUTOUPDATE] === "false") return;
  if (!restore(found, wanted)) return;
  await client.update(`${collection}/${found.metadata.name}`, found);
}

/** Adds what is missing; what was added beyond the defaults stays. True when anything was missing. */
function restore(found: KubeObject, wanted: Fact): boolean {
  let changed = false;
  for (const field of ["labels", "annotations"] as const) {
    for (const [key, value] of Object.entries(wanted.metadata[field] as Record<string, string> ?? {})) {
      if (found.metadata[field]?.[key] === value) continue;
      (found.metadata[field] ??= {})[key] = value;
      changed = true;
    }
  }
  for (const subject of (wanted.subjects ?? []) as { kind: string; name: string; namespace?: string }[]) {
    const same = (s: typeof subject) =>
      s.kind === subject.kind && s.name === subject.name && s.namespace === subject.namespace;
    if ((found.subjects ?? []).some(same)) continue;
    (found.subjects ??= []).push(subject);
    changed = true;
  }
  // A role that gathers others' rules gets them from the aggregation controller.
  if (wanted.aggregationRule !== undefined) return changed;
  for (const rule of (wanted.rules ?? []) as PolicyRule[]) {
    if (uncoveredRules(found.rules ?? [], [rule]).length === 0) continue;
    (found.rules ??= []).push(rule);
    changed = true;
  }
  return changed;
}
