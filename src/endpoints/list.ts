// GET and DELETE of collections share how a list is asked for.
import type { ListOptions, Predicate } from "../storage/interface.ts";
import { methodNotSupportedError } from "../machinery/errors.ts";
import { answerList, negotiateScope } from "./answer.ts";
import { decodeListQuery, type ListQuery } from "./options.ts";
import type { Scope } from "./scope.ts";
import { selectionOf } from "./selection.ts";
import { watchResource } from "./watch.ts";

/** @param forceWatch the path is one of the legacy watch paths */
export function listResource(scope: Scope, forceWatch: boolean): Promise<Response> {
  const output = negotiateScope(scope);
  const query = decodeListQuery(scope.query, forceWatch);
  const predicate = selectionOf(scope, query);
  if (query.watch) return watchResource(scope, query, predicate, output);
  const { storage } = scope;
  if (storage.list === undefined) throw methodNotSupportedError(scope.groupResource, "list");
  return storage.list(scope.context, listOptions(query, predicate)).then((list) => answerList(scope, list, output));
}

/** Options of storage out of those of the query. */
export function listOptions(query: ListQuery, predicate: Predicate): ListOptions {
  return {
    resourceVersion: query.resourceVersion,
    resourceVersionMatch: query.resourceVersionMatch as ListOptions["resourceVersionMatch"],
    predicate,
    limit: query.limit,
    continue: query.continue,
  };
}
