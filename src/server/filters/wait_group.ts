// Requests in flight, so that a server that stops can wait for them; watches and other long ones are counted apart.
import type { Filter } from "../../endpoints/env.ts";
import type { RequestInfo } from "../../endpoints/request_info.ts";

const LONG_VERBS = new Set(["watch", "proxy"]);
const LONG_SUBRESOURCES = new Set(["attach", "exec", "proxy", "log", "portforward"]);

/** Whether a request lasts as long as its client likes. */
export function isLongRunning({ isResourceRequest, verb, subresource, path }: RequestInfo): boolean {
  if (!isResourceRequest) return path.startsWith("/debug/pprof/");
  return LONG_VERBS.has(verb) || (subresource !== "" && LONG_SUBRESOURCES.has(subresource));
}

export class RequestWaitGroup {
  #running = 0;
  #idle: (() => void)[] = [];

  get size(): number {
    return this.#running;
  }

  add(): void {
    this.#running++;
  }

  done(): void {
    if (--this.#running > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Resolves when nothing runs. */
  wait(): Promise<void> {
    return this.#running === 0 ? Promise.resolve() : new Promise((resolve) => void this.#idle.push(resolve));
  }
}

export function waitGroup(group: RequestWaitGroup): Filter {
  return (c, next) => isLongRunning(c.get("requestInfo")) ? next() : counted(group, next);
}

async function counted(group: RequestWaitGroup, next: () => Promise<void>): Promise<void> {
  group.add();
  try {
    await next();
  } finally {
    group.done();
  }
}
