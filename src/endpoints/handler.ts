// Answers requests for resources: finds what is served at the path and hands over to the file of the verb.
import { pathNotFoundError } from "../machinery/errors.ts";
import { connectResource, streamLog } from "./connect.ts";
import { createResource } from "./create.ts";
import { deleteResource } from "./delete.ts";
import { deleteCollection } from "./delete_collection.ts";
import { deprecationOf } from "./deprecation.ts";
import type { EndpointDependencies } from "./dependencies.ts";
import type { RequestHandlerContext } from "./env.ts";
import { getResource } from "./get.ts";
import { listResource } from "./list.ts";
import { patchResource } from "./patch.ts";
import type { RequestInfo } from "./request_info.ts";
import type { ResourceProvider } from "../registry/resource.ts";
import { respondError } from "./respond.ts";
import { type Operation, routeBuiltIn, routeCustom } from "./routing.ts";
import { Scope } from "./scope.ts";
import { updateResource } from "./update.ts";

const VERBS: Readonly<Record<Operation, (scope: Scope) => Response | Promise<Response>>> = {
  get: getResource,
  list: (scope) => listResource(scope, false),
  watch: (scope) => listResource(scope, true),
  create: createResource,
  update: updateResource,
  patch: patchResource,
  delete: deleteResource,
  deletecollection: deleteCollection,
  connect: connectResource,
  log: streamLog,
};

/**
 * Undefined when nothing of the provider's is at the path: then the next server is asked. Refusals are answered here;
 * what else is thrown is a defect and goes on to the caller.
 */
export function handleResourceRequest(
  c: RequestHandlerContext,
  provider: ResourceProvider,
  deps: EndpointDependencies,
): Response | undefined | Promise<Response> {
  try {
    const target = findTarget(c, provider, deps);
    return target === undefined ? undefined : answer(target.scope, target.operation);
  } catch (error) {
    return respondError(c, error);
  }
}

function answer(scope: Scope, operation: Operation): Response | Promise<Response> {
  const answered = (response: Response) => {
    scope.deps.measures.answered(scope, operation, response);
    return response;
  };
  const failed = (error: unknown) => {
    const refusal = respondError(scope.c, error);
    return refusal instanceof Promise ? refusal.then(answered) : answered(refusal);
  };
  try {
    const response = VERBS[operation](scope);
    return response instanceof Promise ? response.then(answered, failed) : answered(response);
  } catch (error) {
    return failed(error);
  }
}

/** Throws what the router answers. */
function findTarget(
  c: RequestHandlerContext,
  provider: ResourceProvider,
  deps: EndpointDependencies,
): { scope: Scope; operation: Operation } | undefined {
  const info = c.get("requestInfo");
  // A path that begins with two slashes is read as without one, but nothing is served there.
  if (!info.isResourceRequest || info.path.startsWith("//")) return undefined;
  const resource = provider.lookup(info.apiGroup, info.apiVersion, info.resource);
  if (resource === undefined) {
    if (hasBuiltInGroup(provider, info)) throw pathNotFoundError();
    return undefined;
  }
  const target = resource.kind.custom
    ? routeCustom(resource, info)
    : routeBuiltIn(resource, info, c.req.method, c.req.raw.headers);
  if (target === undefined) return undefined;
  const scope = new Scope(c, deps, resource, target.subresource);
  const deprecation = scope.kind.deprecationWarning ?? deprecationOf(scope.kind.gvk);
  if (deprecation !== undefined) scope.addWarning(deprecation);
  return { scope, operation: target.operation };
}

/** Built-in groups of a provider: these never change. */
const builtInGroups = new WeakMap<ResourceProvider, Set<string>>();

/** The built-in servers answer for everything below their groups, those of custom resources only for what they have. */
function hasBuiltInGroup(provider: ResourceProvider, info: RequestInfo): boolean {
  let groups = builtInGroups.get(provider);
  if (groups === undefined) {
    groups = new Set();
    for (const { group, kind } of provider.all()) if (!kind.custom) groups.add(group);
    builtInGroups.set(provider, groups);
  }
  return groups.has(info.apiGroup);
}
