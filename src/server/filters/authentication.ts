// Who makes the request; 401 when nobody can tell.
import { intersect } from "../../authentication/audiences.ts";
import type { AuthenticationRequest, AuthenticationResponse, Authenticator } from "../../authentication/interface.ts";
import type { Filter, RequestHandlerContext } from "../../endpoints/env.ts";
import { respondError } from "../../endpoints/respond.ts";
import { unauthorizedError } from "../../machinery/errors.ts";
import { logError } from "../../logging/mod.ts";

export type AuthenticationResult = "success" | "failure" | "error";

export interface AuthenticationOptions {
  authenticator: Authenticator;
  /** --api-audiences */
  audiences: readonly string[];
  observe(result: AuthenticationResult, found: AuthenticationResponse | undefined): void;
}

export function authentication({ authenticator, audiences, observe }: AuthenticationOptions): Filter {
  return (c, next) => {
    let found;
    try {
      found = authenticator.authenticateRequest(requestOf(c));
    } catch (e) {
      return failed(c, e);
    }
    if (found instanceof Promise) return found.then(decide, (e) => failed(c, e));
    return decide(found);

    function decide(found: AuthenticationResponse | undefined): Promise<void | Response> {
      if (found === undefined) {
        observe("failure", undefined);
        return unauthorized(c);
      }
      const granted = found.audiences;
      if (audiences.length > 0 && granted !== undefined && granted.length > 0 && granted !== audiences) {
        if (intersect(granted, audiences).length === 0) {
          const accepted = audiences.join(" ");
          return failed(c, new Error(`unable to match the audience: [${granted.join(" ")}], accepted: [${accepted}]`));
        }
      }
      observe("success", found);
      if (found.warnings !== undefined || found.auditAnnotations !== undefined) note(c, found);
      c.set("user", found.user);
      return next();
    }
  };

  function failed(c: RequestHandlerContext, error: unknown): Promise<Response> {
    logError("Unable to authenticate the request", error);
    observe("error", undefined);
    return unauthorized(c);
  }
}

async function unauthorized(c: RequestHandlerContext): Promise<Response> {
  return await respondError(c, unauthorizedError());
}

/** What is to be said about the credential, to the client and in the audit log. */
function note(c: RequestHandlerContext, { warnings = [], auditAnnotations = {} }: AuthenticationResponse): void {
  for (const text of warnings) warn(c, text);
  for (const [key, value] of Object.entries(auditAnnotations)) c.get("auditAnnotations").set(key, value);
}

function warn(c: RequestHandlerContext, text: string): void {
  const warnings = c.get("warnings");
  if (!warnings.includes(text)) warnings.push(text);
}

function requestOf(c: RequestHandlerContext): AuthenticationRequest {
  return {
    headers: c.req.raw.headers,
    url: c.get("url"),
    peerCertificates: c.env.peerCertificates,
    remoteAddress: c.env.remoteAddress,
    addWarning: (text) => warn(c, text),
  };
}
