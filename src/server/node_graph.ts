// The node authorizer's graph, kept up by watches from the first question on: where no node asks, nothing is watched.
import type { PolicyRule } from "../facts/generated/types.ts";
import type { NodeAuthorizerOptions } from "../authorization/node/authorizer.ts";
import { NodeGraph } from "../authorization/node/graph.ts";
import { controllerContext, follow } from "../controllers/informer.ts";
import type { KubeObject } from "../machinery/types.ts";
import type { Metrics } from "../metrics/mod.ts";
import type { BuiltinResources } from "../registry/builtin.ts";
import { bootstrapObjects } from "./bootstrap/defaults.ts";

export interface NodeGraphDependencies {
  metrics: Metrics;
  resources(): BuiltinResources;
  signal: AbortSignal;
}

export function nodeGraphSource(dependencies: NodeGraphDependencies): NodeAuthorizerOptions {
  let graph: NodeGraph | Promise<NodeGraph> | undefined;
  let rules: readonly PolicyRule[] | undefined;
  return {
    graph: () => graph ??= populate(dependencies).then((populated) => graph = populated),
    rules: () => rules ??= nodeRules(),
  };
}

/** What the cluster role `system:node` allows. */
function nodeRules(): readonly PolicyRule[] {
  const roles = bootstrapObjects("/apis/rbac.authorization.k8s.io/v1/clusterroles");
  const role = roles.find(({ metadata }) => metadata.name === "system:node");
  return role?.rules as unknown as PolicyRule[];
}

/** Resolves once everything that is there is in the graph. */
async function populate({ resources, metrics, signal }: NodeGraphDependencies): Promise<NodeGraph> {
  const graph = new NodeGraph(), builtin = resources();
  const context = controllerContext("node-authorizer", signal);
  const owned = (resource: string) => ({
    put: (o: KubeObject) => graph.putOwned(resource, o),
    drop: (o: KubeObject) => graph.deleteOwned(resource, o),
  });
  const kinds = [
    {
      group: "",
      resource: "pods",
      called: "Pod",
      put: (o: KubeObject) => graph.putPod(o),
      drop: (o: KubeObject) => graph.deletePod(o),
    },
    {
      group: "",
      resource: "persistentvolumes",
      called: "PV",
      put: (o: KubeObject) => graph.putVolume(o),
      drop: (o: KubeObject) => graph.deleteVolume(o),
    },
    {
      group: "storage.k8s.io",
      resource: "volumeattachments",
      called: "VolumeAttachment",
      ...owned("volumeattachments"),
    },
    { group: "resource.k8s.io", resource: "resourceslices", called: "ResourceSlice", ...owned("resourceslices") },
  ];
  await Promise.all(kinds.map(async ({ group, resource, called, put, drop }) => {
    const served = builtin.lookup(group, "v1", resource);
    if (served === undefined) return;
    await follow(served, context, {
      changed: measured(metrics, `Add${called}`, put),
      deleted: measured(metrics, `Delete${called}`, drop),
    });
  }));
  return graph;
}

function measured(metrics: Metrics, operation: string, action: (object: KubeObject) => void) {
  const took = metrics.observer("nodeGraphActions", { operation });
  return (item: { object(): KubeObject }): void => {
    const object = item.object(), started = performance.now();
    action(object);
    took((performance.now() - started) / 1000);
  };
}
