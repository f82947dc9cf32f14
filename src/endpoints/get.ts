// GET of one object.
import { badRequestError, methodNotSupportedError } from "../machinery/errors.ts";
import { answerResult, negotiateScope } from "./answer.ts";
import { booleanValue, firstValue } from "./query.ts";
import type { Scope } from "./scope.ts";

export function getResource(scope: Scope): Response | Promise<Response> {
  const output = negotiateScope(scope);
  const { storage, name } = scope;
  if (storage.get === undefined) throw methodNotSupportedError(scope.groupResource, "get");
  const result = storage.get(scope.context, name, getOptions(scope));
  if (result instanceof Promise) return result.then((r) => answerResult(scope, 200, r, output));
  return answerResult(scope, 200, result, output);
}

function getOptions(scope: Scope): { resourceVersion?: string } {
  if (scope.search === "") return {};
  if (booleanValue(scope.query, "export")) {
    throw badRequestError("the export parameter, deprecated since v1.14, is no longer supported");
  }
  return { resourceVersion: firstValue(scope.query, "resourceVersion") };
}
