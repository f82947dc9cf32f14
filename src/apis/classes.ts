// Small kinds of several groups with defaults or columns of their own.
import type { KubeObject } from "../machinery/types.ts";
import { AGE, boolean, firstOf, integer, NAME, text } from "./columns.ts";
import type {
  APIService,
  EndpointSlice,
  FlowSchema,
  MutatingWebhookConfiguration,
  PriorityClass,
  PriorityLevelConfiguration,
  RuntimeClass,
  ValidatingWebhookConfiguration,
} from "./generated/types.ts";
import type { KindDefinition } from "./kind.ts";

export const priorityClass: KindDefinition<KubeObject & PriorityClass> = {
  gvk: { group: "scheduling.k8s.io", version: "v1", kind: "PriorityClass" },
  resource: "priorityclasses",
  generation: true,
  setDefaults(object) {
    object.preemptionPolicy ??= "PreemptLowerPriority";
  },
  columns: [
    NAME,
    integer("Value", "The priority.", (o) => o.value ?? 0),
    boolean("Global-Default", "Whether pods without a class get it.", (o) => o.globalDefault ?? false),
    AGE,
    text("PreemptionPolicy", "Whether its pods drive others out.", (o) => o.preemptionPolicy ?? ""),
  ],
};

export const runtimeClass: KindDefinition<KubeObject & RuntimeClass> = {
  gvk: { group: "node.k8s.io", version: "v1", kind: "RuntimeClass" },
  resource: "runtimeclasses",
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  columns: [NAME, text("Handler", "The runtime's name on the nodes.", (o) => o.handler ?? ""), AGE],
};

type SliceObject = KubeObject & EndpointSlice;

export const endpointSlice: KindDefinition<SliceObject> = {
  gvk: { group: "discovery.k8s.io", version: "v1", kind: "EndpointSlice" },
  resource: "endpointslices",
  generation: true,
  setDefaults(object) {
    for (const port of object.ports ?? []) {
      port.name ??= "";
      port.protocol ??= "TCP";
    }
  },
  columns: [
    NAME,
    text("AddressType", "Family of the addresses.", (o) => o.addressType ?? ""),
    text("Ports", "Ports.", (o) => {
      const ports = (o.ports ?? []).map((p) => p.port !== undefined ? String(p.port) : "*");
      return firstOf(ports, 3) || "<unset>";
    }),
    text(
      "Endpoints",
      "Addresses.",
      (o) => firstOf((o.endpoints ?? []).flatMap((e) => e.addresses ?? []), 3) || "<unset>",
    ),
    AGE,
  ],
};

type Webhooks = { webhooks?: { name?: string }[] };

interface WebhookDefaults {
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: unknown;
  objectSelector?: unknown;
  timeoutSeconds?: number;
  reinvocationPolicy?: string;
  clientConfig?: { service?: { port?: number } };
  rules?: { scope?: string }[];
}

function defaultWebhook(webhook: WebhookDefaults, mutating: boolean): void {
  webhook.failurePolicy ??= "Fail";
  webhook.matchPolicy ??= "Equivalent";
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  if (mutating) webhook.reinvocationPolicy ??= "Never";
  if (webhook.clientConfig?.service) webhook.clientConfig.service.port ??= 443;
  for (const rule of webhook.rules ?? []) rule.scope ??= "*";
}

const WEBHOOK_COLUMNS = [
  NAME,
  integer<KubeObject & Webhooks>("Webhooks", "Number of webhooks.", (o) => o.webhooks?.length ?? 0),
  AGE,
];

export const mutatingWebhookConfiguration: KindDefinition<KubeObject & MutatingWebhookConfiguration> = {
  gvk: { group: "admissionregistration.k8s.io", version: "v1", kind: "MutatingWebhookConfiguration" },
  resource: "mutatingwebhookconfigurations",
  generation: true,
  allowUnconditionalUpdate: false,
  setDefaults: (object) => object.webhooks?.forEach((w) => defaultWebhook(w, true)),
  columns: WEBHOOK_COLUMNS,
};

export const validatingWebhookConfiguration: KindDefinition<KubeObject & ValidatingWebhookConfiguration> = {
  gvk: { group: "admissionregistration.k8s.io", version: "v1", kind: "ValidatingWebhookConfiguration" },
  resource: "validatingwebhookconfigurations",
  generation: true,
  allowUnconditionalUpdate: false,
  setDefaults: (object) => object.webhooks?.forEach((w) => defaultWebhook(w, false)),
  columns: WEBHOOK_COLUMNS,
};

type SchemaObject = KubeObject & FlowSchema;

export const flowSchema: KindDefinition<SchemaObject> = {
  gvk: { group: "flowcontrol.apiserver.k8s.io", version: "v1", kind: "FlowSchema" },
  resource: "flowschemas",
  generation: true,
  setDefaults(object) {
    if (object.spec) object.spec.matchingPrecedence ||= 1000;
  },
  columns: [
    NAME,
    text("PriorityLevel", "The level of its requests.", (o) => o.spec?.priorityLevelConfiguration?.name ?? ""),
    text("MatchingPrecedence", "Lower ones match first.", (o) => o.spec?.matchingPrecedence ?? 0),
    text("DistinguisherMethod", "How flows are told apart.", (o) => o.spec?.distinguisherMethod?.type ?? "<none>"),
    AGE,
    text(
      "MissingPL",
      "Whether the level does not exist.",
      (o) => o.status?.conditions?.find((c) => c.type === "Dangling")?.status ?? "?",
    ),
  ],
};

type LevelObject = KubeObject & PriorityLevelConfiguration;

export const priorityLevelConfiguration: KindDefinition<LevelObject> = {
  gvk: { group: "flowcontrol.apiserver.k8s.io", version: "v1", kind: "PriorityLevelConfiguration" },
  resource: "prioritylevelconfigurations",
  generation: true,
  setDefaults({ spec }) {
    if (spec?.exempt) {
      spec.exempt.nominalConcurrencyShares ??= 0;
      spec.exempt.lendablePercent ??= 0;
    }
    if (!spec?.limited) return;
    spec.limited.nominalConcurrencyShares ??= 30;
    spec.limited.lendablePercent ??= 0;
    const queuing = spec.limited.limitResponse?.queuing;
    if (!queuing) return;
    queuing.handSize ||= 8;
    queuing.queues ||= 64;
    queuing.queueLengthLimit ||= 50;
  },
  columns: [
    NAME,
    text("Type", "Whether requests are limited.", (o) => o.spec?.type ?? ""),
    text(
      "NominalConcurrencyShares",
      "Its share of the server.",
      (o) => o.spec?.limited?.nominalConcurrencyShares ?? o.spec?.exempt?.nominalConcurrencyShares ?? "<none>",
    ),
    text("Queues", "Number of queues.", (o) => o.spec?.limited?.limitResponse?.queuing?.queues ?? "<none>"),
    text(
      "HandSize",
      "Queues that a flow may use.",
      (o) => o.spec?.limited?.limitResponse?.queuing?.handSize ?? "<none>",
    ),
    text(
      "QueueLengthLimit",
      "Longest queue.",
      (o) => o.spec?.limited?.limitResponse?.queuing?.queueLengthLimit ?? "<none>",
    ),
    AGE,
  ],
};

export const apiService: KindDefinition<KubeObject & APIService> = {
  gvk: { group: "apiregistration.k8s.io", version: "v1", kind: "APIService" },
  resource: "apiservices",
  setDefaults({ spec }) {
    if (spec?.service) spec.service.port ??= 443;
  },
  columns: [
    NAME,
    text(
      "Service",
      "Who serves it.",
      (o) => o.spec?.service ? `${o.spec.service.namespace}/${o.spec.service.name}` : "Local",
    ),
    text("Available", "Whether it is served.", (o) => {
      const condition = o.status?.conditions?.find((c) => c.type === "Available");
      if (!condition) return "Unknown";
      return condition.status === "False" && condition.reason
        ? `False (${condition.reason})`
        : condition.status ?? "Unknown";
    }),
    AGE,
  ],
};
