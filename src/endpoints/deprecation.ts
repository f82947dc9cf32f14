// Built-in kinds that every answer warns of.
import { apiVersionOf, type GroupVersionKind } from "../machinery/types.ts";

const WARNINGS: Readonly<Record<string, string>> = {
  "v1 ComponentStatus": "v1 ComponentStatus is deprecated in v1.19+",
  "v1 Endpoints": "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
};

/** Undefined for a kind that is here to stay. */
export function deprecationOf(gvk: GroupVersionKind): string | undefined {
  return WARNINGS[`${apiVersionOf(gvk)} ${gvk.kind}`];
}
