// Workers of this program: each runs the program's own entry file again and finds its role by its name, so that the
// whole program can be one file.

/** What a worker does: its name is what `self.name` says in it. */
export type WorkerRole = "kubelith-front" | "kubelith-writer";

// The entry as seen from the source tree. A bundle has one URL for everything and says so itself.
let entry = new URL("../main.ts", import.meta.url).href;

/** Tells where the program's entry file is. */
export function setWorkerEntry(url: string): void {
  entry = url;
}

export function workerEntry(): URL {
  return new URL(entry);
}

/** Starts a worker in its role. */
export function startWorker(role: WorkerRole): Worker {
  return new Worker(entry, { type: "module", name: role });
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
  run();
  for (const event of early) dispatchEvent(new MessageEvent("message", { data: event.data }));
}
