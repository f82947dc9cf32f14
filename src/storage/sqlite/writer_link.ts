// How the main thread reaches the writer: by messages to a worker, or by calls for a database in memory.
import type { DatabaseSync } from "node:sqlite";
import type { FromWriter, ToWriter } from "./messages.ts";
import { startWorker as startWorkerInRole } from "../../worker.ts";
import { Writer, WRITER_NAME } from "./writer.ts";

export interface WriterLink {
  post(message: ToWriter): void;
  /** The writer's own connection, when it is in this thread. */
  sharedDatabase(): DatabaseSync;
  terminate(): void;
}

export interface WriterEvents {
  onMessage(message: FromWriter): void;
  /** The writer is gone. */
  onFailure(error: Error): void;
}

/** @param url the worker's module; undefined runs the writer in this thread */
export function startWriter(url: URL | undefined, events: WriterEvents): WriterLink {
  return url === undefined ? startHere(events) : startWorker(url, events);
}

function startWorker(url: URL, events: WriterEvents): WriterLink {
  const worker = startWorkerInRole(WRITER_NAME, url);
  worker.onmessage = ({ data }) => events.onMessage(data);
  worker.onerror = (event) => {
    event.preventDefault();
    events.onFailure(new Error(event.message));
  };
  return {
    post: (message) => worker.postMessage(message),
    sharedDatabase() {
      throw new Error("the writer's connection is in another thread");
    },
    terminate: () => worker.terminate(),
  };
}

function startHere(events: WriterEvents): WriterLink {
  const writer = new Writer((message) => queueMicrotask(() => events.onMessage(message)));
  return {
    post: (message) => writer.handle(message),
    sharedDatabase: () => writer.engine!.db,
    terminate() {},
  };
}
