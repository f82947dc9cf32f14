// Random requests: every kind and verb, paths, queries, headers and bodies that fit or nearly fit.
import { builtinSchema } from "../../src/machinery/schema/builtin.ts";
import type { Json, JsonObject } from "../../src/machinery/types.ts";
import { encoded } from "./bodies.ts";
import { CUSTOM_TYPES } from "./custom.ts";
import { broken, NAMES, objectOf } from "./objects.ts";
import type { Random } from "../support/random.ts";

/** A resource as discovery lists it. */
export interface Resource {
  group: string;
  version: string;
  resource: string;
  kind: string;
  namespaced: boolean;
  subresources: readonly { name: string; kind: string; group: string; version: string }[];
}

export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** The client leaves after so many milliseconds. */
  leaves?: number;
}

const NAMESPACES = ["default", "fuzz", "none"];
const PATCH_TYPES = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];
const ACCEPTS = [
  "*/*",
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "application/json;as=Table;g=meta.k8s.io;v=v1",
  "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
  "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
  "application/json;pretty=1",
  "text/html",
  "application/vnd.kubernetes.protobuf;stream=watch",
  "application/json;stream=watch",
  "application/cbor",
  "application/json;as=Table;g=meta.k8s.io;v=v1beta1, application/json",
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  "application/json;q=0.1, */*;q=0",
  ";;,",
  "a/b/c; q=x",
];
const HEADERS: readonly [string, string][] = [
  ["accept-encoding", "gzip"],
  ["accept-encoding", "br;q=1, gzip;q=0"],
  ["content-encoding", "gzip"],
  ["if-none-match", '"x"'],
  ["impersonate-user", "jane"],
  ["impersonate-user", ""],
  ["impersonate-group", "dev"],
  ["impersonate-extra-a%zz", "x"],
  ["authorization", "Bearer x"],
  ["authorization", "Basic eDp5"],
  ["audit-id", "x".repeat(300)],
  ["user-agent", "\u00fc\u00ff/1"],
  ["origin", "http://example.com"],
  ["range", "bytes=0-1"],
  ["expect", "100-continue"],
  ["x-remote-user", "admin"],
  ["x-forwarded-for", "1.2.3.4, x"],
  ["content-type", "application/json; charset=utf-16"],
  ["content-type", ";"],
  ["connection", "upgrade"],
];
const WATCHES = [
  "watch=true",
  "watch=1",
  "allowWatchBookmarks=true",
  "sendInitialEvents=true",
  "resourceVersionMatch=NotOlderThan",
  "resourceVersion=0",
  "resourceVersion=",
  "resourceVersion=1",
  "resourceVersion=99999",
  "labelSelector=app",
  "fieldSelector=metadata.name=a",
  "limit=1",
];
const QUERIES = [
  "dryRun=All",
  "dryRun=",
  "dryRun=x",
  "fieldManager=fuzz",
  "fieldManager=%0A",
  "fieldValidation=Strict",
  "fieldValidation=Ignore",
  "fieldValidation=x",
  "force=true",
  "pretty=true",
  "labelSelector=a%3Db,c",
  "labelSelector=a in (b",
  "fieldSelector=metadata.name%3Da",
  "fieldSelector=spec.x!%3D1",
  "limit=2",
  "limit=-1",
  "limit=",
  "continue=xyz",
  "resourceVersion=0",
  "resourceVersion=1",
  "resourceVersion=-1",
  "resourceVersion=99999999999999999999999",
  "resourceVersionMatch=Exact",
  "resourceVersionMatch=NotOlderThan",
  "sendInitialEvents=true",
  "timeoutSeconds=1",
  "timeoutSeconds=x",
  "propagationPolicy=Foreground",
  "propagationPolicy=x",
  "orphanDependents=true",
  "gracePeriodSeconds=0",
  "gracePeriodSeconds=-5",
  "container=a",
  "command=ls",
  "tailLines=-1",
  "includeObject=Object",
  "includeObject=x",
  "a=%zz",
  "a;b",
  "labelSelector=a notin (b,c),!d",
  "labelSelector=a>1,a<x",
  "labelSelector=%00",
  "fieldSelector=a%3Db%3Dc",
  "fieldSelector=metadata.namespace!%3Dx\\,y",
  "continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiL2EifQ",
  "shardSelector=x",
  "timeout=1ns",
  "timeout=1h",
  "ignoreStoreReadErrorWithClusterBreakingPotential=true",
  "%F0%9F%92%A9=%ff",
  `x=${"y".repeat(5000)}`,
];
const ODD_PATHS = [
  "/",
  "//",
  "/api",
  "/api/",
  "/api/v2/pods",
  "/apis/x/y/z",
  "/api/v1/namespaces//pods",
  "/api/v1/namespaces/default/pods/%2F",
  "/api/v1/namespaces/default/pods/%zz",
  "/api/v1/namespaces/default/pods/..",
  "/api/v1/watch/pods?timeoutSeconds=1",
  "/api/v1/proxy/pods",
  "/api/v1/nodes/a/proxy/x",
  "/api/v1/namespaces/default/services/http:a:80/proxy/",
  "/openapi/v2",
  "/openapi/v3/apis/apps/v1?hash=x",
  "/healthz/x",
  "/metrics",
  "/version/x",
  "/logs",
  "/api/v1/namespaces/default/pods/%2e%2e",
  "/api/v1/namespaces/%2E%2E/pods",
  "/api/v1/namespaces/default/../kube-system/pods",
  "/api/v1/namespaces/default/pods/%00",
  "/api/v1/namespaces/default/configmaps/%ff",
  "/api/v1/namespaces/default/configmaps/a%20b",
  "/apis/%61pps/v1/deployments",
  `/api/v1/namespaces/${"n".repeat(3000)}/pods`,
  "/api/v1/namespaces/default/pods/a/log/x",
  "/api/v1/watch/namespaces/default/pods/a?timeoutSeconds=1",
  "/openapi/v2?timeout=0s",
  "/.well-known/openid-configuration",
  "/openid/v1/jwks",
  "/debug/pprof/heap",
  "/livez?verbose&exclude=ping",
  "/readyz/etcd",
  "/apis/apiregistration.k8s.io/v1/apiservices/v1.apps/status",
];

export class RequestMaker {
  constructor(readonly resources: readonly Resource[], readonly random: Random) {}

  next(): FuzzRequest {
    const { random } = this;
    if (random.chance(0.03)) return this.#finish({ method: this.#method(), path: random.of(ODD_PATHS), headers: {} });
    const resource = random.of(this.resources);
    const name = random.of(NAMES);
    const roll = random.next();
    if (roll < 0.35) return this.#create(resource);
    if (roll < 0.5) return this.#put(resource, name);
    if (roll < 0.7) return this.#patch(resource, name);
    if (roll < 0.78) return this.#delete(resource, name);
    if (roll < 0.84) return this.#watch(resource, name);
    return this.#read(resource, name);
  }

  #collection({ group, version, resource, namespaced }: Resource): string {
    const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const inside = namespaced !== this.random.chance(0.02);
    return `${root}/${inside ? `namespaces/${this.random.of(NAMESPACES)}/` : ""}${resource}`;
  }

  #item(resource: Resource, name: string): string {
    return `${this.#collection(resource)}/${name}`;
  }

  #method(): string {
    return this.random.of(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);
  }

  #object({ group, version, kind }: Pick<Resource, "group" | "version" | "kind">, name: string): JsonObject {
    const type = builtinSchema().typeOfKind({ group, version, kind }) ?? CUSTOM_TYPES.get(kind);
    if (type === undefined) return { metadata: { name } };
    const object = objectOf(type, this.random) as JsonObject;
    const metadata = this.random.chance(0.1) ? object.metadata as JsonObject : {};
    const apiVersion = group === "" ? version : `${group}/${version}`;
    return { ...object, kind, apiVersion, metadata: { ...metadata, name } };
  }

  #create(resource: Resource): FuzzRequest {
    const { random } = this, name = random.of(NAMES);
    const sub = random.chance(0.1) && resource.subresources.length > 0 ? random.of(resource.subresources) : undefined;
    const path = sub ? `${this.#item(resource, name)}/${sub.name}` : this.#collection(resource);
    return this.#finish({ method: "POST", path, ...this.#body(this.#object(sub ?? resource, name)) });
  }

  #put(resource: Resource, name: string): FuzzRequest {
    const { path, target } = this.#target(resource, name);
    return this.#finish({ method: "PUT", path, ...this.#body(this.#object(target, name)) });
  }

  /** The object itself or, now and then, a subresource of it. */
  #target(resource: Resource, name: string) {
    const { random } = this;
    if (resource.subresources.length === 0 || random.chance(0.6)) {
      return { path: this.#item(resource, name), target: resource };
    }
    const target = random.of(resource.subresources);
    return { path: `${this.#item(resource, name)}/${target.name}`, target };
  }

  #patch(resource: Resource, name: string): FuzzRequest {
    const { random } = this, { path, target } = this.#target(resource, name);
    const type = random.of(PATCH_TYPES);
    const object = broken(this.#object(target, name), random);
    const body: Json = type === PATCH_TYPES[0]
      ? this.#operations(object)
      : random.chance(0.2)
      ? withDirectives(object)
      : object;
    return this.#finish({ method: "PATCH", path, headers: { "content-type": type }, body: JSON.stringify(body) });
  }

  #operations(object: JsonObject): Json[] {
    const { random } = this;
    const paths = [
      "",
      "/",
      "/spec",
      "/metadata/labels/a",
      "/metadata/name",
      "/spec/x/-",
      "/data/a",
      "/spec/0",
      "a",
      "/~",
    ];
    return Array.from({ length: random.below(4) }, () => ({
      op: random.of(["add", "remove", "replace", "test", "move", "copy", "x"]),
      path: random.of(paths),
      from: random.of(paths),
      value: random.of<Json>([null, 1, "a", {}, [], object]),
    }));
  }

  #delete(resource: Resource, name: string): FuzzRequest {
    const { random } = this;
    const path = random.chance(0.2) ? this.#collection(resource) : this.#item(resource, name);
    if (random.chance(0.7)) return this.#finish({ method: "DELETE", path, headers: {} });
    const options = { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: random.of([0, 1, -1]) };
    const preconditions = random.of<Json>([{}, { uid: "x" }, { resourceVersion: "1" }, null, "x"]);
    return this.#finish({ method: "DELETE", path, ...this.#body({ ...options, preconditions }) });
  }

  #watch(resource: Resource, name: string): FuzzRequest {
    const { random } = this, { group, version } = resource;
    const terms = Array.from({ length: 1 + random.below(4) }, () => random.of(WATCHES));
    const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const path = random.chance(0.8) ? this.#collection(resource) : `${root}/watch/${resource.resource}/${name}`;
    const query = ["watch=true", "timeoutSeconds=1", ...terms].join("&");
    return { ...this.#finish({ method: "GET", path: `${path}?${query}`, headers: {} }), leaves: random.below(400) };
  }

  #read(resource: Resource, name: string): FuzzRequest {
    const { random } = this;
    const path = random.chance(0.5) ? this.#collection(resource) : this.#target(resource, name).path;
    return this.#finish({ method: random.chance(0.95) ? "GET" : this.#method(), path, headers: {} });
  }

  #body(object: JsonObject): Pick<FuzzRequest, "headers" | "body"> {
    const { random } = this;
    return encoded(random.chance(0.6) ? broken(object, random) : object, random);
  }

  #finish(request: FuzzRequest): FuzzRequest {
    const { random } = this;
    const queries = Array.from({ length: random.chance(0.3) ? 1 + random.below(3) : 0 }, () => random.of(QUERIES));
    const query = queries.length > 0 ? `${request.path.includes("?") ? "&" : "?"}${queries.join("&")}` : "";
    const accept: Record<string, string> = random.chance(0.3) ? { accept: random.of(ACCEPTS) } : {};
    const odd = random.chance(0.06) ? Object.fromEntries([random.of(HEADERS)]) : {};
    const leaves = random.chance(0.02) ? random.below(20) : request.leaves;
    return { ...request, path: request.path + query, headers: { ...request.headers, ...accept, ...odd }, leaves };
  }
}

/** Puts directives of strategic merge into a patch. */
function withDirectives(object: JsonObject): JsonObject {
  const spec = (typeof object.spec === "object" && object.spec !== null ? object.spec : {}) as JsonObject;
  return {
    ...object,
    spec: {
      ...spec,
      $retainKeys: ["containers", 1],
      "$setElementOrder/containers": [{ name: "a" }, {}],
      "$deleteFromPrimitiveList/finalizers": "x",
      containers: [{ $patch: "delete" }, { name: "a", $patch: "replace" }, null],
    },
  };
}
