// exec, attach, port-forward, proxy and log: the storage answers the request itself.
import { badRequestError, methodNotAllowedError } from "../machinery/errors.ts";
import type { KubeObject } from "../machinery/types.ts";
import type { ConnectRequest } from "../registry/rest.ts";
import { UpgradedResponse } from "../registry/proxy/upgraded_response.ts";
import { RequestAdmission } from "./admission.ts";
import { negotiateScope } from "./answer.ts";
import { decodeConnectOptions } from "./connect_options.ts";
import { ReadyResponse } from "./ready_response.ts";
import type { Scope } from "./scope.ts";

export async function connectResource(scope: Scope): Promise<Response> {
  if ((scope.query.get("dryRun")?.length ?? 0) > 0) throw badRequestError("dryRun is not supported");
  const request = connectRequest(scope, scope.kind.gvk.kind);
  const { name } = scope, { options } = request;
  const admission = new RequestAdmission(scope, { operation: "CONNECT", name, options: {}, dryRun: false });
  const object = { metadata: {}, ...options } as unknown as KubeObject;
  await admission.admit(object);
  await admission.validate(object);
  return await answer(scope, request);
}

/** GET of a pod's log: admission has no say in what is only read. */
export async function streamLog(scope: Scope): Promise<Response> {
  negotiateScope(scope);
  return await answer(scope, connectRequest(scope, "PodLogOptions"));
}

function connectRequest({ c, info, query }: Scope, kind: string): ConnectRequest {
  const rest = info.parts.slice(3).join("/");
  // The slash at its end is a part of what is asked for.
  const slash = info.path.endsWith("/") && !rest.endsWith("/") ? "/" : "";
  const path = (rest === "" || rest.startsWith("/") ? rest : `/${rest}`) + slash;
  return {
    options: { ...decodeConnectOptions(query, kind), ...kind.endsWith("ProxyOptions") && { path } },
    request: c.req.raw,
    url: c.get("url"),
    remoteAddress: c.env.remoteAddress,
    upgradable: c.env.upgradable ?? false,
    path,
  };
}

async function answer(scope: Scope, request: ConnectRequest): Promise<Response> {
  const { storage, context, name } = scope;
  if (storage.connect === undefined) throw methodNotAllowedError();
  const response = await storage.connect(context, name, request);
  if (response instanceof ReadyResponse) return response;
  const { body } = response, { promise, resolve } = Promise.withResolvers<void>();
  if (response instanceof UpgradedResponse) {
    scope.ended = promise;
    response.socket.once("close", resolve);
    return response;
  }
  if (body === null) return response;
  scope.ended = promise;
  return new Response(followed(body, resolve), response);
}

/** The same body, which tells of its end. */
function followed(body: ReadableStream<Uint8Array<ArrayBuffer>>, ended: () => void): typeof body {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      ended();
    },
    cancel(reason) {
      ended();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 }); // Whoever sends it does not want more than the client takes.
}
