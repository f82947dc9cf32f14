// No more requests at once than the server was told it may have: 429 beyond. Long-running ones do not count.
import { SYSTEM_MASTERS } from "../../authentication/interface.ts";
import type { Filter, RequestHandlerContext } from "../../endpoints/env.ts";
import { isLongRunning } from "./long_running.ts";

export interface MaxInFlightOptions {
  /** Requests that only read; 0 for no limit. */
  maxRequestsInFlight: number;
  maxMutatingRequestsInFlight: number;
}

interface Lane {
  limit: number;
  running: number;
}

const RETRY_AFTER_SECONDS = "1";

export function maxInFlight({ maxRequestsInFlight, maxMutatingRequestsInFlight }: MaxInFlightOptions): Filter {
  const reading: Lane = { limit: maxRequestsInFlight, running: 0 };
  const mutating: Lane = { limit: maxMutatingRequestsInFlight, running: 0 };
  return (c, next) => {
    const info = c.get("requestInfo");
    if (isLongRunning(info)) return next();
    const { verb } = info;
    const lane = verb === "get" || verb === "list" || verb === "watch" ? reading : mutating;
    if (lane.limit === 0) return next();
    if (lane.running < lane.limit) return counted(lane, next);
    // Whoever may do everything must be able to, above all when the server is overloaded.
    return c.get("user").groups.includes(SYSTEM_MASTERS) ? next() : tooMany(c);
  };
}

async function counted(lane: Lane, next: () => Promise<void>): Promise<void> {
  lane.running++;
  try {
    await next();
  } finally {
    lane.running--;
  }
}

function tooMany(c: RequestHandlerContext): Promise<Response> {
  const headers = { "retry-after": RETRY_AFTER_SECONDS };
  return Promise.resolve(c.text("Too many requests, please try again later.\n", 429, headers));
}
