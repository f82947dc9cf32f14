// Keys of storage, as kube-apiserver forms them.
import { badRequestError, notFoundError, unknownError } from "../machinery/errors.ts";
import { goQuote } from "../machinery/go_text.ts";
import { isPathSegmentName } from "../machinery/validation/mod.ts";
import type { StoreConfig } from "./config.ts";
import type { RequestContext } from "../apis/context.ts";

/** `/registry/pods/NAMESPACE/NAME`. Throws 400 for a name that no path can have. */
export function keyOf(config: StoreConfig, { namespace }: Pick<RequestContext, "namespace">, name: string): string {
  if (name === "") throw badRequestError("Name parameter required.");
  const problems = isPathSegmentName(name);
  if (problems.length > 0) {
    throw badRequestError(`Name parameter invalid: ${goQuote(name)}: ${problems.join(";")}`);
  }
  if (!config.namespaced) return `${config.prefix}/${name}`;
  if (namespace === "") throw notFoundError(config.resource, name);
  return `${config.prefix}/${namespace}/${name}`;
}

/** Where a list starts: everything of the resource, or of one namespace. Throws a 500 for a step to another folder. */
export function collectionPrefix(config: StoreConfig, { namespace }: Pick<RequestContext, "namespace">): string {
  if (!config.namespaced || namespace === "") return `${config.prefix}/`;
  if (namespace === "." || namespace === "..") {
    throw unknownError(`invalid key: "/${config.resource.resource}/${namespace}"`);
  }
  return `${config.prefix}/${namespace}/`;
}
