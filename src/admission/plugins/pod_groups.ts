// Plugins of gang scheduling (KEP-4671): what protects pod groups, ties them to workloads, and keeps jobs at their size.
import { goQuote } from "../../machinery/go_text.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../interface.ts";
import { isResource, on, refusal } from "./attributes.ts";
import type { PluginContext } from "./context.ts";

const GROUP = "scheduling.k8s.io";
const POD_GROUPS = { group: GROUP, resource: "podgroups" };
const PROTECTION = `${GROUP}/podgroup-protection`;

export function podGroupProtection({ features }: PluginContext): AdmissionPlugin {
  return {
    name: "PodGroupProtection",
    handles: features.enabled("GenericWorkload") ? on("CREATE") : () => false,
    admit(attributes) {
      if (!isResource(attributes, POD_GROUPS)) return;
      const { metadata } = attributes.object!;
      if (!metadata.finalizers?.includes(PROTECTION)) metadata.finalizers = [...metadata.finalizers ?? [], PROTECTION];
    },
  };
}

export function podGroupWorkloadExists({ lookup, features }: PluginContext): AdmissionPlugin {
  return {
    name: "PodGroupWorkloadExists",
    handles: features.enabled("GenericWorkload") ? on("CREATE") : () => false,
    async validate(attributes) {
      const reference = attributes.object?.spec?.podGroupTemplateRef?.workload;
      if (!isResource(attributes, POD_GROUPS) || reference === undefined) return;
      const { workloadName: name, podGroupTemplateName: template } = reference;
      const reject = (why: string) => refusal(attributes, `PodGroup rejected: ${why}`);
      const workload = await lookup.get(GROUP, "workloads", name, attributes.namespace);
      if (workload === undefined) throw reject(`Workload ${goQuote(name)} not found`);
      if (workload.metadata.deletionTimestamp) throw reject(`Workload ${goQuote(name)} is being deleted`);
      const templates: { name: string }[] = workload.spec?.podGroupTemplates ?? [];
      if (templates.some((known) => known.name === template)) return;
      throw reject(`PodGroupTemplate ${goQuote(template)} not found in Workload ${goQuote(name)}`);
    },
  };
}

export function jobValidation({ lookup, features }: PluginContext): AdmissionPlugin {
  /** The group of the job's template, or those that the job controls. */
  async function groupsOf({ namespace, oldObject }: AdmissionAttributes): Promise<KubeObject[]> {
    const name = oldObject!.spec.template?.spec?.schedulingGroup?.podGroupName;
    if (name !== undefined) {
      return [await lookup.get(GROUP, "podgroups", name, namespace)].filter((g) => g !== undefined);
    }
    return (await lookup.list(GROUP, "podgroups", namespace)).filter(({ metadata }) =>
      metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === oldObject!.metadata.uid)
    );
  }

  const enabled = features.enabled("GenericWorkload") || features.enabled("WorkloadWithJob");
  return {
    name: "JobValidation",
    handles: enabled ? on("UPDATE") : () => false,
    async validate(attributes) {
      if (!isResource(attributes, { group: "batch", resource: "jobs" })) return;
      if (attributes.object!.spec.parallelism === attributes.oldObject!.spec.parallelism) return;
      const gang = (await groupsOf(attributes)).find((group) => group.spec?.schedulingPolicy?.gang !== undefined);
      if (gang === undefined) return;
      const name = goQuote(gang.metadata.name!);
      throw refusal(attributes, `cannot change parallelism for a Job referencing gang-scheduled PodGroup ${name}`);
    },
  };
}
