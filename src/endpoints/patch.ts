// PATCH.
import { methodNotSupportedError } from "../machinery/errors.ts";
import type { Scope } from "./scope.ts";

export function patchResource(scope: Scope): Promise<Response> {
  throw methodNotSupportedError(scope.groupResource, "patch");
}
