// PodNodeSelector: the pods of a namespace run on some nodes only.
import { forbiddenError, notFoundError, unknownError } from "../../machinery/errors.ts";
import type { Json } from "../../machinery/types.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { isPod, on } from "./attributes.ts";
import type { PluginContext } from "./context.ts";
import { parseNodeSelector } from "./node_selector.ts";

const ANNOTATION = "scheduler.alpha.kubernetes.io/node-selector";

type Selector = Readonly<Record<string, string>>;

/** `podNodeSelectorPluginConfig` maps namespaces to what their pods may select, and `clusterDefaultNodeSelector`. */
function selectorsOf(configuration: Json | undefined): Record<string, string> {
  const given = (configuration as { podNodeSelectorPluginConfig?: Json } | undefined)?.podNodeSelectorPluginConfig;
  const selectors: Record<string, string> = {};
  for (const [namespace, selector] of Object.entries(given ?? {})) {
    if (typeof selector !== "string") throw new Error(`podNodeSelectorPluginConfig.${namespace} has to be a string`);
    selectors[namespace] = selector;
  }
  return selectors;
}

function parse(text: string): Selector {
  try {
    return parseNodeSelector(text);
  } catch (e) {
    throw unknownError((e as Error).message);
  }
}

export function podNodeSelector({ lookup, configuration }: PluginContext): AdmissionPlugin {
  const { clusterDefaultNodeSelector = "", ...allowed } = selectorsOf(configuration);

  async function selectorOf(namespace: string): Promise<Selector> {
    const found = await lookup.get("", "namespaces", namespace);
    if (found === undefined) throw notFoundError({ group: "", resource: "namespaces" }, namespace);
    return parse(found.metadata.annotations?.[ANNOTATION] ?? clusterDefaultNodeSelector);
  }

  function refuse({ resource, object }: AdmissionAttributes, why: string): never {
    throw forbiddenError(resource, object!.metadata.name ?? "", why);
  }

  function check(attributes: AdmissionAttributes, selector: Selector): void {
    const own: Selector = attributes.object!.spec.nodeSelector ?? {};
    if (Object.entries(selector).some(([key, value]) => key in own && own[key] !== value)) {
      refuse(attributes, "pod node label selector conflicts with its namespace node label selector");
    }
  }

  async function validate(attributes: AdmissionAttributes): Promise<void> {
    if (!isPod(attributes)) return;
    check(attributes, await selectorOf(attributes.namespace));
    const whitelist = parse(allowed[attributes.namespace] ?? "");
    if (Object.keys(whitelist).length === 0) return;
    const own: Selector = attributes.object!.spec.nodeSelector ?? {};
    if (Object.entries(own).some(([key, value]) => whitelist[key] !== value)) {
      refuse(attributes, "pod node label selector labels conflict with its namespace whitelist");
    }
  }

  return {
    name: "PodNodeSelector",
    handles: on("CREATE"),
    async admit(attributes) {
      if (!isPod(attributes)) return;
      const selector = await selectorOf(attributes.namespace), { spec } = attributes.object!;
      check(attributes, selector);
      if (Object.keys(selector).length > 0) spec.nodeSelector = { ...selector, ...spec.nodeSelector };
      await validate(attributes);
    },
    validate,
  };
}
