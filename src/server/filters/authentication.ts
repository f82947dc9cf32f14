// Who makes the request; 401 when nobody can tell.
import { intersect } from "../../authentication/audiences.ts";
import {
  ANONYMOUS,
  type AuthenticationRequest,
  type AuthenticationResponse,
  type Authenticator,
} from "../../authentication/interface.ts";
import type { ConnectionInfo, RequestHandlerContext } from "../../endpoints/env.ts";
import { respondError } from "../../endpoints/respond.ts";
import { unauthorizedError } from "../../machinery/errors.ts";
import { logError } from "../../logging/mod.ts";
import type { Filter } from "./filter.ts";
import type { RefusalQueue } from "./refusal_queue.ts";

export type AuthenticationResult = "success" | "failure" | "error";

export interface AuthenticationOptions {
  authenticator: Authenticator;
  /** --api-audiences */
  audiences: readonly string[];
  observe(result: AuthenticationResult, found: AuthenticationResponse | undefined, seconds: number): void;
  /** The token of a connection was known from the request before. */
  recalled?(seconds: number): void;
  /** Where those wait who are refused too often. */
  refusals: RefusalQueue;
}

export function authentication(options: AuthenticationOptions): Filter {
  const { authenticator, audiences, observe, recalled, refusals } = options;
  const sessions = new SessionMemory(), log = failureLog();
  return (c, next) => {
    const started = performance.now(), known = sessions.recall(c, started);
    if (known !== undefined) {
      recalled?.(since(started));
      return decide(known);
    }
    let found;
    try {
      found = sessions.remember(c, authenticator.authenticateRequest(requestOf(c)));
    } catch (e) {
      return failed(e);
    }
    if (found instanceof Promise) return found.then(decide, failed);
    return decide(found);

    function decide(found: AuthenticationResponse | undefined): void | Promise<void | Response> {
      if (found === undefined) {
        observe("failure", undefined, since(started));
        return unauthorized(c, refusals.wait(c.env.remoteAddress, c.get("signal")));
      }
      const granted = found.audiences;
      if (audiences.length > 0 && granted !== undefined && granted.length > 0 && granted !== audiences) {
        if (intersect(granted, audiences).length === 0) {
          const accepted = audiences.join(" ");
          return failed(new Error(`unable to match the audience: [${granted.join(" ")}], accepted: [${accepted}]`));
        }
      }
      observe("success", found, since(started));
      if (found.warnings !== undefined || found.auditAnnotations !== undefined) note(c, found);
      c.set("user", found.user);
      return next();
    }

    function failed(error: unknown): Promise<Response> {
      observe("error", undefined, since(started));
      const held = refusals.wait(c.env.remoteAddress, c.get("signal"));
      log(error, c.env.remoteAddress, held !== undefined);
      return unauthorized(c, held);
    }
  };
}

function since(started: number): number {
  return (performance.now() - started) / 1000;
}

/** Milliseconds between two words about refusals that are held. */
const HELD_LOG_INTERVAL = 10_000;

/** Each failure is told, but for those that come so fast that they have to wait: then one stands for many. */
function failureLog(): (error: unknown, srcIP: string, held: boolean) => void {
  let count = 0, last = -Infinity;
  return (error, srcIP, held) => {
    if (!held) return logError("Unable to authenticate the request", error);
    count++;
    const now = performance.now();
    if (now - last < HELD_LOG_INTERVAL) return;
    logError("Unable to authenticate many requests, which are answered late", error, { srcIP, count });
    last = now;
    count = 0;
  };
}

/** How long, in milliseconds, what a connection's last credential turned out to be is taken for granted. */
const SESSION_TTL = 250;

interface Session {
  authorization: string;
  found: AuthenticationResponse;
  expires: number;
}

/**
 * Clients send one credential with every request of a connection: it is looked at now and then only. Known by its
 * connection, a header is compared with nobody's but that client's own. Connections with a certificate are always asked.
 */
class SessionMemory {
  readonly #sessions = new WeakMap<ConnectionInfo, Session>();

  recall(c: RequestHandlerContext, now: number): AuthenticationResponse | undefined {
    const session = this.#sessions.get(c.env);
    if (session === undefined || session.expires < now) return undefined;
    return c.req.raw.headers.get("authorization") === session.authorization ? session.found : undefined;
  }

  remember<T extends Found | Promise<Found>>(c: RequestHandlerContext, found: T): T {
    if (found instanceof Promise || found === undefined || c.env.peerCertificates !== undefined) return found;
    const authorization = c.req.raw.headers.get("authorization");
    // Who is nobody may be so at some paths only; what is told about the credential has to be told each time.
    if (authorization === null || found.user.name === ANONYMOUS || c.get("warnings").length > 0) return found;
    this.#sessions.set(c.env, { authorization, found, expires: performance.now() + SESSION_TTL });
    return found;
  }
}

type Found = AuthenticationResponse | undefined;

async function unauthorized(c: RequestHandlerContext, held: Promise<void> | undefined): Promise<Response> {
  if (held !== undefined) {
    // A client that sets itself an early deadline is answered no earlier than others.
    c.set("refused", true);
    await held;
  }
  return await respondError(c, UNAUTHORIZED);
}

/** Made once: what a stack costs is more than all the rest of refusing. */
const UNAUTHORIZED = unauthorizedError();

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
