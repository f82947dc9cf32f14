// The `kubernetes` service of the default namespace, its endpoints, and the default ServiceCIDR.
import { now } from "../../machinery/time.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { PostStartHook } from "../delegation.ts";
import type { LoopbackClient } from "../loopback_client.ts";
import { ensureNamespace, repeat } from "./hooks.ts";

export interface KubernetesServiceOptions {
  /** The address that clients inside the cluster reach the server at; a loopback address gets no endpoints. */
  advertiseAddress: string;
  /** `--secure-port`. */
  securePort: number;
  /** The first address of the service range. */
  serviceIP: string;
  servicePort: number;
  /** `--kubernetes-service-node-port`; 0 for a cluster IP only. */
  nodePort: number;
}

const SERVICE = "/api/v1/namespaces/default/services/kubernetes";
const ENDPOINTS = "/api/v1/namespaces/default/endpoints";
const SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
const CIDRS = "/apis/networking.k8s.io/v1/servicecidrs";
const RECONCILE_EVERY_MS = 10_000;

export function kubernetesServiceHook(client: LoopbackClient, options: KubernetesServiceOptions): PostStartHook {
  return {
    name: "bootstrap-controller",
    async run(signal) {
      const reconcile = async () => {
        await ensureNamespace(client, "default");
        await ensureService(client, options);
        if (!isLoopback(options.advertiseAddress)) await ensureEndpoints(client, options);
      };
      await reconcile();
      repeat(reconcile, RECONCILE_EVERY_MS, signal);
    },
  };
}

/** `cidrs` as `--service-cluster-ip-range` gives them. */
export function serviceCIDRHook(client: LoopbackClient, cidrs: readonly string[]): PostStartHook {
  return {
    name: "start-kubernetes-service-cidr-controller",
    async run() {
      const path = `${CIDRS}/kubernetes`;
      const kind = { apiVersion: "networking.k8s.io/v1", kind: "ServiceCIDR" };
      if (await client.get(path) !== undefined) return;
      await client.create(CIDRS, { ...kind, metadata: { name: "kubernetes" }, spec: { cidrs } });
      await client.apply(`${path}/status`, {
        ...kind,
        metadata: { name: "kubernetes" },
        status: {
          conditions: [{
            type: "Ready",
            status: "True",
            lastTransitionTime: now(),
            reason: "",
            message: "Kubernetes default Service CIDR is ready",
          }],
        },
      }, "service-cidr-controller");
    },
  };
}

async function ensureService(client: LoopbackClient, options: KubernetesServiceOptions): Promise<void> {
  const port = { name: "https", protocol: "TCP", port: options.servicePort, targetPort: options.securePort };
  const ports = [options.nodePort > 0 ? { ...port, nodePort: options.nodePort } : port];
  const found = await client.get(SERVICE);
  if (found === undefined) {
    await client.create("/api/v1/namespaces/default/services", {
      apiVersion: "v1",
      kind: "Service",
      metadata: {
        name: "kubernetes",
        namespace: "default",
        labels: { component: "apiserver", provider: "kubernetes" },
      },
      spec: {
        type: options.nodePort > 0 ? "NodePort" : "ClusterIP",
        clusterIP: options.serviceIP,
        sessionAffinity: "None",
        ports,
      },
    });
  } else if (JSON.stringify(found.spec.ports) !== JSON.stringify(ports)) {
    await client.update(SERVICE, { ...found, spec: { ...found.spec, ports } });
  }
}

async function ensureEndpoints(client: LoopbackClient, options: KubernetesServiceOptions): Promise<void> {
  const port = { name: "https", port: options.securePort, protocol: "TCP" };
  const labels = { "endpointslice.kubernetes.io/skip-mirror": "true" };
  await ensure(client, ENDPOINTS, {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { name: "kubernetes", namespace: "default", labels },
    subsets: [{ addresses: [{ ip: options.advertiseAddress }], ports: [port] }],
  }, "subsets");
  await ensure(
    client,
    SLICES,
    {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name: "kubernetes", namespace: "default", labels: { "kubernetes.io/service-name": "kubernetes" } },
      addressType: options.advertiseAddress.includes(":") ? "IPv6" : "IPv4",
      endpoints: [{ addresses: [options.advertiseAddress], conditions: { ready: true } }],
      ports: [port],
    },
    "endpoints",
    "ports",
  );
}

async function ensure(
  client: LoopbackClient,
  collection: string,
  wanted: KubeObject,
  ...members: string[]
): Promise<void> {
  const path = `${collection}/${wanted.metadata.name}`;
  const found = await client.get(path);
  if (found === undefined) {
    await client.create(collection, wanted);
  } else if (members.some((m) => JSON.stringify(found[m]) !== JSON.stringify(wanted[m]))) {
    await client.update(path, { ...found, ...Object.fromEntries(members.map((m) => [m, wanted[m]])) });
  }
}

function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "::1";
}
