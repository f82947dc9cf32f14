// PodTolerationRestriction: pods get the tolerations of their namespace, and no others than it allows.
import { qosClass } from "../../apis/core/pod_qos.ts";
import type { Toleration } from "../../facts/generated/types.ts";
import { notFoundError, unknownError } from "../../machinery/errors.ts";
import { syntaxError } from "../../machinery/codec/syntax.ts";
import { jsonKind } from "../../machinery/go_text.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { readConfiguration } from "../configuration.ts";
import { isPod, on } from "./attributes.ts";
import type { PluginContext } from "./context.ts";
import { areAllowed, mergeTolerations } from "./tolerations.ts";

const DEFAULTS = "scheduler.alpha.kubernetes.io/defaultTolerations";
const WHITELIST = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";
const MEMORY_PRESSURE: Toleration = {
  key: "node.kubernetes.io/memory-pressure",
  operator: "Exists",
  effect: "NoSchedule",
};

interface Configuration {
  default?: Toleration[];
  whitelist?: Toleration[];
}

/** Undefined when the namespace says nothing; no text is an empty list. */
function tolerationsOf(namespace: KubeObject, annotation: string): Toleration[] | undefined {
  const text = namespace.metadata.annotations?.[annotation];
  if (text === undefined || text === "") return text === "" ? [] : undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unknownError(syntaxError(text) ?? "unexpected end of JSON input");
  }
  if (value === null) return [];
  if (Array.isArray(value)) return value;
  throw unknownError(`json: cannot unmarshal ${jsonKind(value)} into Go value of type []v1.Toleration`);
}

export function podTolerationRestriction({ lookup, configuration }: PluginContext): AdmissionPlugin {
  const cluster = readConfiguration<Configuration>(configuration, {
    kinds: { "podtolerationrestriction.admission.k8s.io/v1alpha1": "Configuration" },
    fields: ["default", "whitelist"],
  });

  async function namespaceOf({ namespace }: AdmissionAttributes): Promise<KubeObject> {
    const found = await lookup.get("", "namespaces", namespace);
    if (found === undefined) throw notFoundError({ group: "", resource: "namespaces" }, namespace);
    return found;
  }

  async function validate(attributes: AdmissionAttributes): Promise<void> {
    if (!isPod(attributes)) return;
    const own: Toleration[] = attributes.object!.spec.tolerations ?? [];
    if (own.length === 0) return;
    const allowed = tolerationsOf(await namespaceOf(attributes), WHITELIST);
    if (areAllowed(own, allowed ?? cluster?.whitelist ?? [])) return;
    const scope = allowed === undefined ? "cluster" : "namespace";
    throw unknownError(
      `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`,
    );
  }

  return {
    name: "PodTolerationRestriction",
    handles: on("CREATE", "UPDATE"),
    async admit(attributes) {
      if (!isPod(attributes)) return;
      const { spec } = attributes.object!;
      const more: Toleration[] = [];
      if (attributes.operation === "CREATE") {
        more.push(...tolerationsOf(await namespaceOf(attributes), DEFAULTS) ?? cluster?.default ?? []);
      }
      if (qosClass(spec) !== "BestEffort") more.push(MEMORY_PRESSURE);
      if (more.length > 0) spec.tolerations = mergeTolerations(spec.tolerations ?? [], more);
      await validate(attributes);
    },
    validate,
  };
}
