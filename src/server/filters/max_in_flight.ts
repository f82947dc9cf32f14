// No more requests at once than the server was told it may have: 429 beyond. Long-running ones do not count.
import { SYSTEM_MASTERS } from "../../authentication/interface.ts";
import type { Filter } from "../../endpoints/env.ts";
import { respondError } from "../../endpoints/respond.ts";
import { tooManyRequestsError } from "../../machinery/errors.ts";
import { isLongRunning } from "./wait_group.ts";

export interface MaxInFlightOptions {
  /** Requests that only read; 0 for no limit. */
  maxRequestsInFlight: number;
  maxMutatingRequestsInFlight: number;
}

const READING = new Set(["get", "list", "watch", "head", "options"]);

export function maxInFlight({ maxRequestsInFlight, maxMutatingRequestsInFlight }: MaxInFlightOptions): Filter {
  const running = { reading: 0, mutating: 0 };
  const limits = { reading: maxRequestsInFlight, mutating: maxMutatingRequestsInFlight };
  return async (c, next) => {
    const info = c.get("requestInfo");
    if (isLongRunning(info)) return await next();
    const kind = READING.has(info.verb) ? "reading" : "mutating";
    const full = limits[kind] > 0 && running[kind] >= limits[kind];
    // Whoever may do everything must be able to, above all when the server is overloaded.
    if (full && !c.get("user").groups.includes(SYSTEM_MASTERS)) {
      const error = tooManyRequestsError("Too many requests, please try again later.", 1);
      const response = await respondError(c, error);
      response.headers.set("retry-after", "1");
      return response;
    }
    running[kind]++;
    try {
      return await next();
    } finally {
      running[kind]--;
    }
  };
}
