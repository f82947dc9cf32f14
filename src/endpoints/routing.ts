// From method and path to what is to be done. Built-in resources have routes: an unknown path is 404, a known one with
// another method 405, then come the media types of body and answer. Custom resources go by the verb alone.
import {
  badRequestError,
  methodNotAllowedError,
  methodNotSupportedError,
  notFoundError,
  pathNotFoundError,
  statusError,
} from "../machinery/errors.ts";
import { checkAcceptedByRoute, MEDIA_TYPES, STREAM_MEDIA_TYPES } from "./negotiation.ts";
import { isPatchType } from "./patch_type.ts";
import type { RequestInfo } from "./request_info.ts";
import type { ServedResource, ServedSubresource } from "../registry/resource.ts";

export type Operation =
  | "get"
  | "list"
  | "watch"
  | "create"
  | "update"
  | "patch"
  | "delete"
  | "deletecollection"
  | "connect"
  | "log";

/** What a path leads to. */
export interface Target {
  operation: Operation;
  subresource: ServedSubresource | undefined;
}

const ITEM_OPERATIONS: Readonly<Record<string, Operation>> = {
  GET: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};
const SUBRESOURCE_OPERATIONS: Readonly<Record<string, Operation>> = { ...ITEM_OPERATIONS, POST: "create" };
const COLLECTION_OPERATIONS: Readonly<Record<string, Operation>> = {
  GET: "list",
  POST: "create",
  DELETE: "deletecollection",
};

/** Finds the route of a built-in resource. Throws 404, 405, 406 and 415 as the router does. */
export function routeBuiltIn(resource: ServedResource, info: RequestInfo, method: string, headers: Headers): Target {
  const target = findRoute(resource, info, method);
  const { operation } = target;
  if (operation === "connect") return target;
  if (operation === "patch" && !isPatchType(headers.get("content-type") ?? "")) {
    throw statusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  }
  checkAcceptedByRoute(headers, producedBy(operation));
  return target;
}

const LIST_MEDIA_TYPES = [...MEDIA_TYPES, ...STREAM_MEDIA_TYPES];
const LOG_MEDIA_TYPES = ["text/plain", ...MEDIA_TYPES];

function producedBy(operation: Operation): readonly string[] {
  if (operation === "list" || operation === "watch") return LIST_MEDIA_TYPES;
  return operation === "log" ? LOG_MEDIA_TYPES : MEDIA_TYPES;
}

function findRoute(resource: ServedResource, info: RequestInfo, method: string): Target {
  const { parts } = info;
  // The paths that once led to everything through `/api/v1/proxy/` are gone.
  if (info.verb === "proxy") throw pathNotFoundError();
  if (resource.namespaced ? info.namespace === "" && parts.length > 1 : isInsideNamespace(info)) {
    throw pathNotFoundError();
  }
  if (isWatchPath(info)) return watchRoute(resource, info, method);
  if (parts.length === 1) return collectionRoute(resource, info, method);
  if (parts.length === 2) return itemRoute(resource, method);
  const subresource = resource.subresources.get(parts[2]);
  if (subresource === undefined) throw pathNotFoundError();
  return subresourceRoute(subresource, parts.length > 3, method);
}

/** A cluster-scoped resource below `namespaces/NAME/`; namespaces themselves are there by right. */
function isInsideNamespace(info: RequestInfo): boolean {
  return info.namespace !== "" && !(info.resource === "namespaces" && info.apiGroup === "");
}

/** `/api/v1/watch/…`: deprecated, still served. */
function isWatchPath(info: RequestInfo): boolean {
  const at = info.apiPrefix === "api" ? 3 : 4;
  return info.verb === "watch" && info.path.split("/", at + 1)[at] === "watch";
}

function watchRoute(resource: ServedResource, info: RequestInfo, method: string): Target {
  if (!resource.verbs.includes("watch") || info.parts.length > 2) throw pathNotFoundError();
  if (method !== "GET") throw methodNotAllowedError();
  return { operation: "watch", subresource: undefined };
}

function collectionRoute(resource: ServedResource, info: RequestInfo, method: string): Target {
  const everywhere = resource.namespaced && info.namespace === "";
  if (everywhere && !resource.verbs.includes("list")) throw pathNotFoundError();
  const operation = COLLECTION_OPERATIONS[method];
  if (operation === undefined || !resource.verbs.includes(operation) || everywhere && operation !== "list") {
    throw methodNotAllowedError();
  }
  return { operation, subresource: undefined };
}

function itemRoute(resource: ServedResource, method: string): Target {
  const operation = ITEM_OPERATIONS[method];
  if (operation !== undefined && resource.verbs.includes(operation)) return { operation, subresource: undefined };
  const isThere = Object.values(ITEM_OPERATIONS).some((verb) => resource.verbs.includes(verb));
  throw isThere ? methodNotAllowedError() : pathNotFoundError();
}

/** Methods that a proxy passes on. */
const PROXIED = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);

function subresourceRoute(subresource: ServedSubresource, hasPath: boolean, method: string): Target {
  if (subresource.name === "proxy" && subresource.storage.connect !== undefined) {
    if (!PROXIED.has(method)) throw methodNotAllowedError();
    return { operation: "connect", subresource };
  }
  if (hasPath) throw pathNotFoundError();
  const operation = SUBRESOURCE_OPERATIONS[method];
  if (operation === undefined || !subresource.verbs.includes(operation)) throw methodNotAllowedError();
  if (subresource.storage.connect === undefined) return { operation, subresource };
  return { operation: subresource.name === "log" ? "log" : "connect", subresource };
}

const CUSTOM_OPERATIONS: readonly string[] = [
  "get",
  "list",
  "watch",
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
];
const NEED_NAME: readonly string[] = ["update", "patch"];
const CUSTOM_SUBRESOURCE_OPERATIONS: readonly string[] = ["get", "update", "patch"];

/** Undefined when the scope of the path is not the resource's: nothing is served there. Throws 404 and 405. */
export function routeCustom(resource: ServedResource, info: RequestInfo): Target | undefined {
  const inNamespace = info.namespace !== "";
  if (!resource.namespaced && inNamespace) return undefined;
  if (resource.namespaced && !inNamespace && info.verb !== "list" && info.verb !== "watch") return undefined;
  const subresource = info.subresource === "" ? undefined : resource.subresources.get(info.subresource);
  if (info.subresource !== "" && subresource === undefined) throw notFoundError(resource, info.name);
  if (info.name === "" && NEED_NAME.includes(info.verb)) throw badRequestError("name must be provided");
  const operations = subresource === undefined ? CUSTOM_OPERATIONS : CUSTOM_SUBRESOURCE_OPERATIONS;
  if (!operations.includes(info.verb)) throw methodNotSupportedError(resource, info.verb);
  return { operation: info.verb as Operation, subresource };
}
