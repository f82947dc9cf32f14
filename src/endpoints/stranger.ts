// Custom resources in a body that claims to be of another kind or version than the path: how they are read before they
// are refused.
import { structuralRoot } from "../machinery/schema/structural.ts";
import type { StructType } from "../machinery/schema/model.ts";
import { apiVersionOf, type GroupVersionKind } from "../machinery/types.ts";
import type { ServedKind } from "../registry/resource.ts";

/** Of a version that is not served nothing is known. */
const NO_SUCH_VERSION = structuralRoot(undefined, "");
/** Of another kind everything is kept: validation will say that it is another. */
const NO_SUCH_KIND = structuralRoot({ "x-kubernetes-preserve-unknown-fields": true }, "");

export function strangerType(served: ServedKind, gvk: GroupVersionKind | undefined): StructType {
  if (gvk?.kind !== served.gvk.kind || gvk.group !== served.gvk.group) return NO_SUCH_KIND;
  return served.inVersion?.(apiVersionOf(gvk))?.type ?? NO_SUCH_VERSION;
}
