// Post-start hooks that make and keep up the objects of a new cluster, under kube-apiserver's names.
import { sideBySide } from "../../machinery/side_by_side.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { PostStartHook } from "../delegation.ts";
import type { LoopbackClient } from "../loopback_client.ts";
import { bootstrapObjects, bootstrapStatus } from "./defaults.ts";

/** How often what somebody deleted is made again, as in kube-apiserver. */
const NAMESPACES_EVERY_MS = 60_000;
const SYSTEM_NAMESPACES = ["kube-system", "kube-public", "kube-node-lease", "default"];

const FLOW_PRODUCER = "api-priority-and-fairness-config-producer-v1";
const FLOW_CONSUMER = "api-priority-and-fairness-config-consumer-v1";
const FLOW_SCHEMAS = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas";
const PRIORITY_LEVELS = "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations";
const PRIORITY_CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";
const API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";

/** Namespaces: the four that Kubernetes itself needs, made again every minute. */
export function systemNamespacesHook(client: LoopbackClient): PostStartHook {
  return {
    name: "start-system-namespaces-controller",
    async run(signal) {
      const ensure = async () => {
        await Promise.all(SYSTEM_NAMESPACES.map((name) => ensureNamespace(client, name)));
      };
      await ensure();
      repeat(ensure, NAMESPACES_EVERY_MS, signal);
    },
  };
}

export function priorityClassesHook(client: LoopbackClient): PostStartHook {
  return {
    name: "scheduling/bootstrap-system-priority-classes",
    async run() {
      await createMissing(client, PRIORITY_CLASSES);
    },
  };
}

/** Flow schemas and priority levels; the status of a flow schema says whether its level exists. */
export function flowControlHook(client: LoopbackClient): PostStartHook {
  return {
    name: "priority-and-fairness-config-producer",
    async run() {
      const producer = client.as(FLOW_PRODUCER);
      for (const path of [PRIORITY_LEVELS, FLOW_SCHEMAS] as const) {
        await createMissing(producer, path, async (name) => {
          const status = bootstrapStatus(path, name);
          if (status === undefined || Object.keys(status).length === 0) return;
          await client.apply(`${path}/${name}/status`, {
            apiVersion: "flowcontrol.apiserver.k8s.io/v1",
            kind: path === FLOW_SCHEMAS ? "FlowSchema" : "PriorityLevelConfiguration",
            metadata: { name },
            status,
          }, FLOW_CONSUMER);
        });
      }
    },
  };
}

/** An APIService for every group version that this process serves itself. */
export function apiServicesHook(client: LoopbackClient): PostStartHook {
  return {
    name: "kube-apiserver-autoregistration",
    async run() {
      await createMissing(client, API_SERVICES, async (name, created) => {
        const status = bootstrapStatus(API_SERVICES, name);
        await client.update(`${API_SERVICES}/${name}/status`, { ...created, status });
      });
    },
  };
}

/** Hooks run side by side: whoever needs a namespace first makes it. */
export async function ensureNamespace(client: LoopbackClient, name: string): Promise<void> {
  if (await client.get(`/api/v1/namespaces/${name}`) !== undefined) return;
  await client.create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
}

/**
 * Makes what is missing of a collection's objects, many at once, so that they share commits. One list tells what is there.
 * @param created runs for each that was not
 */
async function createMissing(
  client: LoopbackClient,
  path: Parameters<typeof bootstrapObjects>[0],
  created: (name: string, object: KubeObject) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const there = new Set((await client.list(path)).map(({ metadata }) => metadata.name));
  const missing = bootstrapObjects(path).filter(({ metadata }) => !there.has(metadata.name));
  await sideBySide(missing, AT_ONCE, async (object) => {
    const answer = await client.create(path, object);
    if (answer !== undefined) await created(object.metadata.name, answer);
  });
}

/**
 * Writes of one collection that are under way at once: enough to share commits, and no more. V8 learns from what survives
 * its collections. When one falls on a hundred requests under way, what they are made of seems to live long, and it puts
 * that of all later requests where only full collections look.
 */
export const AT_ONCE = 24;

/** Failures are tried again at the next turn. */
export function repeat(work: () => Promise<void>, milliseconds: number, signal: AbortSignal): void {
  const timer = setInterval(() => void work().catch(() => {}), milliseconds);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}
