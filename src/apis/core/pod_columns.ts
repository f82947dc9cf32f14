// Pods as a table: the phase made readable out of what the containers do.
import { age } from "../../machinery/duration.ts";
import { parseTime } from "../../machinery/time.ts";
import type { Json, KubeObject } from "../../machinery/types.ts";
import { AGE, NAME, text, wide } from "../columns.ts";
import type * as v1 from "../../facts/generated/types.ts";
import type { Column } from "../kind.ts";
import { isSidecar } from "./pod_spec/visit.ts";

interface Summary {
  ready: number;
  total: number;
  reason: string;
  restarts: number;
  /** When the last of them was; undefined when no one knows. */
  lastRestart?: string;
}

class Restarts {
  count = 0;
  last: string | undefined;

  add(status: v1.ContainerStatus): void {
    this.count += status.restartCount ?? 0;
    const finished = status.lastState?.terminated?.finishedAt;
    if (finished && (!this.last || parseTime(this.last)! < parseTime(finished)!)) this.last = finished;
  }
}

function hasCondition(pod: v1.Pod, type: string): boolean {
  return pod.status?.conditions?.find((c) => c.type === type)?.status === "True";
}

function endReason(terminated: v1.ContainerStateTerminated): string {
  if (terminated.reason) return terminated.reason;
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode ?? 0}`;
}

/** What the first init container that is not done says; undefined when all are. */
function initReason(status: v1.ContainerStatus, i: number, spec: v1.PodSpec): string {
  const { terminated, waiting } = status.state ?? {};
  if (terminated) return `Init:${endReason(terminated)}`;
  if (waiting?.reason && waiting.reason !== "PodInitializing") return `Init:${waiting.reason}`;
  return `Init:${i}/${spec.initContainers?.length ?? 0}`;
}

function summarize(pod: v1.Pod): Summary {
  const { spec = {}, status = {} } = pod;
  const sidecars = new Set((spec.initContainers ?? []).filter(isSidecar).map((c) => c.name));
  const summary: Summary = {
    ready: 0,
    total: (spec.containers?.length ?? 0) + (spec.initContainers ?? []).filter(isSidecar).length,
    reason: status.reason || status.phase || "",
    restarts: 0,
  };
  if (status.conditions?.some((c) => c.type === "PodScheduled" && c.reason === "SchedulingGated")) {
    summary.reason = "SchedulingGated";
  }
  const all = new Restarts(), ofSidecars = new Restarts();
  let initializing = false;
  for (const [i, container] of (status.initContainerStatuses ?? []).entries()) {
    const sidecar = sidecars.has(container.name);
    all.add(container);
    if (sidecar) ofSidecars.add(container);
    const { terminated } = container.state ?? {};
    if (terminated && (terminated.exitCode ?? 0) === 0) continue;
    if (sidecar && container.started) {
      if (container.ready) summary.ready++;
      continue;
    }
    summary.reason = initReason(container, i, spec);
    initializing = true;
    break;
  }
  let restarts = all;
  if (!initializing || hasCondition(pod, "Initialized")) {
    restarts = ofSidecars;
    summarizeContainers(pod, summary, restarts);
  }
  if (pod.metadata.deletionTimestamp && status.reason === "NodeLost") summary.reason = "Unknown";
  else if (pod.metadata.deletionTimestamp && status.phase !== "Failed" && status.phase !== "Succeeded") {
    summary.reason = "Terminating";
  }
  summary.restarts = restarts.count;
  summary.lastRestart = restarts.last;
  return summary;
}

function summarizeContainers(pod: v1.Pod, summary: Summary, restarts: Restarts): void {
  let running = false, failure = "";
  for (const container of (pod.status?.containerStatuses ?? []).toReversed()) {
    restarts.add(container);
    const { waiting, terminated, running: runs } = container.state ?? {};
    if (waiting?.reason) summary.reason = waiting.reason;
    else if (terminated) {
      summary.reason = endReason(terminated);
      if (terminated.exitCode) failure = summary.reason;
    } else if (container.ready && runs) {
      running = true;
      summary.ready++;
    }
  }
  if (summary.reason !== "Completed") return;
  if (running && hasCondition(pod, "Ready")) summary.reason = "Running";
  else if (failure !== "") summary.reason = failure;
  else if (running) summary.reason = "NotReady";
}

/** The cells of a row share one summary. */
const summaries = new WeakMap<v1.Pod, Summary>();

function summaryOf(pod: v1.Pod): Summary {
  let summary = summaries.get(pod);
  if (summary === undefined) {
    summary = summarize(pod);
    summaries.set(pod, summary);
  }
  return summary;
}

function readinessGates(pod: v1.Pod): string {
  const gates = pod.spec?.readinessGates ?? [];
  if (gates.length === 0) return "<none>";
  const met = gates.filter((gate) => hasCondition(pod, gate.conditionType ?? "")).length;
  return `${met}/${gates.length}`;
}

function restartsText(pod: v1.Pod, now: number): string {
  const { restarts, lastRestart } = summaryOf(pod);
  return restarts > 0 && lastRestart ? `${restarts} (${age(lastRestart, now)} ago)` : String(restarts);
}

type Pod = KubeObject & v1.Pod;

export const POD_COLUMNS: readonly Column<Pod>[] = [
  NAME,
  text<Pod>("Ready", "How many of the pod's containers are ready for traffic.", (pod) => {
    const { ready, total } = summaryOf(pod);
    return `${ready}/${total}`;
  }),
  text<Pod>("Status", "What the containers of the pod do.", (pod) => summaryOf(pod).reason),
  text<Pod>("Restarts", "How often containers of the pod were started again, and when last.", restartsText),
  AGE,
  ...[
    text<Pod>("IP", "The pod's own address.", ({ status }) => status?.podIPs?.[0]?.ip || "<none>"),
    text<Pod>("Node", "The node that the pod runs on.", ({ spec }) => spec?.nodeName || "<none>"),
    text<Pod>(
      "Nominated Node",
      "The node where room is made for the pod.",
      ({ status }) => status?.nominatedNodeName || "<none>",
    ),
    text<Pod>("Readiness Gates", "How many of the conditions that the pod waits for are met.", readinessGates),
  ].map(wide),
];

/** Pods that have ended are marked, so that clients may leave them out. */
export function podRowConditions(pod: v1.Pod): Json[] | undefined {
  switch (pod.status?.phase) {
    case "Succeeded":
      return [completed("Succeeded", "The pod has completed successfully.")];
    case "Failed":
      return [completed("Failed", "The pod failed.")];
  }
}

function completed(reason: string, message: string): Json {
  return { type: "Completed", status: "True", reason, message };
}
