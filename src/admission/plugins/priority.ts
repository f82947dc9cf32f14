// Priority: the priority of a pod is the one of its class; a client does not set it by itself.
import type { KubeObject } from "../../machinery/types.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { isPod, isResource, on, refusal } from "./attributes.ts";
import type { PluginContext } from "./context.ts";
import { type ObjectLookup, withFound } from "./lookup.ts";

const CLASSES = { group: "scheduling.k8s.io", resource: "priorityclasses" };

/** Of several, which a race may leave behind, the lowest. */
function defaultClass(lookup: ObjectLookup): KubeObject | undefined | Promise<KubeObject | undefined> {
  return withFound(
    lookup.list(CLASSES.group, CLASSES.resource),
    (classes): KubeObject | undefined => classes.filter((c) => c.globalDefault).sort((a, b) => a.value - b.value)[0],
  );
}

function admitNewPod(lookup: ObjectLookup, attributes: AdmissionAttributes): void | Promise<void> {
  const spec = attributes.object!.spec, name = spec.priorityClassName;
  if (!name) {
    return withFound(defaultClass(lookup), (chosen) => {
      if (chosen !== undefined) spec.priorityClassName = chosen.metadata.name;
      setPriority(attributes, chosen);
    });
  }
  return withFound(lookup.get(CLASSES.group, CLASSES.resource, name), (found) => {
    if (found === undefined) throw refusal(attributes, `no PriorityClass with name ${name} was found`);
    setPriority(attributes, found);
  });
}

function setPriority(attributes: AdmissionAttributes, given: KubeObject | undefined): void {
  const spec = attributes.object!.spec;
  const value = given?.value ?? 0, policy = given?.preemptionPolicy ?? "PreemptLowerPriority";
  if (spec.priority !== undefined && spec.priority !== value) {
    throw refusal(
      attributes,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  spec.priority = value;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    throw refusal(
      attributes,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  }
  spec.preemptionPolicy = policy;
}

/** What was computed once stays, also where an update leaves it out. */
function keepComputed({ object, oldObject }: AdmissionAttributes): void {
  for (const field of ["priority", "preemptionPolicy"]) {
    const before = oldObject!.spec[field];
    if (before !== undefined) object!.spec[field] ??= before;
  }
}

/** One class at most is the default. */
async function checkClass(lookup: ObjectLookup, attributes: AdmissionAttributes): Promise<void> {
  const { operation, object } = attributes;
  if (!object!.globalDefault) return;
  const other = await defaultClass(lookup);
  if (other === undefined || (operation === "UPDATE" && other.metadata.name === object!.metadata.name)) return;
  throw refusal(
    attributes,
    `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`,
  );
}

export function priority({ lookup }: PluginContext): AdmissionPlugin {
  return {
    name: "Priority",
    handles: on("CREATE", "UPDATE"),
    looksAt: (attributes) => isPod(attributes) || isResource(attributes, CLASSES),
    admit(attributes) {
      if (!isPod(attributes)) return;
      if (attributes.operation === "CREATE") return admitNewPod(lookup, attributes);
      if (attributes.operation === "UPDATE") keepComputed(attributes);
    },
    validate(attributes) {
      if (isResource(attributes, CLASSES)) return checkClass(lookup, attributes);
    },
  };
}
