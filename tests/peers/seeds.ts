// A small object of every kind that a server takes: what is to be compared is put into it.

type Seed = Record<string, unknown>;

const container = { name: "c", image: "example.com/c:1" };
const template = { metadata: { labels: { app: "x" } }, spec: { containers: [container] } };
const selector = { matchLabels: { app: "x" } };
const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const device = { name: "d", exactly: { deviceClassName: "gpu" } };
const policy = {
  matchConstraints: {
    resourceRules: [{ operations: ["CREATE"], apiGroups: ["x"], apiVersions: ["v1"], resources: ["x"] }],
  },
};
const webhook = {
  name: "check.hooks.example.com",
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  clientConfig: { service: { namespace: "default", name: "hook" } },
  rules: [{ operations: ["CREATE"], apiGroups: ["nobody.example.com"], apiVersions: ["v1"], resources: ["things"] }],
};

/** Of CN=x, in PEM. */
const certificateRequest = [
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIRk1HNENBUUF3RERFS01BZ0dBMVVFQXd3QmVEQlpNQk1HQnlx",
  "R1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCSDZyR1ppR0RxL0JYZnRNc0o5eGN5ZVRTdG1oak43QzMxNmJveEV3TU9qb3FPajM1",
  "SGtLVm1qMjZFdlpyRkYzCndaQ3dkZlBUeEhSeHhieVNRcTAzTEFhZ0FEQUtCZ2dxaGtqT1BRUURBZ05IQURCRUFpQWdzMjZnRGVj",
  "dTFMcUsKL1NZSlppMytXUk5jRmZ2d3pLWlIxNHI4S0owaWZnSWdOMWJVVU4rcjQxUVJpVGlsTlRkNmtxa1FEdHNkblV6RApkOWQx",
  "OW01WWFhYz0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==",
].join("");

/** `resource.group` → everything but kind, apiVersion and metadata.name; metadata where it needs more. */
export const SEEDS: Readonly<Record<string, Seed>> = {
  configmaps: { data: { a: "1" } },
  endpoints: { subsets: [{ addresses: [{ ip: "192.0.2.1" }], ports: [{ port: 80 }] }] },
  events: { involvedObject: { kind: "Pod", name: "p", namespace: "default" }, reason: "Because", message: "it is so" },
  "events.events.k8s.io": {
    eventTime: "2024-01-02T03:04:05.000006Z",
    reportingController: "example.com/c",
    reportingInstance: "c-1",
    action: "Look",
    reason: "Because",
    type: "Normal",
    regarding: { kind: "Pod", name: "p", namespace: "default" },
  },
  limitranges: { spec: { limits: [{ type: "Container", max: { cpu: "2" }, min: { cpu: "1" } }] } },
  namespaces: {},
  nodes: { spec: { providerID: "x" }, status: { capacity: { cpu: "1" } } },
  persistentvolumeclaims: { spec: claim },
  persistentvolumes: {
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      csi: { driver: "d.example.com", volumeHandle: "h" },
    },
  },
  pods: { spec: template.spec },
  podtemplates: { template },
  replicationcontrollers: { spec: { selector: { app: "x" }, template } },
  resourcequotas: { spec: { hard: { pods: "3" } } },
  secrets: { data: { a: "eA==" } },
  serviceaccounts: {},
  services: { spec: { ports: [{ port: 80 }] } },
  "apiservices.apiregistration.k8s.io": {
    metadata: { name: "v1.parity.example.com" },
    spec: {
      group: "parity.example.com",
      version: "v1",
      groupPriorityMinimum: 100,
      versionPriority: 10,
      service: { namespace: "default", name: "nobody" },
    },
  },
  "customresourcedefinitions.apiextensions.k8s.io": {
    metadata: { name: "parities.parity.example.com" },
    spec: {
      group: "parity.example.com",
      scope: "Namespaced",
      names: { plural: "parities", kind: "Parity" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  },
  "certificatesigningrequests.certificates.k8s.io": {
    spec: { request: certificateRequest, signerName: "example.com/signer", usages: ["client auth"] },
  },
  "controllerrevisions.apps": { revision: 1, data: { a: 1 } },
  "daemonsets.apps": { spec: { selector, template } },
  "deployments.apps": { spec: { selector, template } },
  "replicasets.apps": { spec: { selector, template } },
  "statefulsets.apps": { spec: { selector, template, serviceName: "x" } },
  "horizontalpodautoscalers.autoscaling": {
    spec: { scaleTargetRef: { kind: "Deployment", name: "x", apiVersion: "apps/v1" }, maxReplicas: 3 },
  },
  "cronjobs.batch": {
    spec: {
      schedule: "* * * * *",
      jobTemplate: { spec: { template: { spec: { containers: [container], restartPolicy: "Never" } } } },
    },
  },
  "jobs.batch": { spec: { template: { spec: { containers: [container], restartPolicy: "Never" } } } },
  "ingressclasses.networking.k8s.io": { spec: { controller: "example.com/c" } },
  "ingresses.networking.k8s.io": {
    spec: {
      rules: [{
        host: "a.example.com",
        http: { paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } }] },
      }],
    },
  },
  "ipaddresses.networking.k8s.io": {
    metadata: { name: "198.51.100.7" },
    spec: { parentRef: { resource: "services", namespace: "default", name: "s" } },
  },
  "networkpolicies.networking.k8s.io": {
    spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }], from: [{ podSelector: {} }] }] },
  },
  "servicecidrs.networking.k8s.io": { spec: { cidrs: ["10.77.0.0/24"] } },
  "poddisruptionbudgets.policy": { spec: { minAvailable: 1, selector } },
  "clusterrolebindings.rbac.authorization.k8s.io": {
    roleRef: { kind: "ClusterRole", name: "x", apiGroup: "rbac.authorization.k8s.io" },
    subjects: [{ kind: "User", name: "u" }],
  },
  "clusterroles.rbac.authorization.k8s.io": { rules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }] },
  "rolebindings.rbac.authorization.k8s.io": {
    roleRef: { kind: "Role", name: "x", apiGroup: "rbac.authorization.k8s.io" },
    subjects: [{ kind: "User", name: "u" }],
  },
  "roles.rbac.authorization.k8s.io": { rules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }] },
  "csidrivers.storage.k8s.io": { spec: { attachRequired: true } },
  "csinodes.storage.k8s.io": { spec: { drivers: [{ name: "d.example.com", nodeID: "n", topologyKeys: ["zone"] }] } },
  "csistoragecapacities.storage.k8s.io": { storageClassName: "x", capacity: "1Gi" },
  "storageclasses.storage.k8s.io": { provisioner: "p.example.com" },
  "volumeattachments.storage.k8s.io": {
    spec: { attacher: "d.example.com", nodeName: "n", source: { persistentVolumeName: "v" } },
  },
  "volumeattributesclasses.storage.k8s.io": { driverName: "d.example.com", parameters: { a: "1" } },
  "mutatingadmissionpolicies.admissionregistration.k8s.io": {
    spec: {
      ...policy,
      reinvocationPolicy: "Never",
      mutations: [{
        patchType: "JSONPatch",
        jsonPatch: { expression: `[JSONPatch{op: "test", path: "/spec", value: "x"}]` },
      }],
    },
  },
  "mutatingadmissionpolicybindings.admissionregistration.k8s.io": { spec: { policyName: "x" } },
  "mutatingwebhookconfigurations.admissionregistration.k8s.io": { webhooks: [webhook] },
  "validatingadmissionpolicies.admissionregistration.k8s.io": {
    spec: { ...policy, validations: [{ expression: "true" }] },
  },
  "validatingadmissionpolicybindings.admissionregistration.k8s.io": {
    spec: { policyName: "x", validationActions: ["Deny"] },
  },
  "validatingwebhookconfigurations.admissionregistration.k8s.io": { webhooks: [webhook] },
  "priorityclasses.scheduling.k8s.io": { value: 10 },
  "leases.coordination.k8s.io": { spec: { holderIdentity: "x", leaseDurationSeconds: 15 } },
  "runtimeclasses.node.k8s.io": { handler: "x" },
  "endpointslices.discovery.k8s.io": {
    addressType: "IPv4",
    endpoints: [{ addresses: ["192.0.2.1"] }],
    ports: [{ port: 80 }],
  },
  "deviceclasses.resource.k8s.io": { spec: {} },
  "resourceclaims.resource.k8s.io": { spec: { devices: { requests: [device] } } },
  "resourceclaimtemplates.resource.k8s.io": { spec: { spec: { devices: { requests: [device] } } } },
  "resourceslices.resource.k8s.io": {
    spec: {
      driver: "d.example.com",
      pool: { name: "p", resourceSliceCount: 1, generation: 1 },
      nodeName: "n",
      devices: [{ name: "d" }],
    },
  },
  "flowschemas.flowcontrol.apiserver.k8s.io": {
    spec: {
      priorityLevelConfiguration: { name: "workload-low" },
      matchingPrecedence: 9000,
      rules: [{
        subjects: [{ kind: "User", user: { name: "nobody" } }],
        nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }],
      }],
    },
  },
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": {
    spec: {
      type: "Limited",
      limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Queue", queuing: { queues: 8, handSize: 2 } } },
    },
  },
};
