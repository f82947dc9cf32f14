// The node authorizer's graph, kept up by watches from the first question on: where no node asks, nothing is watched.
import type { PolicyRule } from "../facts/generated/types.ts";
import type { NodeAuthorizerOptions } from "../authorization/node/authorizer.ts";
import { NodeGraph } from "../authorization/node/graph.ts";
import { controllerContext, follow } from "../controllers/informer.ts";
import type { KubeObject } from "../machinery/types.ts";
import type { BuiltinResources } from "../registry/builtin.ts";
import { bootstrapObjects } from "./bootstrap/defaults.ts";

export interface NodeGraphDependencies {
  resources(): BuiltinResources;
  signal: AbortSignal;
}

export function nodeGraphSource({ resources, signal }: NodeGraphDependencies): NodeAuthorizerOptions {
  let graph: NodeGraph | Promise<NodeGraph> | undefined;
  let rules: readonly PolicyRule[] | undefined;
  return {
    graph: () => graph ??= populate(resources(), signal).then((populated) => graph = populated),
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
async function populate(resources: BuiltinResources, signal: AbortSignal): Promise<NodeGraph> {
  const graph = new NodeGraph();
  const context = controllerContext("node-authorizer", signal);
  const owned = (resource: string) => ({
    put: (o: KubeObject) => graph.putOwned(resource, o),
    drop: (o: KubeObject) => graph.deleteOwned(resource, o),
  });
  const kinds = [
    {
      group: "",
      resource: "pods",
      put: (o: KubeObject) => graph.putPod(o),
      drop: (o: KubeObject) => graph.deletePod(o),
    },
    {
      group: "",
      resource: "persistentvolumes",
      put: (o: KubeObject) => graph.putVolume(o),
      drop: (o: KubeObject) => graph.deleteVolume(o),
    },
    { group: "storage.k8s.io", resource: "volumeattachments", ...owned("volumeattachments") },
    { group: "resource.k8s.io", resource: "resourceslices", ...owned("resourceslices") },
  ];
  await Promise.all(kinds.map(async ({ group, resource, put, drop }) => {
    const served = resources.lookup(group, "v1", resource);
    if (served === undefined) return;
    await follow(served, context, {
      changed: (item) => put(item.object()),
      deleted: (item) => drop(item.object()),
    });
  }));
  return graph;
}
