// How long a request may take: --request-timeout, or less where `?timeout=` says so. Long-running ones have no limit.
import type { RequestHandlerContext } from "../../endpoints/env.ts";
import { respondError } from "../../endpoints/respond.ts";
import { badRequestError, timeoutError } from "../../machinery/errors.ts";
import { parseDuration } from "../../machinery/duration.ts";
import { goQuote } from "../../machinery/go_text.ts";
import { DeadlineQueue } from "../deadline_queue.ts";
import type { Done, Filter } from "./filter.ts";
import { isLongRunning } from "./long_running.ts";

export interface DeadlineOptions {
  /** Milliseconds. */
  requestTimeout: number;
  /** Ends everything when the server stops at once. */
  stopped: AbortSignal;
}

const LATE = "request did not complete within requested timeout - context deadline exceeded";

export function deadline({ requestTimeout, stopped }: DeadlineOptions): Filter {
  const queue = new DeadlineQueue(requestTimeout);
  return (c, next) => {
    const { signal } = c.req.raw;
    if (isLongRunning(c.get("requestInfo"))) {
      c.set("signal", AbortSignal.any([signal, stopped]));
      return next();
    }
    c.set("signal", signal);
    const limit = limitOf(c);
    if (limit === undefined || limit <= 0 || limit >= requestTimeout) {
      return limit === undefined ? refuseTimeout(c) : withDeadline(c, next, queue);
    }
    return withDeadline(c, next, new DeadlineQueue(limit));
  };
}

function withDeadline(c: RequestHandlerContext, next: () => Done, queue: DeadlineQueue) {
  const pending = next();
  if (pending === undefined) return;
  return new Promise<Response | void>((resolve, reject) => {
    const entry = queue.add(() => {
      if (!c.get("refused")) resolve(respondError(c, timeoutError(LATE, 0)));
    });
    pending.then(() => {
      queue.done(entry);
      resolve();
    }, (error) => {
      queue.done(entry);
      reject(error);
    });
  });
}

/** Milliseconds; 0 when nothing is said, undefined when it is no duration. */
function limitOf(c: RequestHandlerContext): number | undefined {
  const url = c.get("url");
  if (!url.search.includes("timeout")) return 0;
  const given = url.searchParams.get("timeout") ?? "";
  return given === "" ? 0 : parseDuration(given);
}

async function refuseTimeout(c: RequestHandlerContext): Promise<Response> {
  const given = c.get("url").searchParams.get("timeout")!;
  const why = /^[+-]?(\d|\.\d)/.test(given) && !/[a-zµ]/i.test(given) ? "missing unit in duration" : "invalid duration";
  const message = `invalid timeout specified in the request URL - time: ${why} ${goQuote(given)}`;
  return await respondError(c, badRequestError(message));
}
