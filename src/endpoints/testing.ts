// A whole request against the verbs, without a server: for tests only.
import { Hono } from "hono";
import type { AdmissionChain } from "../admission/interface.ts";
import { builtinSchema } from "../machinery/schema/builtin.ts";
import type { GroupVersionKind, KubeObject } from "../machinery/types.ts";
import { createMetrics } from "../metrics/mod.ts";
import type { ResourceStorage } from "../registry/rest.ts";
import type { Item } from "../storage/interface.ts";
import type { EndpointDependencies } from "./dependencies.ts";
import type { Env } from "./env.ts";
import { parseRequestInfo } from "./request_info.ts";
import { RequestUrl } from "./request_url.ts";
import type { ResourceProvider, ServedKind, ServedResource } from "../registry/resource.ts";
import { handleResourceRequest } from "./handler.ts";
import { RequestMeasures } from "./measures.ts";

/** A built-in kind that is stored as it is served. */
export function servedKind(gvk: GroupVersionKind, overrides: Partial<ServedKind> = {}): ServedKind {
  return {
    gvk,
    storedGvk: gvk,
    type: builtinSchema().typeOfKind(gvk)!,
    custom: false,
    setDefaults: () => {},
    toStored: (object) => object,
    fromStored: (object) => object,
    ...overrides,
  };
}

export const CONFIG_MAP: GroupVersionKind = { group: "", version: "v1", kind: "ConfigMap" };

const ALL_VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/** `/api/v1/namespaces/NS/configmaps` in front of a storage. */
export function configMaps(
  storage: Omit<ResourceStorage, "kind">,
  overrides: Partial<ServedResource> = {},
): ServedResource {
  return {
    group: "",
    version: "v1",
    resource: "configmaps",
    singular: "configmap",
    namespaced: true,
    shortNames: ["cm"],
    categories: [],
    verbs: ALL_VERBS,
    kind: servedKind(CONFIG_MAP),
    storage: { kind: CONFIG_MAP, ...storage },
    subresources: new Map(),
    selectableFields: ["metadata.name", "metadata.namespace"],
    ...overrides,
  };
}

export function providerOf(...resources: ServedResource[]): ResourceProvider {
  return {
    lookup: (group, version, resource) =>
      resources.find((r) => r.group === group && r.version === version && r.resource === resource),
    all: () => resources,
  };
}

/** A stored object with its ready JSON. */
export function itemOf(object: KubeObject, revision = 1): Item {
  const text = JSON.stringify(object);
  return {
    key: `/registry/${object.metadata.name}`,
    revision,
    text,
    bodyStart: text.indexOf('"metadata"'),
    labels: object.metadata.labels ?? {},
    fields: {},
    object: () => JSON.parse(text),
    withRevision: (revision) => itemOf(object, revision),
  };
}

const NO_ADMISSION: AdmissionChain = {
  handles: () => false,
  admit: () => {},
  validate: () => {},
  commit: () => {},
};

/** Everything allowed, nothing admitted. */
export function dependencies(overrides: Partial<EndpointDependencies> = {}): EndpointDependencies {
  const { metrics = createMetrics() } = overrides;
  return {
    admission: NO_ADMISSION,
    authorizer: { authorize: () => ({ decision: "allow", reason: "" }) },
    metrics,
    measures: new RequestMeasures(metrics),
    maxBodyBytes: 1024,
    minRequestTimeoutSeconds: 1800,
    ...overrides,
  };
}

/** Sends a request as `admin`; `warnings` holds what would become Warning headers. */
export async function send(
  provider: ResourceProvider,
  path: string,
  init: RequestInit = {},
  deps: EndpointDependencies = dependencies(),
): Promise<Response & { warnings: string[] }> {
  const app = new Hono<Env>();
  const warnings: string[] = [];
  app.all("*", async (c) => {
    const url = new RequestUrl(new URL(c.req.url).pathname + new URL(c.req.url).search);
    c.set("url", url);
    c.set("requestInfo", parseRequestInfo(c.req.method, url));
    c.set("receivedAt", performance.now());
    c.set("warnings", warnings);
    c.set("signal", c.req.raw.signal);
    c.set("user", { name: "admin", uid: "", groups: [], extra: {} });
    c.set("auditAnnotations", new Map());
    return await handleResourceRequest(c, provider, deps) ?? c.text("404 page not found\n", 404);
  });
  return Object.assign(await app.request(path, init), { warnings });
}
