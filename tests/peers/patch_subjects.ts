// What the comparison of patches writes: for each resource the smallest object that is taken, and parts that may be
// added to it. Parts overlap on purpose: they give the same fields other values, and lists other elements.
import type { JsonObject } from "../../src/machinery/types.ts";

export interface Subject {
  collection: string;
  kind: string;
  /** Served at the same path with the version put in. */
  apiVersions: readonly string[];
  base: JsonObject;
  parts: readonly JsonObject[];
  /** Parts that only the status subresource writes. */
  statusParts: readonly JsonObject[];
  hasScale: boolean;
  custom: boolean;
}

const metaParts: readonly JsonObject[] = [
  { metadata: { labels: { a: "1" } } },
  { metadata: { labels: { a: "2", b: "1" } } },
  { metadata: { labels: { b: "" } } },
  { metadata: { annotations: { "example.com/x": "1" } } },
  { metadata: { annotations: { "example.com/x": "2", y: "1" } } },
  { metadata: { finalizers: ["example.com/a"] } },
  { metadata: { finalizers: ["example.com/b", "example.com/a"] } },
  { metadata: { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "u-1" }] } },
  { metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Secret", name: "p", uid: "u-2" }] } },
];

const podSpecParts: readonly JsonObject[] = [
  { containers: [{ name: "c", image: "example.com/c:2" }] },
  { containers: [{ name: "c", image: "example.com/c:1", env: [{ name: "A", value: "1" }] }] },
  { containers: [{ name: "c", image: "example.com/c:1", env: [{ name: "A", value: "2" }, { name: "B", value: "" }] }] },
  { containers: [{ name: "c", image: "example.com/c:1", ports: [{ containerPort: 80 }] }] },
  {
    containers: [{
      name: "c",
      image: "example.com/c:1",
      ports: [{ containerPort: 80, protocol: "UDP", name: "u" }, { containerPort: 81, name: "h" }],
    }],
  },
  { containers: [{ name: "c", image: "example.com/c:1", args: ["x", "y"] }] },
  { containers: [{ name: "c", image: "example.com/c:1", args: ["z"], command: [] }] },
  { containers: [{ name: "c", image: "example.com/c:1", resources: { requests: { cpu: "100m" } } }] },
  { containers: [{ name: "c", image: "example.com/c:1", resources: { limits: { cpu: "1000m", memory: "1Gi" } } }] },
  { containers: [{ name: "d", image: "example.com/d:1" }] },
  { containers: [{ name: "d", image: "example.com/d:1", volumeMounts: [{ name: "v", mountPath: "/v" }] }] },
  { volumes: [{ name: "v", emptyDir: {} }] },
  { volumes: [{ name: "v", configMap: { name: "m", items: [{ key: "k", path: "p" }] } }] },
  { initContainers: [{ name: "i", image: "example.com/i:1" }] },
  { nodeSelector: { disk: "ssd" } },
  { nodeSelector: { disk: "hdd", zone: "a" } },
  { tolerations: [{ key: "k", operator: "Exists" }] },
  { tolerations: [{ key: "k", operator: "Equal", value: "v", effect: "NoSchedule" }] },
  { imagePullSecrets: [{ name: "s" }] },
  { imagePullSecrets: [{ name: "s" }, { name: "t" }] },
  { hostAliases: [{ ip: "192.0.2.1", hostnames: ["h"] }] },
  {
    topologySpreadConstraints: [{
      maxSkew: 1,
      topologyKey: "zone",
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: { matchLabels: { app: "x" } },
    }],
  },
  { terminationGracePeriodSeconds: 5 },
  { securityContext: { runAsUser: 1000 } },
  { securityContext: { runAsNonRoot: true, supplementalGroups: [1, 2] } },
  { dnsPolicy: "Default" },
  { affinity: { nodeAffinity: {} } },
];

const podSpec: JsonObject = { containers: [{ name: "c", image: "example.com/c:1" }] };

const deployments: Subject = {
  collection: "/apis/apps/v1/namespaces/default/deployments",
  kind: "Deployment",
  apiVersions: ["apps/v1"],
  base: {
    spec: {
      selector: { matchLabels: { app: "x" } },
      template: { metadata: { labels: { app: "x" } }, spec: podSpec },
    },
  },
  parts: [
    ...metaParts,
    ...podSpecParts.map((spec) => ({ spec: { template: { spec } } })),
    { spec: { replicas: 3 } },
    { spec: { replicas: 0 } },
    { spec: { paused: true, minReadySeconds: 4 } },
    { spec: { strategy: { type: "Recreate" } } },
    { spec: { strategy: { rollingUpdate: { maxSurge: "50%", maxUnavailable: 1 } } } },
    { spec: { template: { metadata: { labels: { app: "x", tier: "b" } } } } },
    { spec: { template: { metadata: { annotations: { t: "1" } } } } },
    { spec: { revisionHistoryLimit: 2 } },
  ],
  statusParts: [
    { status: { replicas: 2, observedGeneration: 1 } },
    { status: { replicas: 3, readyReplicas: 1 } },
    { status: { conditions: [{ type: "Available", status: "True", reason: "r", message: "m" }] } },
    { status: { conditions: [{ type: "Progressing", status: "False" }] } },
    { metadata: { labels: { s: "1" } } },
  ],
  hasScale: true,
  custom: false,
};

const services: Subject = {
  collection: "/api/v1/namespaces/default/services",
  kind: "Service",
  apiVersions: ["v1"],
  base: { spec: { ports: [{ port: 80, name: "p80" }] } },
  parts: [
    ...metaParts,
    { spec: { ports: [{ port: 80, name: "p80", targetPort: 8080 }] } },
    { spec: { ports: [{ port: 80, name: "p80", targetPort: "web", appProtocol: "http" }] } },
    { spec: { ports: [{ port: 81, name: "p81", protocol: "TCP" }] } },
    { spec: { ports: [{ port: 80, name: "u80", protocol: "UDP" }] } },
    { spec: { selector: { app: "x" } } },
    { spec: { selector: { app: "y", tier: "b" } } },
    { spec: { sessionAffinity: "ClientIP" } },
    { spec: { sessionAffinity: "None" } },
    { spec: { type: "NodePort" } },
    { spec: { type: "ClusterIP" } },
    { spec: { type: "LoadBalancer", loadBalancerSourceRanges: ["10.1.0.0/16"] } },
    { spec: { publishNotReadyAddresses: true } },
    { spec: { internalTrafficPolicy: "Local" } },
    { spec: { externalIPs: ["192.0.2.7"] } },
  ],
  statusParts: [
    { status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } } },
    { status: { conditions: [condition("Ready", "True")] } },
    { status: { conditions: [condition("Other", "False")] } },
  ],
  hasScale: false,
  custom: false,
};

function condition(type: string, status: string): JsonObject {
  return { type, status, reason: "R", message: "m", lastTransitionTime: "2024-01-02T03:04:05Z" };
}

const pods: Subject = {
  collection: "/api/v1/namespaces/default/pods",
  kind: "Pod",
  apiVersions: ["v1"],
  base: { spec: podSpec },
  parts: [...metaParts, ...podSpecParts.map((spec) => ({ spec })), { spec: { activeDeadlineSeconds: 9 } }],
  statusParts: [
    { status: { phase: "Running", podIP: "192.0.2.9", podIPs: [{ ip: "192.0.2.9" }] } },
    { status: { conditions: [{ type: "Ready", status: "True" }] } },
    { status: { conditions: [{ type: "Ready", status: "False", reason: "r" }, { type: "x", status: "True" }] } },
    { status: { hostIP: "192.0.2.3", hostIPs: [{ ip: "192.0.2.3" }] } },
    { metadata: { labels: { s: "1" } } },
  ],
  hasScale: false,
  custom: false,
};

const text = { type: "string" }, whole = { type: "integer" };

const widgetSpec: JsonObject = {
  type: "object",
  properties: {
    replicas: { ...whole, format: "int32", minimum: 0, default: 1 },
    title: { ...text, nullable: true, maxLength: 12 },
    count: { ...whole, format: "int64" },
    ratio: { type: "number" },
    target: { "x-kubernetes-int-or-string": true },
    mode: { ...text, enum: ["auto", "manual"], default: "auto" },
    tags: { type: "array", items: text, "x-kubernetes-list-type": "set" },
    numbers: { type: "array", items: whole, "x-kubernetes-list-type": "set" },
    plain: { type: "array", items: { type: "object", properties: { a: text, b: { ...text, default: "d" } } } },
    rows: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: {
        type: "object",
        required: ["name"],
        properties: {
          name: text,
          value: { ...text, default: "none" },
          extra: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          ports: {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["port", "protocol"],
            items: {
              type: "object",
              required: ["port"],
              properties: { port: whole, protocol: { ...text, default: "TCP" }, note: text },
            },
          },
        },
      },
    },
    config: {
      type: "object",
      default: { level: 3 },
      properties: {
        level: { ...whole, default: 2 },
        debug: { type: "boolean" },
        inner: { type: "object", properties: { a: text, b: text } },
      },
    },
    frozen: {
      type: "object",
      "x-kubernetes-map-type": "atomic",
      properties: { a: text, b: text, list: { type: "array", items: text } },
    },
    named: { type: "object", additionalProperties: text },
    nested: {
      type: "object",
      additionalProperties: { type: "object", properties: { a: text, b: { ...whole, default: 5 } } },
    },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { known: text } },
    object: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
  },
};

const widgetStatus: JsonObject = {
  type: "object",
  properties: {
    replicas: whole,
    selector: text,
    phase: text,
    conditions: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["type"],
      items: { type: "object", required: ["type"], properties: { type: text, status: text, reason: text } },
    },
  },
};

const GROUP = "patches.example.com";

function definition(kind: string, versions: readonly JsonObject[]): JsonObject {
  const singular = kind.toLowerCase(), plural = `${singular}s`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${GROUP}` },
    spec: { group: GROUP, scope: "Namespaced", names: { plural, singular, kind, listKind: `${kind}List` }, versions },
  } as unknown as JsonObject;
}

const widgetVersion: JsonObject = {
  served: true,
  schema: { openAPIV3Schema: { type: "object", properties: { spec: widgetSpec, status: widgetStatus } } },
  subresources: {
    status: {},
    scale: {
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".status.selector",
    },
  },
};

/** What both servers are given first. */
export const DEFINITIONS: readonly JsonObject[] = [
  definition("Widget", [
    { name: "v1", storage: true, ...widgetVersion },
    { name: "v2", storage: false, ...widgetVersion },
  ]),
  definition("Blob", [{
    name: "v1",
    storage: true,
    served: true,
    schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
  }]),
];

const widgets: Subject = {
  collection: `/apis/${GROUP}/v1/namespaces/default/widgets`,
  kind: "Widget",
  apiVersions: [`${GROUP}/v1`, `${GROUP}/v2`],
  base: { spec: {} },
  parts: [
    ...metaParts,
    ...([
      { replicas: 2 },
      { replicas: 5, mode: "manual" },
      { replicas: -1 },
      { title: "one" },
      { title: null },
      { title: "much too long a title" },
      { count: 9007199254740993 },
      { count: 7, ratio: 0.5 },
      { ratio: 2 },
      { target: "50%" },
      { target: 3 },
      { mode: "wrong" },
      { tags: ["a", "b"] },
      { tags: ["b", "c"] },
      { tags: ["a", "a"] },
      { tags: [] },
      { numbers: [1, 2] },
      { numbers: [3] },
      { plain: [{ a: "1" }] },
      { plain: [{ a: "2", b: "x" }, { b: "y" }] },
      { plain: [] },
      { rows: [{ name: "r", value: "1" }] },
      { rows: [{ name: "s" }] },
      { rows: [{ name: "r", ports: [{ port: 1 }] }] },
      { rows: [{ name: "r", ports: [{ port: 1, protocol: "UDP", note: "n" }, { port: 2 }] }] },
      { rows: [{ name: "r", extra: { a: 1, b: [1, { c: null }] } }] },
      { rows: [{ name: "r", extra: { a: 2 } }] },
      { rows: [{ value: "no key" }] },
      { rows: [{ name: "s" }, { name: "s", value: "2" }] },
      { config: { debug: true } },
      { config: { level: 1, inner: { a: "1" } } },
      { config: { inner: { b: "2" } } },
      { config: {} },
      { frozen: { a: "1" } },
      { frozen: { b: "2", list: ["x"] } },
      { named: { x: "1" } },
      { named: { x: "2", y: "" } },
      { nested: { x: { a: "1" } } },
      { nested: { x: { b: 1 }, y: {} } },
      { free: { known: "k", other: 1 } },
      { free: { other: { deep: [1] }, more: null } },
      { free: { other: [] } },
      { object: { apiVersion: "v1", kind: "Pod", metadata: { name: "p", labels: { l: "1" } }, spec: { x: 1 } } },
      { object: { apiVersion: "v1", kind: "Pod", metadata: { name: "q" } } },
      { unknown: 1 },
      { config: { unknown: {} } },
    ] as JsonObject[]).map((spec) => ({ spec })),
  ],
  statusParts: [
    { status: { replicas: 2, selector: "a=b" } },
    { status: { phase: "On", conditions: [{ type: "Ready", status: "True" }] } },
    { status: { conditions: [{ type: "Ready", status: "False" }, { type: "Other", reason: "r" }] } },
    { status: { phase: "Off" } },
    { spec: { replicas: 9 }, metadata: { labels: { s: "1" } } },
  ],
  hasScale: true,
  custom: true,
};

const blobs: Subject = {
  collection: `/apis/${GROUP}/v1/namespaces/default/blobs`,
  kind: "Blob",
  apiVersions: [`${GROUP}/v1`],
  base: { data: { x: "1" } },
  parts: [
    ...metaParts,
    { data: { x: "2" } },
    { data: { y: [1, 2], z: { a: 1 } } },
    { data: { y: [2], z: { b: null } } },
    { data: { z: {} } },
    { list: [{ name: "a" }] },
    { list: [{ name: "a", value: 1.5 }, { name: "b" }] },
    { flag: true },
    { flag: false, data: {} },
    { status: { phase: "x" } },
    { list: "text" },
  ],
  statusParts: [],
  hasScale: false,
  custom: true,
};

export const SUBJECTS: Readonly<Record<string, Subject>> = { deployments, services, pods, widgets, blobs };
