// Steps of the demonstration in which controllers of workloads do their part.
import { NODES } from "./components.ts";
import { byApp, condition, deployment, type Obj, podTemplate, type Stage } from "./stage.ts";

export async function deploymentRollsOutAndScales(stage: Stage): Promise<void> {
  const path = stage.path("apps/v1/deployments/web");
  const available = (count: number) =>
    stage.until(
      `${count} are available`,
      path,
      ({ metadata, status }) =>
        status.observedGeneration === metadata.generation && status.availableReplicas === count &&
        status.updatedReplicas === count && status.replicas === count,
    );
  await stage.create("apps/v1/deployments", deployment("web", 3));
  await available(3);
  await stage.must("PATCH", `${path}/scale`, { spec: { replicas: 6 } });
  await available(6);
  await stage.must("PATCH", path, { spec: { template: podTemplate("web", "registry.example/web:2.0") } });
  await available(6);
  const { items } = await stage.until(
    "two replica sets, one of them empty",
    `${stage.path("apps/v1/replicasets")}?${byApp("web")}`,
    ({ items }) => items.length === 2 && items.some((set: Obj) => set.status.replicas === 0),
  );
  if (!items.every((set: Obj) => set.metadata.ownerReferences[0].name === "web")) throw new Error("no owners");
  const pods = await stage.must("GET", `${stage.path("v1/pods")}?${byApp("web")}`);
  const nodes = new Set(pods.items.map((pod: Obj) => pod.spec.nodeName));
  if (nodes.size < 2) throw new Error(`all pods are on ${[...nodes]}`);
}

export async function endpointSlicesFill(stage: Stage): Promise<void> {
  await stage.create("apps/v1/deployments", deployment("served", 4));
  await stage.create("v1/services", {
    metadata: { name: "served" },
    spec: { selector: { app: "served" }, ports: [{ port: 80 }] },
  });
  const path = `${
    stage.path("discovery.k8s.io/v1/endpointslices")
  }?labelSelector=kubernetes.io%2Fservice-name%3Dserved`;
  const ready = (count: number) =>
    stage.until(
      `${count} are ready`,
      path,
      ({ items }) =>
        items.flatMap((slice: Obj) => slice.endpoints ?? []).filter((e: Obj) => e.conditions.ready).length === count,
    );
  await ready(4);
  await stage.until("endpoints fill", stage.path("v1/endpoints/served"), (e) => e.subsets?.[0]?.addresses.length === 4);
  await stage.must("PATCH", stage.path("apps/v1/deployments/served"), { spec: { replicas: 1 } });
  await ready(1);
  await stage.must("DELETE", stage.path("v1/services/served"));
  await stage.until("the slices go", path, ({ items }) => items.length === 0);
}

export async function jobsFinish(stage: Stage): Promise<void> {
  const template = podTemplate("job", undefined, { restartPolicy: "Never" });
  const job = (name: string, more: Obj) => ({ metadata: { name }, spec: { template, ...more } });
  await stage.create("batch/v1/jobs", job("several", { completions: 5, parallelism: 2 }));
  await stage.create("batch/v1/jobs", job("indexed", { completions: 3, parallelism: 3, completionMode: "Indexed" }));
  await stage.create("batch/v1/jobs", job("short-lived", { ttlSecondsAfterFinished: 1 }));
  for (const [name, count] of [["several", 5], ["indexed", 3]] as const) {
    const done = await stage.until(
      `job ${name} is done`,
      stage.path(`batch/v1/jobs/${name}`),
      (job) => condition(job, "Complete") === "True",
    );
    if (done.status.succeeded !== count) throw new Error(`${name}: ${JSON.stringify(done.status)}`);
  }
  await stage.untilGone(stage.path("batch/v1/jobs/short-lived"));
}

export async function setsFill(stage: Stage): Promise<void> {
  const selector = { matchLabels: { app: "set" } };
  await stage.create("apps/v1/daemonsets", {
    metadata: { name: "everywhere" },
    spec: { selector, template: podTemplate("set") },
  });
  await stage.until(
    "one on each node",
    stage.path("apps/v1/daemonsets/everywhere"),
    ({ status }) => status.numberReady === NODES.length,
  );
  await stage.create("apps/v1/statefulsets", {
    metadata: { name: "ordered" },
    spec: {
      replicas: 3,
      serviceName: "ordered",
      selector: { matchLabels: { app: "ordered" } },
      template: podTemplate("ordered"),
    },
  });
  await stage.until(
    "all in their order",
    stage.path("apps/v1/statefulsets/ordered"),
    ({ status }) => status.readyReplicas === 3 && status.currentRevision === status.updateRevision,
  );
}

export async function autoscalerAndBudgetFollow(stage: Stage): Promise<void> {
  await stage.create("apps/v1/deployments", deployment("watched", 3));
  await stage.create("autoscaling/v2/horizontalpodautoscalers", {
    metadata: { name: "watched" },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "watched" },
      minReplicas: 4,
      maxReplicas: 6,
    },
  });
  await stage.create("policy/v1/poddisruptionbudgets", {
    metadata: { name: "watched" },
    spec: { minAvailable: 3, selector: { matchLabels: { app: "watched" } } },
  });
  await stage.until(
    "the autoscaler scales to its minimum",
    stage.path("autoscaling/v2/horizontalpodautoscalers/watched"),
    (h) => h.status?.desiredReplicas === 4 && condition(h, "AbleToScale") === "True",
  );
  const budget = stage.path("policy/v1/poddisruptionbudgets/watched");
  await stage.until(
    "the budget allows one",
    budget,
    ({ status }) => status?.currentHealthy === 4 && status.disruptionsAllowed === 1,
  );
  const pods = await stage.must("GET", `${stage.path("v1/pods")}?${byApp("watched")}`);
  const evicted = pods.items[0].metadata.name;
  await stage.must("POST", stage.path(`v1/pods/${evicted}/eviction`), {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name: evicted },
  });
  await stage.untilGone(stage.path(`v1/pods/${evicted}`));
  await stage.until("the budget recovers", budget, ({ status }) => status.currentHealthy === 4);
}

export async function cronJobRuns(stage: Stage): Promise<void> {
  const template = podTemplate("cron", undefined, { restartPolicy: "Never" });
  await stage.create("batch/v1/cronjobs", {
    metadata: { name: "minutely" },
    spec: { schedule: "* * * * *", jobTemplate: { spec: { template } } },
  });
  await stage.until(
    "its first job has finished",
    stage.path("batch/v1/cronjobs/minutely"),
    ({ status }) => status?.lastSuccessfulTime !== undefined,
  );
}
