// What quotas count of services: their number, load balancers and the ports they take on every node.
import type { ServicePort } from "../../../facts/generated/types.ts";
import type { KubeObject } from "../../../machinery/types.ts";
import { countName, type Evaluator } from "./evaluator.ts";

const COUNT = countName({ group: "", resource: "services" });
const NAMES = [COUNT, "services", "services.nodeports", "services.loadbalancers"];

/** Ports are given later, so that what is asked for counts. */
function nodePorts({ spec }: KubeObject): number {
  const ports: ServicePort[] = spec?.ports ?? [];
  if (spec?.type === "NodePort") return ports.length;
  if (spec?.type !== "LoadBalancer") return 0;
  if (spec.allocateLoadBalancerNodePorts === false) return ports.filter((port) => port.nodePort).length;
  return ports.length;
}

export const services: Evaluator = {
  handles: ({ operation, subresource }) => subresource === "" && (operation === "CREATE" || operation === "UPDATE"),
  matching: (names) => NAMES.filter((name) => names.includes(name)),
  usage: (service) => ({
    [COUNT]: "1",
    services: "1",
    "services.nodeports": String(nodePorts(service)),
    "services.loadbalancers": service.spec?.type === "LoadBalancer" ? "1" : "0",
  }),
};
