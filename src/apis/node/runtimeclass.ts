// Runtime classes: which container runtime of a node runs a pod.
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { RuntimeClass } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

export const runtimeClass: KindDefinition<KubeObject & RuntimeClass> = {
  gvk: { group: "node.k8s.io", version: "v1", kind: "RuntimeClass" },
  resource: "runtimeclasses",
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  columns: [NAME, text("Handler", "The runtime's name on the nodes.", (o) => o.handler ?? ""), AGE],
};
