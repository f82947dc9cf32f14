// DELETE of a collection: deletes what a list with the same options shows, and answers it.
import { methodNotSupportedError } from "../machinery/errors.ts";
import { deleteValidation } from "./admission.ts";
import { answerList, negotiateScope } from "./answer.ts";
import { readDeleteOptions } from "./delete_options.ts";
import { listOptions } from "./list.ts";
import { decodeListQuery } from "./options.ts";
import type { Scope } from "./scope.ts";
import { selectionOf } from "./selection.ts";

export async function deleteCollection(scope: Scope): Promise<Response> {
  const output = negotiateScope(scope);
  const { storage } = scope;
  if (storage.deleteCollection === undefined) throw methodNotSupportedError(scope.groupResource, "deletecollection");
  const query = decodeListQuery(scope.query);
  const list = listOptions(query, selectionOf(scope, query));
  const { options, object } = await readDeleteOptions(scope);
  const dryRun = (options.dryRun?.length ?? 0) > 0;
  const deleted = await storage.deleteCollection(scope.context, options, list, {
    dryRun,
    validate: deleteValidation(scope, { operation: "DELETE", name: "", options: object, dryRun }),
  });
  return await answerList(scope, deleted, output);
}
