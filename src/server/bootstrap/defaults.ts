// The objects that every new cluster has, beside RBAC's: namespaces, priority classes, flow control, APIServices.
import { now } from "../../machinery/time.ts";
import facts from "../../facts/bootstrap.json" with { type: "json" };
import type { JsonObject } from "../../machinery/types.ts";

/** Paths of `facts/bootstrap.json` → what is written there at the first start. */
type Fact = { metadata: { name: string } & JsonObject } & JsonObject;

const FACTS = facts as unknown as Record<string, Fact[]>;

/** Objects of a collection path, without status and what the server sets itself. What is in them is not to be changed. */
export function bootstrapObjects(path: keyof typeof facts): Fact[] {
  return FACTS[path].map(({ status: _status, metadata: { generation: _generation, ...metadata }, ...object }) => ({
    ...object,
    metadata,
  }));
}

/** The status of a bootstrap object, its times set to now. */
export function bootstrapStatus(path: keyof typeof facts, name: string): JsonObject | undefined {
  const status = FACTS[path].find((f) => f.metadata.name === name)?.status as JsonObject | undefined;
  const conditions = status?.conditions as JsonObject[] | undefined;
  if (conditions === undefined) return status;
  const time = now();
  return { ...status, conditions: conditions.map((condition) => ({ ...condition, lastTransitionTime: time })) };
}
