// How long a request may take: --request-timeout, or less where `?timeout=` says so. Long-running ones have no limit.
import type { Filter } from "../../endpoints/env.ts";
import { respondError } from "../../endpoints/respond.ts";
import { badRequestError, timeoutError } from "../../machinery/errors.ts";
import { parseDuration } from "../../machinery/duration.ts";
import { isLongRunning } from "./wait_group.ts";

export interface DeadlineOptions {
  /** Milliseconds. */
  requestTimeout: number;
  /** Ends everything when the server stops at once. */
  stopped: AbortSignal;
}

export function deadline({ requestTimeout, stopped }: DeadlineOptions): Filter {
  return async (c, next) => {
    const request = c.req.raw;
    if (isLongRunning(c.get("requestInfo"))) {
      c.set("signal", AbortSignal.any([request.signal, stopped]));
      return await next();
    }
    const search = c.get("url").search;
    let limit = requestTimeout;
    if (search.includes("timeout=")) {
      const given = c.get("url").searchParams.get("timeout") ?? "";
      const parsed = given === "" ? undefined : parseDuration(given);
      if (given !== "" && (parsed === undefined || parsed < 0)) {
        return await respondError(c, badRequestError(`invalid timeout specified in the request URI: ${given}`));
      }
      if (parsed !== undefined && parsed > 0) limit = Math.min(parsed, requestTimeout);
    }
    // The request's own signal costs a listener each; most requests end long before anybody would look at it.
    c.set("signal", request.signal);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<"late">((resolve) => timer = setTimeout(() => resolve("late"), limit));
    try {
      const done = next();
      if (await Promise.race([done, late]) !== "late") return;
      done.catch(() => {});
      const { method } = request;
      return await respondError(
        c,
        timeoutError(`request did not complete within the allotted timeout`, method === "GET" ? 0 : 0),
      );
    } finally {
      clearTimeout(timer);
    }
  };
}
