// DefaultTolerationSeconds: pods stay for a while on a node that is not ready or cannot be reached.
import type { Toleration } from "../../facts/generated/types.ts";
import type { AdmissionPlugin } from "../interface.ts";
import { isPod, on } from "./attributes.ts";
import type { PluginContext } from "./context.ts";

export const NOT_READY = "node.kubernetes.io/not-ready";
const UNREACHABLE = "node.kubernetes.io/unreachable";

export function defaultTolerationSeconds({ tolerationSeconds }: PluginContext): AdmissionPlugin {
  const { notReady, unreachable } = tolerationSeconds;
  return {
    name: "DefaultTolerationSeconds",
    handles: on("CREATE", "UPDATE"),
    looksAt: isPod,
    admit(attributes) {
      const spec = attributes.object!.spec;
      const tolerations: Toleration[] = spec.tolerations ?? [];
      const covers = (t: Toleration, key: string) =>
        (t.key === key || !t.key) && (t.effect === "NoExecute" || !t.effect);
      for (const [key, tolerationSeconds] of [[NOT_READY, notReady], [UNREACHABLE, unreachable]] as const) {
        if (tolerations.some((t) => covers(t, key))) continue;
        (spec.tolerations ??= []).push({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds });
      }
    },
  };
}
