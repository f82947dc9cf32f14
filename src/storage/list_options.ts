// What a list asks for: the rules of resourceVersion, resourceVersionMatch, limit and continue in one place.
// https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions
import { badRequestError, expiredError, type StatusError } from "../machinery/errors.ts";
import { decodeContinue, encodeContinue } from "./continue_token.ts";
import type { Item, ListOptions, ListResult } from "./interface.ts";
import { InvalidResourceVersion, parseResourceVersion } from "./resource_version.ts";

/** A list in storage's own terms. */
export interface ListRequest {
  /** The newest state, any state, one not older than `revision`, or exactly that one. */
  consistency: "newest" | "any" | "notOlderThan" | "exact";
  revision: number;
  /** The first key; undefined begins with the first of the prefix. */
  start: string | undefined;
  /** Infinity: all. */
  limit: number;
  /** Whether this is a later page. */
  continued: boolean;
}

/** Throws BadRequest. */
export function listRequest(prefix: string, options: ListOptions): ListRequest {
  const { resourceVersion = "", resourceVersionMatch = "", continue: token = "" } = options;
  const limit = options.limit && resourceVersion !== "0" ? options.limit : Infinity;
  const recursive = prefix.endsWith("/");
  if (token !== "" && recursive) {
    const { start, revision } = decodeContinue(token, prefix);
    if (resourceVersion !== "" && resourceVersion !== "0") {
      throw badRequestError("specifying resource version is not allowed when using continue");
    }
    const exact = revision > 0;
    return { consistency: exact ? "exact" : "newest", revision: Math.max(revision, 0), start, limit, continued: true };
  }
  const request = { revision: 0, start: undefined, limit, continued: false };
  if (resourceVersion === "") return { ...request, consistency: "newest" };
  const revision = listRevision(resourceVersion);
  const exact = resourceVersionMatch === "Exact" ||
    (resourceVersionMatch === "" && recursive && revision > 0 && limit !== Infinity);
  if (exact) return { ...request, consistency: "exact", revision };
  return { ...request, consistency: revision > 0 ? "notOlderThan" : "any", revision };
}

function listRevision(resourceVersion: string): number {
  try {
    return parseResourceVersion(resourceVersion);
  } catch (error) {
    if (!(error instanceof InvalidResourceVersion)) throw error;
    throw badRequestError(`invalid resource version: ${error.message}`);
  }
}

/** A page as it is answered. */
export function listPage(
  items: readonly Item[],
  page: { prefix: string; revision: number; more: boolean; remaining?: number },
): ListResult {
  const result: ListResult = { items, revision: page.revision };
  if (!page.more) return result;
  result.continue = encodeContinue(items[items.length - 1].key + "\0", page.prefix, page.revision);
  if (page.remaining !== undefined) result.remaining = page.remaining;
  return result;
}

/** What a list is told whose revision has been compacted; a paged one may go on with what there is now. */
export function listExpiredError(prefix: string, request: ListRequest): StatusError {
  if (!request.continued) return expiredError(EXPIRED);
  const error = expiredError(INCONSISTENT_CONTINUE);
  error.status.metadata.continue = encodeContinue(request.start!, prefix, -1);
  return error;
}

const EXPIRED = "The resourceVersion for the provided list is too old.";

const INCONSISTENT_CONTINUE = "The provided continue parameter is too old to display a consistent list result. " +
  "You can start a new list without the continue parameter, or use the continue token in this response to retrieve " +
  "the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that " +
  "were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
