// What the upkeep of managedFields and server-side apply cost, next to reading and writing the same object as JSON.
import { applyObject, updateManagedFields, type WriteInfo } from "../../src/machinery/apply/mod.ts";
import { clone } from "../../src/machinery/clone.ts";
import { decode } from "../../src/machinery/codec/decode.ts";
import { builtinSchema } from "../../src/machinery/schema/builtin.ts";
import type { Json, KubeObject } from "../../src/machinery/types.ts";

const KINDS = {
  deployment: { group: "apps", version: "v1", kind: "Deployment" },
  configMap: { group: "", version: "v1", kind: "ConfigMap" },
  pod: { group: "", version: "v1", kind: "Pod" },
} as const;

function info(kind: keyof typeof KINDS, live: KubeObject | undefined, manager = "editor"): WriteInfo {
  const { group, version } = KINDS[kind];
  return {
    type: builtinSchema().typeOfKind(KINDS[kind])!,
    apiVersion: group === "" ? version : `${group}/${version}`,
    live,
    manager,
    subresource: "",
    now: "2026-01-02T03:04:05Z",
    resetFields: RESET,
    convert: () => undefined,
  };
}

const RESET = [["status"]];

function deploymentOf(containers: number): KubeObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", labels: { app: "web", tier: "front" } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: {
          containers: Array.from({ length: containers }, (_, i) => ({
            name: `c${i}`,
            image: `registry.example.test/web:${i}`,
            ports: [{ containerPort: 8000 + i, protocol: "TCP" }],
            env: [{ name: "A", value: "1" }, { name: "B", value: "2" }],
            resources: { limits: { cpu: "1", memory: "1Gi" } },
            terminationMessagePath: "/dev/termination-log",
            imagePullPolicy: "IfNotPresent",
          })),
          restartPolicy: "Always",
          terminationGracePeriodSeconds: 30,
          dnsPolicy: "ClusterFirst",
          securityContext: {},
        },
      },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
      revisionHistoryLimit: 10,
    },
  };
}

/** With the values that defaulting gives it. */
function podOf(image: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web-1", namespace: "default", labels: { app: "web", shard: "1" } },
    spec: {
      containers: [{
        name: "main",
        image,
        args: ["serve", "--port=8080"],
        ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
        env: [
          { name: "A", value: "1" },
          { name: "POD", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } } },
        ],
        resources: { limits: { memory: "128Mi" }, requests: { cpu: "100m", memory: "64Mi" } },
        readinessProbe: {
          httpGet: { path: "/ready", port: "http", scheme: "HTTP" },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
        volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
        imagePullPolicy: "IfNotPresent",
      }],
      volumes: [{ name: "tmp", emptyDir: {} }],
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 0,
      dnsPolicy: "ClusterFirst",
      enableServiceLinks: true,
      schedulerName: "default-scheduler",
      securityContext: {},
    },
    status: { phase: "Pending", qosClass: "Burstable" },
  };
}

/** The object as it is stored after its creation. */
function stored(kind: keyof typeof KINDS, given: KubeObject): KubeObject {
  const object = decode(builtinSchema().typeOfKind(KINDS[kind])!, clone(given) as unknown as Json).object;
  Object.assign(object.metadata, { uid: "8f3c1c9e-4f07-4f0d-8d2e-1b0c2a3d4e5f", resourceVersion: "7" });
  const live = info(kind, undefined, "creator");
  updateManagedFields(live, object);
  return object;
}

function baseline(group: string, text: string): void {
  Deno.bench("JSON.parse and JSON.stringify", { group, baseline: true }, () => {
    JSON.stringify(JSON.parse(text));
  });
}

function benchUpdate(
  group: string,
  kind: keyof typeof KINDS,
  { live, changed }: Record<"live" | "changed", KubeObject>,
) {
  baseline(group, JSON.stringify(live));
  const given = clone(live.metadata.managedFields);
  const write = info(kind, live);
  Deno.bench("managedFields of an update", { group }, () => {
    changed.metadata.managedFields = given;
    updateManagedFields(write, changed);
  });
  const same = clone(live);
  Deno.bench("managedFields of an update that changes nothing", { group }, () => {
    same.metadata.managedFields = given;
    updateManagedFields(write, same);
  });
  const create = info(kind, undefined);
  Deno.bench("managedFields of a create", { group }, () => {
    delete changed.metadata.managedFields;
    updateManagedFields(create, changed);
  });
}

const small = stored("configMap", {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "settings", labels: { app: "web" } },
  data: { a: "1", b: "2", c: "3" },
});
benchUpdate("small config map", "configMap", {
  live: small,
  changed: { ...clone(small), data: { a: "1", b: "2", c: "4" } },
});

benchUpdate("pod", "pod", {
  live: stored("pod", podOf("registry.example.test/web:1")),
  changed: stored("pod", podOf("registry.example.test/web:2")),
});

const one = stored("deployment", deploymentOf(1));
const oneChanged = clone(one);
oneChanged.spec.template.spec.containers[0].image = "registry.example.test/web:2";
benchUpdate("deployment", "deployment", { live: one, changed: oneChanged });

const large = stored("deployment", deploymentOf(20));
const largeChanged = clone(large);
largeChanged.spec.template.spec.containers[7].image = "registry.example.test/web:2";
benchUpdate("deployment of 20 containers", "deployment", { live: large, changed: largeChanged });

const applied = deploymentOf(20);
const group = "apply of a deployment of 20 containers";
const first = await applyObject({ ...info("deployment", undefined, "applier"), force: true }, applied);
const live = decode(builtinSchema().typeOfKind(KINDS.deployment)!, first as unknown as Json).object;
live.metadata.uid = "8f3c1c9e-4f07-4f0d-8d2e-1b0c2a3d4e5f";
baseline(group, JSON.stringify(live));
const again = { ...info("deployment", live, "applier"), force: true };
Deno.bench("apply that changes nothing", { group }, async () => void await applyObject(again, applied));
const other = clone(applied);
other.spec.template.spec.containers[7].image = "registry.example.test/web:2";
other.spec.template.spec.containers.pop();
Deno.bench("apply that changes and gives up", { group }, async () => void await applyObject(again, other));
