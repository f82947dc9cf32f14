// What filters are, and how they make a chain. They are Hono middleware, but Hono would run each in an async function
// of its own: twenty promises for an answer that is there at once, which took longer than all that the filters do.
import type { RequestHandlerContext } from "../../endpoints/env.ts";

/** Nothing when all is done, else a promise of that. */
export type Done = void | Promise<void>;

/**
 * Hands over with `next`, after which `c.res` is the answer, or answers itself. What `next` returns has to be returned
 * or waited for.
 */
export type Filter = (c: RequestHandlerContext, next: () => Done) => Response | void | Promise<Response | void>;

/** What stands at the end of a chain. */
export type ChainHandler = (c: RequestHandlerContext) => Response | Promise<Response>;

type Step = (c: RequestHandlerContext) => Done;

/** The first filter comes first. The handler must not throw. */
export function chainOf(filters: readonly Filter[], handler: ChainHandler): ChainHandler {
  const first = filters.reduceRight<Step>(inFrontOf, (c) => settle(c, handler(c)));
  return (c) => {
    const pending = first(c);
    return pending instanceof Promise ? pending.then(() => c.res) : c.res;
  };
}

function inFrontOf(next: Step, filter: Filter): Step {
  return (c) => {
    let behind: Done = undefined;
    const answer = filter(c, () => behind = next(c));
    // What comes from behind is settled already.
    return answer === behind ? behind : settle(c, answer);
  };
}

function settle(c: RequestHandlerContext, answer: ReturnType<Filter>): Done {
  if (answer instanceof Promise) return answer.then((response) => take(c, response));
  take(c, answer);
}

/** The first answer counts: one that comes too late is nobody's. */
function take(c: RequestHandlerContext, answer: Response | void): void {
  if (answer !== undefined && !c.finalized) c.res = answer;
}

/** For a filter that has something to do when the answer is there. */
export function afterwards(pending: Done, run: () => void): Done {
  if (pending instanceof Promise) return pending.then(run);
  run();
}
