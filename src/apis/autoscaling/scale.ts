// Scales: the number of replicas of any workload in one form (autoscaling/v1 Scale).
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, integer, text } from "../columns.ts";
import type * as v1 from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";

type Scale = KubeObject & v1.Scale;

/** Scales have no storage of their own: nothing but their columns is asked for. */
export const scale: KindDefinition<Scale> = {
  gvk: { group: "autoscaling", version: "v1", kind: "Scale" },
  resource: "",
  columns: [
    text("Name", "Name of the scaled object.", ({ metadata }) => metadata.name ?? ""),
    integer<Scale>("Desired", "How many replicas are wanted.", ({ spec }) => spec?.replicas ?? 0),
    integer<Scale>("Available", "How many replicas there are.", ({ status }) => status?.replicas ?? 0),
    AGE,
  ],
};
