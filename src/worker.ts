// Workers of this program: each runs the program's own entry file again and finds its role by its name, so that the
// whole program can be one file.

import { collectWhenIdle } from "./garbage_collection.ts";

/** What a worker does: its name is what `self.name` says in it. */
export type WorkerRole = "kubelith-writer" | "kubelith-yaml";

// The entry as seen from the source tree. A bundle has one URL for everything and says so itself.
let entry = new URL("../main.ts", import.meta.url).href;

/** Tells where the program's entry file is. */
export function setWorkerEntry(url: string): void {
  entry = url;
}

export function workerEntry(): URL {
  return new URL(entry);
}

/** Workers that were started before somebody wanted them, by URL and role. */
const warm = new Map<string, Worker>();

/** Starts a worker that will be wanted soon: it loads while this thread is busy with something else. */
export function warmUpWorker(role: WorkerRole): void {
  warm.set(`${role} ${entry}`, newWorker(entry, role));
}

/** A worker in its role. The module is the program's entry unless a test brings its own. */
export function startWorker(role: WorkerRole, url: URL = workerEntry()): Worker {
  const key = `${role} ${url.href}`;
  const worker = warm.get(key) ?? newWorker(url, role);
  warm.delete(key);
  return worker;
}

function newWorker(url: URL | string, role: WorkerRole): Worker {
  return new Worker(url, { type: "module", name: role });
}

/**
 * The worker's side: loads the module of a role and runs it. Messages that come while it loads would be lost, for the
 * runtime delivers them to whatever listens by then; they are kept and delivered once the role listens.
 */
export async function runWorkerRole(load: () => Promise<() => void>): Promise<void> {
  const early: MessageEvent[] = [];
  const keep = (event: Event) => early.push(event as MessageEvent);
  addEventListener("message", keep);
  const run = await load();
  removeEventListener("message", keep);
  addEventListener("message", collectWhenIdle());
  run();
  for (const event of early) dispatchEvent(new MessageEvent("message", { data: event.data }));
}
