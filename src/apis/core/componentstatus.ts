// Component statuses: how the parts of a control plane are (deprecated since v1.19).
import type { KubeObject } from "../../machinery/types.ts";
import { NAME, text } from "../columns.ts";
import type { ComponentStatus } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";

type StatusObject = KubeObject & ComponentStatus;

function healthOf({ conditions }: StatusObject) {
  return conditions?.find(({ type }) => type === "Healthy");
}

function statusText(object: StatusObject): string {
  const health = healthOf(object);
  if (health === undefined) return "Unknown";
  return health.status === "True" ? "Healthy" : "Unhealthy";
}

export const componentStatus: KindDefinition<StatusObject> = {
  gvk: { group: "", version: "v1", kind: "ComponentStatus" },
  resource: "componentstatuses",
  columns: [
    NAME,
    text("Status", "Whether it is well.", statusText),
    text("Message", "What it says.", (object) => healthOf(object)?.message ?? ""),
    text("Error", "Why it could not be asked.", (object) => healthOf(object)?.error ?? ""),
  ],
};
