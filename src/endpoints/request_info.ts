// What a request is about, read off its path and method: the words of k8s.io/apiserver's request.RequestInfo.
import { unescapeUrl } from "../machinery/go_url.ts";
import { isPathSegmentName } from "../machinery/validation/mod.ts";
import type { RequestUrl } from "./request_url.ts";
import { lookUp } from "../machinery/look_up.ts";

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
  const path = url.pathname, all = decodeParts(path);
  const [apiPrefix] = all, groups = apiPrefix === "apis";
  if (all.length < 3 || !groups && apiPrefix !== "api") return nonResource(method, path, "");
  if (groups && all.length < 4) return nonResource(method, path, apiPrefix);
  let at = groups ? 3 : 2;
  const apiGroup = groups ? all[1] : "", apiVersion = all[at - 1];
  let verb = lookUp(VERBS, method) ?? "";
  if (PATH_VERBS.has(all[at])) {
    if (all.length === at + 1) return nonResource(method, path, "");
    verb = all[at++];
  }
  let namespace = "";
  if (all[at] === "namespaces" && all.length > at + 1) {
    namespace = all[at + 1];
    if (all.length > at + 2 && !NAMESPACE_SUBRESOURCES.has(all[at + 2])) at += 2;
  }
  const parts = all.slice(at), [resource, name = "", subresource = ""] = parts;
  const info: RequestInfo = {
    isResourceRequest: true,
    path,
    verb,
    apiPrefix,
    apiGroup,
    apiVersion,
    namespace,
    resource,
    subresource: verb === "proxy" ? "" : subresource,
    name,
    parts,
    fieldSelector: "",
    labelSelector: "",
  };
  if (name === "") refine(info, url);
  return info;
}

function nonResource(method: string, path: string, apiPrefix: string): RequestInfo {
  return {
    isResourceRequest: false,
    path,
    verb: method.toLowerCase(),
    apiPrefix,
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

/** None when an escape is broken. An escaped slash divides parts like any other. */
function decodeParts(path: string): string[] {
  let text: string;
  try {
    text = unescapeUrl(path);
  } catch {
    return [];
  }
  let start = 0, end = text.length;
  while (text[start] === "/") start++;
  while (end > start && text[end - 1] === "/") end--;
  return text.slice(start, end).split("/");
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
