import assert from "node:assert/strict";
import type { ServiceObject } from "../../apis/core/service_rules.ts";
import { updateNodePorts } from "./node_ports.ts";
import { PortAllocator, PortOperation } from "./port_allocator.ts";

function service(type: string, ports: [port: number, nodePort?: number, protocol?: string][]): ServiceObject {
  const shown = ports.map(([port, nodePort, protocol = "TCP"]) => ({ port, nodePort, protocol }));
  return { kind: "Service", apiVersion: "v1", metadata: { name: "s" }, spec: { type, ports: shown } } as ServiceObject;
}

Deno.test("two ports of a protocol cannot have one node port, those of different protocols can", () => {
  const operation = () => new PortOperation(new PortAllocator(30000, 30010), false);
  const old = service("NodePort", [[80, 30001]]);
  assert.throws(
    () => updateNodePorts(service("NodePort", [[80, 30001], [81, 30001]]), old, operation()),
    { message: "duplicate nodePort: {TCP 30001}" },
  );
  updateNodePorts(service("NodePort", [[80, 30001], [80, 30001, "UDP"]]), old, operation());
});
