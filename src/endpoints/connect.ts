// exec, attach, port-forward, proxy: the storage answers the request itself.
import { badRequestError, methodNotAllowedError } from "../machinery/errors.ts";
import { admit, createValidation } from "./admission.ts";
import type { Scope } from "./scope.ts";

export async function connectResource(scope: Scope): Promise<Response> {
  const { storage, name, c } = scope;
  if (storage.connect === undefined) throw methodNotAllowedError();
  if ((scope.query.get("dryRun")?.length ?? 0) > 0) throw badRequestError("dryRun is not supported");
  const request = { operation: "CONNECT", name, options: {}, dryRun: false } as const;
  await admit(scope, request, undefined);
  await createValidation(scope, request)?.({ kind: "", apiVersion: "", metadata: {} });
  return await storage.connect(scope.context, name, c.req.raw, "/" + scope.info.parts.slice(3).join("/"));
}
