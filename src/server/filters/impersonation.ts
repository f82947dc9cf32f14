// Acting as somebody else: Impersonate-User and its companions.
import type { UserInfo } from "../../authentication/interface.ts";
import type { AuthorizationAttributes, Authorizer } from "../../authorization/interface.ts";
import type { RequestHandlerContext } from "../../endpoints/env.ts";
import { respondError } from "../../endpoints/respond.ts";
import { later } from "../../later.ts";
import { wantedUser, wantsImpersonation } from "../impersonation/headers.ts";
import { attributesOf } from "./authorization.ts";
import type { Done, Filter } from "./filter.ts";

/** Users whose last successful mode is remembered. */
const REMEMBERED = 10_000;

export interface ImpersonationObserver {
  /** @param mode that allowed it, "" when none did */
  attempt(mode: string, allowed: boolean, seconds: number): void;
  /** A right that was asked for. */
  check(verb: string, allowed: boolean, seconds: number): void;
}

export function impersonation(authorizer: Authorizer, observe: ImpersonationObserver): Filter {
  const modesOf = later(async () => {
    const modes = (await import("../impersonation/modes.ts")).impersonationModes(observedChecks(authorizer, observe));
    return () => modes;
  });
  const lastModes = new Map<string, number>();

  async function impersonate(wanted: UserInfo, attributes: AuthorizationAttributes): Promise<UserInfo> {
    const modes = await modesOf();
    const started = performance.now(), seconds = () => (performance.now() - started) / 1000;
    const requestor = attributes.user.name;
    const last = lastModes.get(requestor);
    const order = [...modes.keys()];
    if (last !== undefined) order.unshift(...order.splice(last, 1));
    let refusal: unknown;
    for (const i of order) {
      try {
        const user = await modes[i].check({ wanted, attributes });
        if (user === undefined) continue;
        if (i !== last) {
          if (lastModes.size >= REMEMBERED) lastModes.clear();
          lastModes.set(requestor, i);
        }
        observe.attempt(modes[i].name, true, seconds());
        return user;
      } catch (e) {
        refusal ??= e;
      }
    }
    observe.attempt("", false, seconds());
    throw refusal;
  }

  async function act(c: RequestHandlerContext, next: () => Done): Promise<void | Response> {
    try {
      const wanted = wantedUser(c.req.raw.headers);
      if (wanted !== undefined) c.set("user", await impersonate(wanted, attributesOf(c)));
    } catch (e) {
      return await respondError(c, e);
    }
    return await next();
  }

  // Hardly anybody wants to be somebody else: for the others there is nothing to wait for.
  return (c, next) => wantsImpersonation(c.req.raw.headers) ? act(c, next) : next();
}

function observedChecks(authorizer: Authorizer, observe: ImpersonationObserver): Authorizer {
  return {
    async authorize(attributes) {
      const started = performance.now(), result = await authorizer.authorize(attributes);
      observe.check(attributes.verb, result.decision === "allow", (performance.now() - started) / 1000);
      return result;
    },
  };
}
