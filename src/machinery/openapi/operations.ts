// The operations that are published: what can be done at which path, in no version of OpenAPI yet.
import { apiVersionOf, type GroupVersion, type GroupVersionKind } from "../types.ts";
import { OF_ACTION, OF_CUSTOM_ACTION, OF_SUBRESOURCE, type Parameter, pathParameters } from "./parameters.ts";

/** A resource as it is published: a row of the table of built-in resources, or one made of a CustomResourceDefinition. */
export interface PublishedResource extends GroupVersion {
  /** The plural of the path. */
  resource: string;
  kind: string;
  namespaced: boolean;
  verbs: readonly string[];
  subresources: readonly {
    name: string;
    responseKind: GroupVersionKind;
    verbs: readonly string[];
    /** The name of its schema where that is not the one of its kind. */
    schema?: string;
  }[];
  /** A custom resource: no protobuf and no strategic merge. */
  custom?: boolean;
}

/** What an answer or a body holds: the schema of that name, or text. */
export type Content = { schema: string } | "text";

export interface Operation {
  path: string;
  method: "get" | "put" | "post" | "delete" | "options" | "head" | "patch";
  operationId: string;
  tag: string;
  /** Undefined where no resource is concerned. */
  action?: string;
  gvk?: GroupVersionKind;
  parameters: readonly Parameter[];
  body?: { schema: string; required: boolean };
  /** Media types of bodies: v2 names them everywhere. */
  consumes: readonly string[];
  produces: readonly string[];
  /** By status code, without 401, which every operation has. */
  responses: Readonly<Record<string, Content>>;
}

/** Where the schemas of kinds are found. */
export type SchemaOfKind = (gvk: GroupVersionKind) => string;

const META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
const STATUS: Content = { schema: `${META}Status` };
const JSON_TYPE = "application/json", YAML_TYPE = "application/yaml", PROTOBUF = "application/vnd.kubernetes.protobuf";
const TYPES: readonly string[] = [JSON_TYPE, YAML_TYPE, PROTOBUF];
const STREAMS: readonly string[] = [`${JSON_TYPE};stream=watch`, `${PROTOBUF};stream=watch`];
const ANY: readonly string[] = ["*/*"];
const PATCHES: readonly string[] = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];

/** Kinds whose deletion is answered with the object. */
const ANSWERED_WITH_OBJECT: readonly string[] = [
  ...["pods", "podtemplates", "persistentvolumeclaims", "persistentvolumes", "resourcequotas", "serviceaccounts"],
  ...["services", "storageclasses", "volumeattachments", "csidrivers", "csinodes"],
  ...["volumeattributesclasses", "resourceclaims", "resourceclaimtemplates", "resourceslices", "deviceclasses"],
];

/** `rbac.authorization.k8s.io` → `rbacAuthorization`; the core group is `core`. */
function groupWord(group: string): string {
  if (group === "") return "core";
  const [first, ...rest] = group.replace(/\.k8s\.io$/, "").split(".");
  return first + rest.map(capital).join("");
}

function capital(word: string): string {
  return word === "" ? "" : word[0].toUpperCase() + word.slice(1);
}

/** The path of a group version: `/api/v1`, `/apis/apps/v1`. */
export function rootOf(gv: GroupVersion): string {
  return gv.group === "" ? `/api/${gv.version}` : `/apis/${apiVersionOf(gv)}`;
}

/** Everything that can be done with one resource. */
export function operationsOf(resource: PublishedResource, schemaOf: SchemaOfKind): Operation[] {
  const builder = new Builder(resource, schemaOf);
  builder.collection();
  builder.single();
  for (const subresource of resource.subresources) builder.subresource(subresource);
  return builder.operations;
}

const METHODS: Readonly<Record<string, readonly [method: Operation["method"], action: string, word: string]>> = {
  get: ["get", "get", "read"],
  list: ["get", "list", "list"],
  create: ["post", "post", "create"],
  update: ["put", "put", "replace"],
  patch: ["patch", "patch", "patch"],
  delete: ["delete", "delete", "delete"],
  deletecollection: ["delete", "deletecollection", "delete"],
};

class Builder {
  readonly operations: Operation[] = [];
  readonly #root: string;
  readonly #scope: string;
  readonly #idPrefix: string;
  readonly #gvk: GroupVersionKind;

  constructor(readonly resource: PublishedResource, readonly schemaOf: SchemaOfKind) {
    const { group, version, kind, namespaced } = resource;
    this.#root = rootOf(resource);
    this.#scope = namespaced ? "Namespaced" : "";
    this.#idPrefix = capital(groupWord(group)) + capital(version);
    this.#gvk = { group, version, kind };
  }

  #path(tail: string, { watch = false, all = false } = {}): string {
    const namespace = this.resource.namespaced && !all ? "/namespaces/{namespace}" : "";
    return `${this.#root}${watch ? "/watch" : ""}${namespace}/${this.resource.resource}${tail}`;
  }

  collection(): void {
    const { verbs, kind, namespaced } = this.resource;
    for (const verb of ["list", "create", "deletecollection"]) {
      if (!verbs.includes(verb)) continue;
      const [, , word] = METHODS[verb];
      const collection = verb === "deletecollection" ? "Collection" : "";
      this.#add(verb, this.#path(""), `${word}${this.#idPrefix}${collection}${this.#scope}${kind}`);
    }
    if (verbs.includes("list") && namespaced) {
      this.#add("list", this.#path("", { all: true }), `list${this.#idPrefix}${kind}ForAllNamespaces`);
    }
    if (!verbs.includes("watch") || this.resource.custom) return;
    this.#watch("watchlist", this.#path("", { watch: true }), `${this.#scope}${kind}List`);
    if (namespaced) {
      this.#watch("watchlist", this.#path("", { watch: true, all: true }), `${kind}ListForAllNamespaces`);
    }
    if (verbs.includes("get")) this.#watch("watch", this.#path("/{name}", { watch: true }), `${this.#scope}${kind}`);
  }

  single(): void {
    for (const verb of ["get", "update", "patch", "delete"]) {
      if (!this.resource.verbs.includes(verb)) continue;
      const [, , word] = METHODS[verb];
      this.#add(verb, this.#path("/{name}"), `${word}${this.#idPrefix}${this.#scope}${this.resource.kind}`);
    }
  }

  subresource({ name, responseKind, verbs, schema }: PublishedResource["subresources"][number]): void {
    const options = OF_SUBRESOURCE[`${this.resource.resource}/${name}`] ?? [];
    if (responseKind.kind.endsWith("Options")) return this.#connect(name, responseKind, verbs, options);
    const id = `${this.#idPrefix}${this.#scope}${this.resource.kind}${capital(name)}`;
    for (const verb of verbs) {
      const [, , word] = METHODS[verb];
      this.#add(verb, this.#path(`/{name}/${name}`), word + id, {
        gvk: responseKind,
        options,
        subresource: name,
        schema,
      });
    }
  }

  #connect(name: string, gvk: GroupVersionKind, verbs: readonly string[], options: readonly Parameter[]): void {
    const methods: Operation["method"][] = verbs.includes("update")
      ? ["get", "put", "post", "delete", "options", "head", "patch"]
      : ["get", "post"];
    const paths = name === "proxy" ? ["", "/{path}"] : [""];
    for (const tail of paths) {
      const path = this.#path(`/{name}/${name}${tail}`);
      for (const method of methods) {
        const id = `${this.#scope}${this.resource.kind}${capital(name)}${tail === "" ? "" : "WithPath"}`;
        this.operations.push({
          path,
          method,
          operationId: `connect${this.#idPrefix}${capital(method)}${id}`,
          tag: this.#tag(),
          action: "connect",
          gvk,
          parameters: [...pathParameters(path), ...options],
          consumes: ANY,
          produces: ANY,
          responses: { 200: "text" },
        });
      }
    }
  }

  #tag(): string {
    return `${groupWord(this.resource.group)}_${this.resource.version}`;
  }

  #types(): readonly string[] {
    return this.resource.custom ? TYPES.filter((type) => type !== PROTOBUF) : TYPES;
  }

  #streams(): readonly string[] {
    return this.resource.custom ? [] : STREAMS;
  }

  #consumes(verb: string): readonly string[] {
    const { custom } = this.resource;
    if (verb === "patch") return custom ? PATCHES.filter((type) => !type.includes("strategic")) : PATCHES;
    return custom ? this.#types() : ANY;
  }

  #watch(action: string, path: string, id: string): void {
    this.operations.push({
      path,
      method: "get",
      operationId: `watch${this.#idPrefix}${id}`,
      tag: this.#tag(),
      action,
      gvk: this.#gvk,
      parameters: [...pathParameters(path), ...OF_ACTION[action]],
      consumes: ANY,
      produces: [...this.#types(), ...this.#streams()],
      responses: { 200: { schema: `${META}WatchEvent` } },
    });
  }

  #add(
    verb: string,
    path: string,
    operationId: string,
    { gvk = this.#gvk, options = [], subresource = "", schema = this.schemaOf(gvk) }: {
      gvk?: GroupVersionKind;
      options?: readonly Parameter[];
      subresource?: string;
      schema?: string;
    } = {},
  ): void {
    const [method, action] = METHODS[verb];
    const ofAction = this.resource.custom ? OF_CUSTOM_ACTION[action] ?? OF_ACTION[action] : OF_ACTION[action];
    const isLog = subresource === "log";
    this.operations.push({
      path,
      method,
      operationId,
      tag: this.#tag(),
      action,
      gvk,
      parameters: [...pathParameters(path), ...ofAction, ...options],
      body: this.resource.custom && verb === "deletecollection" ? undefined : bodyOf(verb, schema),
      consumes: this.#consumes(verb),
      produces: isLog
        ? ["text/plain", ...this.#types()]
        : [...this.#types(), ...(verb === "list" ? this.#streams() : [])],
      responses: isLog ? { 200: "text" } : this.#responses(verb, gvk, schema, subresource),
    });
  }

  #responses(verb: string, gvk: GroupVersionKind, schema: string, subresource: string): Operation["responses"] {
    const content = { schema };
    switch (verb) {
      case "list":
        return { 200: { schema: this.schemaOf({ ...gvk, kind: `${gvk.kind}List` }) } };
      case "create":
        return { 200: content, 201: content, 202: content };
      case "update":
        return { 200: content, 201: content };
      case "patch":
        return this.resource.custom ? { 200: content } : { 200: content, 201: content };
      case "deletecollection":
        return { 200: STATUS };
      case "delete": {
        const answer = !subresource && ANSWERED_WITH_OBJECT.includes(this.resource.resource) ? content : STATUS;
        return { 200: answer, 202: answer };
      }
      default:
        return { 200: content };
    }
  }
}

function bodyOf(verb: string, schema: string): Operation["body"] {
  switch (verb) {
    case "create":
    case "update":
      return { schema, required: true };
    case "patch":
      return { schema: `${META}Patch`, required: true };
    case "delete":
    case "deletecollection":
      return { schema: `${META}DeleteOptions`, required: false };
    default:
      return undefined;
  }
}

/** A path that answers a document: `/version/`, `/apis/`. */
function document(
  path: string,
  operationId: string,
  tag: string,
  content: Content,
  types: { consumes: readonly string[]; produces: readonly string[] },
): Operation {
  return { path, method: "get", operationId, tag, parameters: [], responses: { 200: content }, ...types };
}

const ALL_TYPES = { consumes: TYPES, produces: TYPES };

/** The list of a group version's resources. */
export function groupVersionOperation(gv: GroupVersion): Operation {
  const word = groupWord(gv.group);
  return document(
    `${rootOf(gv)}/`,
    `get${capital(word)}${capital(gv.version)}APIResources`,
    `${word}_${gv.version}`,
    { schema: `${META}APIResourceList` },
    ALL_TYPES,
  );
}

/** What a group has. */
export function groupOperation(group: string): Operation {
  const word = groupWord(group);
  return document(`/apis/${group}/`, `get${capital(word)}APIGroup`, word, { schema: `${META}APIGroup` }, ALL_TYPES);
}

/** The paths that belong to no group, by the name of their v3 document. */
export const NON_RESOURCE_OPERATIONS: ReadonlyMap<string, Operation> = new Map([
  ["api", document("/api/", "getCoreAPIVersions", "core", { schema: `${META}APIVersions` }, ALL_TYPES)],
  ["apis", document("/apis/", "getAPIVersions", "apis", { schema: `${META}APIGroupList` }, ALL_TYPES)],
  [
    "version",
    document("/version/", "getCodeVersion", "version", { schema: "io.k8s.apimachinery.pkg.version.Info" }, {
      consumes: [JSON_TYPE],
      produces: [JSON_TYPE],
    }),
  ],
  [
    ".well-known/openid-configuration",
    document(
      "/.well-known/openid-configuration/",
      "getServiceAccountIssuerOpenIDConfiguration",
      "WellKnown",
      "text",
      { consumes: [], produces: [JSON_TYPE] },
    ),
  ],
  [
    "openid/v1/jwks",
    document("/openid/v1/jwks/", "getServiceAccountIssuerOpenIDKeyset", "openid", "text", {
      consumes: [],
      produces: ["application/jwk-set+json"],
    }),
  ],
]);
