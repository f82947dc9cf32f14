// DELETE of one object.
import { methodNotSupportedError } from "../machinery/errors.ts";
import { deleteValidation } from "./admission.ts";
import { answerResult, negotiateScope } from "./answer.ts";
import { readDeleteOptions } from "./delete_options.ts";
import type { Scope } from "./scope.ts";

export async function deleteResource(scope: Scope): Promise<Response> {
  const output = negotiateScope(scope);
  const { storage, name } = scope;
  if (storage.delete === undefined) throw methodNotSupportedError(scope.groupResource, "delete");
  const { options, object } = await readDeleteOptions(scope);
  const dryRun = (options.dryRun?.length ?? 0) > 0;
  const { result, deleted } = await storage.delete(scope.context, name, options, {
    dryRun,
    validate: deleteValidation(scope, { operation: "DELETE", name, options: object, dryRun }),
  });
  const code = !deleted && options.orphanDependents === false ? 202 : 200;
  return await answerResult(scope, code, result, output);
}
