// What makes a cluster out of an API server: kube-controller-manager, kube-scheduler, and kwok, whose nodes are made up
// and whose pods "run".
import { join } from "node:path";
import type { ApiServer, ClusterFiles } from "../api_servers.ts";
import { findProgram, type Running, startProgram } from "../programs.ts";

export const COMPONENTS = ["kube-controller-manager", "kube-scheduler", "kwok"] as const;
export type Component = typeof COMPONENTS[number];

export const NODES = ["node-0", "node-1", "node-2"];

function argumentsOf(component: Component, { kubeconfig }: ApiServer, files: ClusterFiles): string[] {
  const common = ["--leader-elect=false", "--secure-port=0", "--kube-api-qps=200", "--kube-api-burst=400"];
  switch (component) {
    case "kube-controller-manager":
      return [
        ...common,
        "--use-service-account-credentials=true",
        `--service-account-private-key-file=${files.serviceAccountKey}`,
        `--root-ca-file=${files.caCert}`,
        `--cluster-signing-cert-file=${files.caCert}`,
        `--cluster-signing-key-file=${files.caKey}`,
        `--kubeconfig=${kubeconfig}`,
      ];
    case "kube-scheduler":
      return [...common, `--kubeconfig=${kubeconfig}`];
    case "kwok":
      return [
        ...["--manage-all-nodes=true", "--node-lease-duration-seconds=40", "--config=/dev/null"],
        `--kubeconfig=${kubeconfig}`,
      ];
  }
}

/** Starts all of them and registers the nodes. */
export async function startComponents(server: ApiServer, files: ClusterFiles): Promise<Record<Component, Running>> {
  const started: [Component, Running][] = [];
  for (const component of COMPONENTS) {
    const args = argumentsOf(component, server, files), log = join(files.dir, `${component}.log`);
    started.push([component, startProgram(findProgram(component)!, args, log)]);
  }
  for (const name of NODES) {
    const { status, text } = await server.peer.request("POST", "/api/v1/nodes", node(name));
    if (status !== 201) throw new Error(`${name}: ${status} ${text}`);
  }
  return Object.fromEntries(started) as Record<Component, Running>;
}

function node(name: string): unknown {
  const resources = { cpu: "32", memory: "256Gi", pods: "250", "ephemeral-storage": "500Gi" };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: { "kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64" },
      annotations: { "kwok.x-k8s.io/node": "fake" },
    },
    status: { allocatable: resources, capacity: resources },
  };
}
