// May they; 403 when not.
import { forbiddenStatus } from "../../authorization/forbidden.ts";
import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from "../../authorization/interface.ts";
import type { RequestHandlerContext } from "../../endpoints/env.ts";
import { respondError } from "../../endpoints/respond.ts";
import { logError } from "../../logging/mod.ts";
import type { Filter } from "./filter.ts";

/** As kube-apiserver's metrics have it. */
export type AuthorizationOutcome = "allowed" | "denied" | "no-opinion" | "error";

const REFUSALS = { allow: "allowed", deny: "denied", "no opinion": "no-opinion" } as const;

export function authorization(
  authorizer: Authorizer,
  observe: (result: AuthorizationOutcome, seconds: number) => void,
): Filter {
  return (c, next) => {
    const started = performance.now(), attributes = attributesOf(c);
    const result = authorizer.authorize(attributes);
    if (result instanceof Promise) return result.then((r) => decide(r));
    return decide(result);

    function decide(result: AuthorizationResult): void | Promise<void | Response> {
      const allowed = result.decision === "allow";
      const outcome = allowed ? "allowed" : result.error !== undefined ? "error" : REFUSALS[result.decision];
      observe(outcome, (performance.now() - started) / 1000);
      return allowed ? next() : refuse(c, attributes, result);
    }
  };
}

async function refuse(
  c: RequestHandlerContext,
  attributes: AuthorizationAttributes,
  { reason, error }: AuthorizationResult,
): Promise<Response> {
  if (error === undefined) return await respondError(c, forbiddenStatus(attributes, reason));
  logError("Unable to authorize the request", error, { URI: attributes.path });
  const { pathname, search } = c.get("url");
  return c.text(`Internal Server Error: ${JSON.stringify(pathname + search)}: ${error}\n`, 500);
}

export function attributesOf(c: RequestHandlerContext): AuthorizationAttributes {
  const info = c.get("requestInfo");
  return {
    user: c.get("user"),
    verb: info.verb,
    isResourceRequest: info.isResourceRequest,
    namespace: info.namespace,
    apiGroup: info.apiGroup,
    apiVersion: info.apiVersion,
    resource: info.resource,
    subresource: info.subresource,
    name: info.name,
    path: info.path,
    fieldSelector: info.fieldSelector || undefined,
    labelSelector: info.labelSelector || undefined,
  };
}
