// Who makes the request; 401 when nobody can tell.
import type { AuthenticationRequest, Authenticator, UserInfo } from "../../authentication/interface.ts";
import type { Filter, RequestHandlerContext } from "../../endpoints/env.ts";
import { respondError } from "../../endpoints/respond.ts";
import { unauthorizedError } from "../../machinery/errors.ts";
import { logError } from "../../logging/mod.ts";

export interface AuthenticationObserver {
  (user: UserInfo | undefined): void;
}

export function authentication(authenticator: Authenticator, observe: AuthenticationObserver): Filter {
  return async (c, next) => {
    let user: UserInfo | undefined;
    try {
      const pending = authenticator.authenticateRequest(requestOf(c));
      user = (pending instanceof Promise ? await pending : pending)?.user;
    } catch (e) {
      logError("Unable to authenticate the request", e);
    }
    observe(user);
    if (user === undefined) return await respondError(c, unauthorizedError());
    c.set("user", user);
    return await next();
  };
}

function requestOf(c: RequestHandlerContext): AuthenticationRequest {
  return {
    headers: c.req.raw.headers,
    url: c.get("url"),
    peerCertificates: c.env.peerCertificates,
    remoteAddress: c.env.remoteAddress,
  };
}
