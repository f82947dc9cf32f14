// Built-in kinds that every answer warns of.
import type { GroupVersionKind } from "../machinery/types.ts";

/** By kind, all of them in `v1`. */
const WARNINGS: Readonly<Record<string, string>> = {
  ComponentStatus: "v1 ComponentStatus is deprecated in v1.19+",
  Endpoints: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
};

/** Undefined for a kind that is here to stay. */
export function deprecationOf({ group, version, kind }: GroupVersionKind): string | undefined {
  return group === "" && version === "v1" ? WARNINGS[kind] : undefined;
}
