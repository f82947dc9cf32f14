// What the main thread and the writer say to each other. Parallel arrays, because they are cheap to clone.
import type { Change, KeyValue, Value } from "../interface.ts";

/** A group of writes, each with its own outcome. */
export interface WriteBatch {
  keys: string[];
  /** undefined deletes. */
  values: (Value | undefined)[];
  /** The revision that the key must have; 0: there must be none. */
  expected: number[];
  /** Seconds to live; 0: for ever, undefined: as before. */
  ttls: (number | undefined)[];
  /** A crash may lose the write. */
  relaxed: boolean[];
}

export interface BatchResult {
  /** The revision of each write, 0 where it was refused. */
  revisions: number[];
  /** What is there instead, by position in the batch; undefined in the list of the refused: nothing. */
  refused?: Map<number, KeyValue | undefined>;
  /** The log's table holds every change up to this revision. */
  logged: number;
}

/** Keys whose time had come, deleted by the writer itself. */
export interface Expired {
  keys: string[];
  revisions: number[];
  prevRevisions: number[];
  logged: number;
}

/** What the main thread has to know of a database that was just opened. */
export interface Opened {
  revision: number;
  compacted: number;
  /** Changes that the pointer table does not show yet: key → revision, negative for a delete. */
  tail: Map<string, number>;
  /** Changes that are not in the log's table yet, in the order of revisions. */
  unlogged: Change[];
}

export interface WriterOptions {
  path: string;
  /** Milliseconds between compactions; 0: only when told. */
  compactionInterval: number;
  /** Pages in the write-ahead log that make a checkpoint due. */
  checkpointPages: number;
}

export type ToWriter =
  | { type: "open"; options: WriterOptions }
  | { type: "write"; id: number; batch: WriteBatch }
  | { type: "compact"; id: number; revision: number }
  | { type: "close"; id: number };

export type FromWriter =
  | { type: "opened"; opened: Opened }
  | { type: "openFailed"; message: string }
  | { type: "written"; id: number; result: BatchResult; /** That the commit took. */ seconds: number }
  | { type: "failed"; id: number; message: string }
  | { type: "expired"; expired: Expired }
  | { type: "logged"; revision: number }
  | { type: "flushed"; revision: number }
  | { type: "compacted"; revision: number }
  /** Upkeep that failed and will be tried again. */
  | { type: "trouble"; message: string }
  | { type: "done"; id: number };
