// The proxy subresources of pods, services and nodes: HTTP requests to what they stand for.
import type { EndpointAddress, Endpoints, EndpointSubset, Service } from "../../facts/generated/types.ts";
import type { Pod } from "../../apis/core/pod.ts";
import { later } from "../../later.ts";
import { badRequestError, notFoundError, serviceUnavailableError } from "../../machinery/errors.ts";
import type { GroupVersionKind } from "../../machinery/types.ts";
import type { RequestContext } from "../../apis/context.ts";
import type { Kubelets } from "./kubelets.ts";
import { type ConnectRequest, getIfThere, objectOf, type ResourceStorage } from "../rest.ts";
import type { Store } from "../store.ts";
import type { Backend } from "./forward.ts";
import { isGlobalUnicast, parseProxyTarget, type ProxyTarget } from "./location.ts";

const HTTP_PORT = 80;
const HTTPS_PORT = 443;
const MAX_PORT = 65535;

const forward = later(async () => (await import("./forward.ts")).forward);

function proxyStore(
  kind: string,
  what: string,
  locate: (context: RequestContext, target: ProxyTarget, asked: string) => Promise<Backend>,
): ResourceStorage {
  const gvk: GroupVersionKind = { group: "", version: "v1", kind };
  return {
    kind: gvk,
    async connect(context: RequestContext, name: string, request: ConnectRequest): Promise<Response> {
      const target = parseProxyTarget(name);
      if (target === undefined) throw badRequestError(`invalid ${what} request ${JSON.stringify(name)}`);
      return await forward(context, request, await locate(context, target, name));
    },
  };
}

/** Throws 503 for a name: ports of addresses have numbers. */
function portOf({ scheme, port }: ProxyTarget): number {
  if (port === "") return scheme === "https" ? HTTPS_PORT : HTTP_PORT;
  if (/^\d+$/.test(port) && Number(port) <= MAX_PORT) return Number(port);
  throw serviceUnavailableError(`error trying to reach service: dial tcp: lookup tcp/${port}: unknown port`);
}

/** `pods/proxy`: the pod's address, at the port that is asked for or its first one. */
export function podProxy(pods: Store): ResourceStorage {
  return proxyStore("PodProxyOptions", "pod", async (context, target) => {
    const { spec, status } = objectOf(await pods.get(context, target.name, {})) as Pod;
    const declared = spec?.containers?.find(({ ports }) => ports?.length)?.ports?.[0].containerPort;
    const host = status?.podIPs?.[0]?.ip ?? "";
    if (!isGlobalUnicast(host)) throw badRequestError("address not allowed");
    return { scheme: target.scheme, host, port: target.port === "" && declared ? declared : portOf(target) };
  });
}

/** `nodes/proxy`: the kubelet, or another port of its node. */
export function nodeProxy(nodes: Store, kubelets: Kubelets): ResourceStorage {
  return proxyStore("NodeProxyOptions", "node", async (context, target) => {
    const { scheme, name, port } = target;
    const kubelet = await kubelets.addressOf(context, name, nodes.config.resource);
    for (const address of await resolve(kubelet.host)) {
      if (!isGlobalUnicast(address)) throw badRequestError("address not allowed");
    }
    if (port !== "" && port !== String(kubelet.port)) return { scheme, host: kubelet.host, port: portOf(target) };
    return { ...kubelet, scheme: "https", tls: kubelets.options };
  });
}

async function resolve(host: string): Promise<string[]> {
  const { lookup } = await import("node:dns/promises");
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    throw badRequestError(`lookup ${host}: no such host`);
  }
}

/** `services/proxy`: one of the service's endpoints that are pods. */
export function serviceProxy(services: Store, endpoints: Store, pods: Store): ResourceStorage {
  return proxyStore("ServiceProxyOptions", "service", async (context, target, asked) => {
    const port = await portName(services, context, target);
    const found = await getIfThere(endpoints, context, target.name) as Endpoints | undefined;
    if (found === undefined) throw notFoundError(services.config.resource, target.name);
    const subsets = found.subsets ?? [];
    if (subsets.length === 0) throw serviceUnavailableError(`no endpoints available for service "${target.name}"`);
    for (const { addresses = [], ports = [] } of shuffled(subsets)) {
      const number = ports.find(({ name = "" }) => name === port)?.port;
      if (number === undefined) continue;
      for (const address of shuffled(addresses)) {
        const pod = await podAt(pods, context, address);
        if (pod !== undefined) return { scheme: target.scheme, host: pod, port: number };
      }
    }
    throw serviceUnavailableError(`no endpoints available for service "${asked}"`);
  });
}

/** Ports are known to endpoints by their names. */
async function portName(services: Store, context: RequestContext, { name, port }: ProxyTarget): Promise<string> {
  if (!/^[+-]?\d+$/.test(port)) return port;
  const { spec } = objectOf(await services.get(context, name, {})) as unknown as Service;
  const declared = spec?.ports?.find((p) => p.port === Number(port));
  if (declared !== undefined) return declared.name ?? "";
  throw serviceUnavailableError(`no service port ${Number(port)} found for service "${name}"`);
}

/** The address when it is that of the pod which it says it is: endpoints must not lead anywhere else. */
async function podAt(
  pods: Store,
  context: RequestContext,
  { ip, targetRef }: EndpointAddress,
): Promise<string | undefined> {
  if (targetRef?.name === undefined || targetRef.namespace !== context.namespace) return undefined;
  const pod = await getIfThere(pods, context, targetRef.name) as Pod | undefined;
  return pod?.status?.podIPs?.some((address) => address.ip === ip) ? ip : undefined;
}

function shuffled<T extends EndpointSubset | EndpointAddress>(list: readonly T[]): T[] {
  const start = Math.floor(Math.random() * list.length);
  return [...list.slice(start), ...list.slice(0, start)];
}
