// Flow schemas: which requests belong to which priority level.
import type { KubeObject } from "../../machinery/types.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { FlowSchema } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";

type SchemaObject = KubeObject & FlowSchema;

export const flowSchema: KindDefinition<SchemaObject> = {
  gvk: { group: "flowcontrol.apiserver.k8s.io", version: "v1", kind: "FlowSchema" },
  resource: "flowschemas",
  generation: true,
  setDefaults(object) {
    if (object.spec) object.spec.matchingPrecedence ||= 1000;
  },
  columns: [
    NAME,
    text("PriorityLevel", "The level of its requests.", (o) => o.spec?.priorityLevelConfiguration?.name ?? ""),
    text("MatchingPrecedence", "Lower ones match first.", (o) => o.spec?.matchingPrecedence ?? 0),
    text("DistinguisherMethod", "How flows are told apart.", (o) => o.spec?.distinguisherMethod?.type ?? "<none>"),
    AGE,
    text(
      "MissingPL",
      "Whether the level does not exist.",
      (o) => o.status?.conditions?.find((c) => c.type === "Dangling")?.status ?? "?",
    ),
  ],
};
