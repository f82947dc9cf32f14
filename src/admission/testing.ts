// Requests and objects to try plugins with: for tests only.
import { builtinSchema } from "../machinery/schema/builtin.ts";
import { decode } from "../machinery/codec/decode.ts";
import { apiVersionOf, type GroupVersionKind, type KubeObject, parseApiVersion } from "../machinery/types.ts";
import type { AdmissionAttributes, AdmissionKind } from "./interface.ts";
import type { PluginContext } from "./plugins/context.ts";
import type { ObjectLookup } from "./plugins/lookup.ts";

/** A kind whose versions differ in name only. */
function admissionKind(gvk: GroupVersionKind): AdmissionKind {
  const retyped = (object: KubeObject) => ({ ...object, kind: gvk.kind, apiVersion: apiVersionOf(gvk) });
  return {
    gvk,
    type: builtinSchema().typeOfKind(gvk)!,
    custom: false,
    decode: (value) => decode(builtinSchema().typeOfKind(gvk)!, value, {}).object,
    setDefaults() {},
    toStored: (object) => object,
    fromStored: retyped,
    inVersion: (apiVersion) => admissionKind({ ...parseApiVersion(apiVersion)!, kind: gvk.kind }),
  };
}

/** What was said to the client and to the audit log. */
export interface Told {
  warnings: string[];
  annotations: Record<string, string>;
}

/** A request of user `u` about `object`, which is a Pod called `p` in namespace `n` unless it is given. */
export function requestOf(
  given: Partial<Omit<AdmissionAttributes, "object">> & { object?: Record<string, unknown> } = {},
): AdmissionAttributes & { told: Told } {
  const told: Told = { warnings: [], annotations: {} };
  const kind = given.kind ?? { group: "", version: "v1", kind: "Pod" };
  const { metadata, ...members } = (given.object ?? {}) as Partial<KubeObject>;
  const object = {
    kind: kind.kind,
    apiVersion: apiVersionOf(kind),
    metadata: { name: "p", namespace: "n", ...metadata },
    ...kind.kind === "Pod" ? { spec: {} } : {},
    ...members,
  };
  return {
    operation: "CREATE",
    kind,
    served: admissionKind(kind),
    resource: { group: "", version: "v1", resource: "pods" },
    subresource: "",
    namespace: object.metadata.namespace ?? "",
    name: object.metadata.name ?? "",
    oldObject: undefined,
    options: {},
    dryRun: false,
    user: { name: "u", uid: "", groups: [], extra: {} },
    addWarning: (text) => void told.warnings.push(text),
    addAuditAnnotation: (key, value) => void (told.annotations[key] = value),
    signal: new AbortController().signal,
    reinvocation: { isReinvoke: false, shouldReinvoke: false, memory: new Map() },
    ...given,
    object: given.operation === "DELETE" ? undefined : object,
    told,
  };
}

/** Finds what is given, by the name of the resource. */
export function lookupOf(objects: Readonly<Record<string, readonly Partial<KubeObject>[]>>): ObjectLookup {
  const list = (resource: string, namespace = "") =>
    (objects[resource] ?? []).filter((o) => namespace === "" || o.metadata?.namespace === namespace) as KubeObject[];
  return {
    get: (_group, resource, name, namespace = "") =>
      list(resource, namespace).find((object) => object.metadata.name === name),
    list: (_group, resource, namespace) => Promise.resolve(list(resource, namespace)),
  };
}

/** A context in which everything is allowed and nothing else exists. */
export function contextOf(given: Partial<PluginContext> = {}): PluginContext {
  return {
    lookup: lookupOf({}),
    client: {
      create: () => Promise.resolve(undefined),
      update: (_path, object) => Promise.resolve(object as KubeObject),
    },
    authorizer: { authorize: () => ({ decision: "allow", reason: "" }) },
    resourcesOf: () => [],
    equivalentsOf: () => [],
    resolveService: ({ name }) => Promise.reject(new Error(`service "${name}" not found`)),
    metrics: { add() {}, observe() {} },
    follow: () => Promise.resolve(),
    readerOf: () => undefined,
    features: { enabled: () => true },
    tolerationSeconds: { notReady: 300, unreachable: 300 },
    configuration: undefined,
    ...given,
  };
}
