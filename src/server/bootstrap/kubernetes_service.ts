// The `kubernetes` service of the default namespace, its endpoints, and the default ServiceCIDR.
import { now } from "../../machinery/time.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { PostStartHook, PreShutdownHook } from "../delegation.ts";
import type { LoopbackClient } from "../loopback_client.ts";
import { ensureNamespace, repeat } from "./hooks.ts";
import type { ServerAddresses } from "./server_addresses.ts";

export interface KubernetesServiceOptions {
  /** Whose endpoints the service has; undefined: they are not kept. */
  addresses: ServerAddresses | undefined;
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

/** Keeps the service and its endpoints from the start on; takes this server's away before its listeners close. */
export function kubernetesServiceHooks(
  client: LoopbackClient,
  options: KubernetesServiceOptions,
): { postStart: PostStartHook; preShutdown: PreShutdownHook } {
  const { addresses } = options;
  let left = false, last = Promise.resolve();
  const reconcile = async () => {
    if (left) return;
    await ensureNamespace(client, "default");
    await ensureService(client, options);
    if (addresses !== undefined) await ensureEndpoints(client, options, await addresses.renew(), addresses.shared);
  };
  return {
    postStart: {
      name: "bootstrap-controller",
      async run(signal) {
        await reconcile();
        repeat(() => last = reconcile(), RECONCILE_EVERY_MS, signal);
      },
    },
    preShutdown: {
      name: "stop-kubernetes-service-controller",
      async run() {
        left = true;
        await last.catch(() => {});
        if (addresses?.shared) await ensureEndpoints(client, options, await addresses.leave(), true);
      },
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

/** Whoever comes later, or changes its flags, leaves the service as it is, as kube-apiserver does. */
async function ensureService(client: LoopbackClient, options: KubernetesServiceOptions): Promise<void> {
  if (await client.get(SERVICE) !== undefined) return;
  const port = { name: "https", protocol: "TCP", port: options.servicePort, targetPort: options.securePort };
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
      ports: [options.nodePort > 0 ? { ...port, nodePort: options.nodePort } : port],
    },
  });
}

async function ensureEndpoints(
  client: LoopbackClient,
  { securePort }: KubernetesServiceOptions,
  addresses: readonly string[],
  keepPorts: boolean,
): Promise<void> {
  const labels = { "endpointslice.kubernetes.io/skip-mirror": "true" };
  const there = keepPorts ? (await client.get(`${ENDPOINTS}/kubernetes`))?.subsets : undefined;
  const ports = there?.length === 1 ? there[0].ports : [{ name: "https", port: securePort, protocol: "TCP" }];
  await ensure(client, ENDPOINTS, {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { name: "kubernetes", namespace: "default", labels },
    subsets: addresses.length > 0 ? [{ addresses: addresses.map((ip) => ({ ip })), ports }] : undefined,
  }, "subsets");
  await ensure(
    client,
    SLICES,
    {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name: "kubernetes", namespace: "default", labels: { "kubernetes.io/service-name": "kubernetes" } },
      addressType: addresses[0]?.includes(":") ? "IPv6" : "IPv4",
      endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
      ports,
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
