// Priority classes: how urgent pods are.
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, boolean, integer, NAME, text } from "../columns.ts";
import type { PriorityClass } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

export const priorityClass: KindDefinition<KubeObject & PriorityClass> = {
  gvk: { group: "scheduling.k8s.io", version: "v1", kind: "PriorityClass" },
  resource: "priorityclasses",
  generation: true,
  setDefaults(object) {
    object.preemptionPolicy ??= "PreemptLowerPriority";
  },
  columns: [
    NAME,
    integer("Value", "The priority.", (o) => o.value ?? 0),
    boolean("Global-Default", "Whether pods without a class get it.", (o) => o.globalDefault ?? false),
    AGE,
    text("PreemptionPolicy", "Whether its pods drive others out.", (o) => o.preemptionPolicy ?? ""),
  ],
};
