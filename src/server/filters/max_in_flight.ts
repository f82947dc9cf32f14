// No more requests at once than the server was told it may have: 429 beyond. Long-running ones do not count.
import { SYSTEM_MASTERS } from "../../authentication/interface.ts";
import type { RequestHandlerContext } from "../../endpoints/env.ts";
import type { Metrics } from "../../metrics/mod.ts";
import type { Done, Filter } from "./filter.ts";
import { isLongRunning } from "./long_running.ts";

export interface MaxInFlightOptions {
  /** Requests that only read; 0 for no limit. */
  maxRequestsInFlight: number;
  maxMutatingRequestsInFlight: number;
  metrics: Metrics;
}

interface Lane {
  limit: number;
  running: number;
  /** Most of them at once since somebody last asked for the metric. */
  peak: number;
}

const RETRY_AFTER_SECONDS = "1";

export function maxInFlight(options: MaxInFlightOptions): Filter {
  const reading = newLane(options.maxRequestsInFlight), mutating = newLane(options.maxMutatingRequestsInFlight);
  measure(options.metrics, { readOnly: reading, mutating });
  return (c, next) => {
    const info = c.get("requestInfo");
    if (isLongRunning(info)) return next();
    const { verb } = info;
    const lane = verb === "get" || verb === "list" ? reading : mutating;
    if (lane.running < lane.limit) return counted(lane, next);
    // Whoever may do everything must be able to, above all when the server is overloaded.
    return c.get("user").groups.includes(SYSTEM_MASTERS) ? next() : tooMany(c);
  };
}

function newLane(limit: number): Lane {
  return { limit: limit === 0 ? Infinity : limit, running: 0, peak: 0 };
}

function measure(metrics: Metrics, lanes: Readonly<Record<string, Lane>>): void {
  metrics.onCollect(() => {
    for (const [request_kind, lane] of Object.entries(lanes)) {
      metrics.set("inflight", { request_kind }, lane.peak);
      lane.peak = lane.running;
    }
  });
}

function counted(lane: Lane, next: () => Done): Done {
  if (++lane.running > lane.peak) lane.peak = lane.running;
  let pending: Done = undefined;
  try {
    pending = next()?.finally(() => lane.running--);
    return pending;
  } finally {
    if (pending === undefined) lane.running--;
  }
}

function tooMany(c: RequestHandlerContext): Response {
  return c.text("Too many requests, please try again later.\n", 429, { "retry-after": RETRY_AFTER_SECONDS });
}
