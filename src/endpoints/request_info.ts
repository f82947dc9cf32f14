// What a request is about, read off its path and method: the words of k8s.io/apiserver's request.RequestInfo.
import { unescapeUrl } from "../machinery/go_url.ts";
import { isPathSegmentName } from "../machinery/validation/mod.ts";
import type { RequestUrl } from "./request_url.ts";

export interface RequestInfo {
  isResourceRequest: boolean;
  path: string;
  /** API verb for resource requests (get, list, watch, create, update, patch, delete, deletecollection, proxy). */
  verb: string;
  /** `api` or `apis`. */
  apiPrefix: string;
  apiGroup: string;
  apiVersion: string;
  namespace: string;
  resource: string;
  subresource: string;
  name: string;
  /** The path behind group and version (and namespace), split. */
  parts: readonly string[];
  fieldSelector: string;
  labelSelector: string;
}

const VERBS: Readonly<Record<string, string>> = {
  POST: "create",
  GET: "get",
  HEAD: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** Verbs that stand in the path itself, before the namespace. */
const PATH_VERBS = new Set(["proxy", "watch"]);
/** What may follow a namespace's name without being a resource in it. */
const NAMESPACE_SUBRESOURCES = new Set(["status", "finalize"]);

/** Never throws: a path that is none of a resource is one of its own. */
export function parseRequestInfo(method: string, url: RequestUrl): RequestInfo {
  const path = url.pathname;
  const info = nonResource(method, path);
  const all = decodeParts(path);
  if (all === undefined || all.length < 3 || (all[0] !== "api" && all[0] !== "apis")) return info;
  let parts = all.slice(1);
  info.apiPrefix = all[0];
  if (all[0] === "apis") {
    if (all.length < 4) return info;
    info.apiGroup = parts[0];
    parts = parts.slice(1);
  }
  info.apiVersion = parts[0];
  parts = parts.slice(1);
  info.isResourceRequest = true;
  info.verb = VERBS[method] ?? "";
  if (PATH_VERBS.has(parts[0])) {
    if (parts.length < 2) return nonResource(method, path);
    info.verb = parts[0];
    parts = parts.slice(1);
  }
  if (parts[0] === "namespaces" && parts.length > 1) {
    info.namespace = parts[1];
    if (parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(parts[2])) parts = parts.slice(2);
  }
  info.parts = parts;
  info.resource = parts[0];
  info.name = parts[1] ?? "";
  if (info.verb !== "proxy") info.subresource = parts[2] ?? "";
  if (info.name === "") refine(info, url);
  return info;
}

function nonResource(method: string, path: string): RequestInfo {
  return {
    isResourceRequest: false,
    path,
    verb: method.toLowerCase(),
    apiPrefix: "",
    apiGroup: "",
    apiVersion: "",
    namespace: "",
    resource: "",
    subresource: "",
    name: "",
    parts: [],
    fieldSelector: "",
    labelSelector: "",
  };
}

/** Undefined when an escape is broken. An escaped slash divides parts like any other. */
function decodeParts(path: string): string[] | undefined {
  try {
    return unescapeUrl(path).replace(/^\/+|\/+$/g, "").split("/");
  } catch {
    return undefined;
  }
}

/** Without a name, a get is a list or a watch and a delete is one of a collection. */
function refine(info: RequestInfo, url: RequestUrl): void {
  if (info.verb === "delete") info.verb = "deletecollection";
  else if (info.verb === "get") info.verb = isTrue(url.searchParams.get("watch")) ? "watch" : "list";
  else if (info.verb !== "watch") return;
  info.fieldSelector = url.searchParams.get("fieldSelector") ?? "";
  info.labelSelector = url.searchParams.get("labelSelector") ?? "";
  if (info.verb === "deletecollection" || info.fieldSelector === "") return;
  const name = requiredName(info.fieldSelector);
  if (name !== undefined && isPathSegmentName(name).length === 0) info.name = name;
}

/** Anything but `false` and `0` is true, once it is given. */
function isTrue(value: string | null): boolean {
  return value !== null && value !== "" && value !== "0" && value.toLowerCase() !== "false";
}

/** `metadata.name=x` among the terms of a field selector: the request is about that object alone. */
function requiredName(fieldSelector: string): string | undefined {
  for (const term of fieldSelector.split(",")) {
    const match = /^metadata\.name={1,2}([^=!]+)$/.exec(term.trim());
    if (match !== null) return match[1];
  }
  return undefined;
}
