// Watches over the log: what was missed is read from the file, everything after that is handed on as it is committed.
import { type BackendWatch, type Change, CompactedError } from "../interface.ts";
import { prefixEnd } from "../key_range.ts";
import { Turns } from "../turns.ts";
import type { Reader } from "./reader.ts";

export interface WatchRequest {
  prefix: string;
  after: number;
  onChanges(changes: readonly Change[], upTo: number): void;
  onEnd(error?: Error): void;
  /** Fill in the values before, and those of deletes. */
  previous: boolean;
}

/** How far the database is. */
export interface Position {
  revision(): number;
  compacted(): number;
}

export interface Watches {
  start(request: WatchRequest, position: Position): BackendWatch;
  /** Hands on changes that were committed just now. */
  dispatch(changes: readonly Change[], upTo: number): void;
  /** Ends every watch. */
  end(): void;
}

/** Changes that are read from the file in one go while catching up. */
const CATCH_UP_AT_ONCE = 100;

interface Watch extends WatchRequest {
  /** undefined once it has caught up. */
  caughtUpTo: number | undefined;
}

export function createWatches(reader: Reader): Watches {
  const watches = new Set<Watch>();

  async function catchUp(watch: Watch, position: Position): Promise<void> {
    const end = prefixEnd(watch.prefix), turns = new Turns();
    while (watches.has(watch)) {
      const after = watch.caughtUpTo!, upTo = position.revision();
      if (after < position.compacted()) throw new CompactedError(position.compacted());
      const changes = after >= upTo ? [] : reader.log(watch.prefix, end, {
        after,
        upTo,
        limit: CATCH_UP_AT_ONCE,
        previous: watch.previous,
      });
      const whole = changes.length < CATCH_UP_AT_ONCE;
      watch.caughtUpTo = whole ? undefined : changes[changes.length - 1].revision;
      watch.onChanges(changes, watch.caughtUpTo ?? Math.max(upTo, after));
      if (whole) return;
      if (turns.over) await turns.othersFirst();
    }
  }

  return {
    start(request, position) {
      // A watch from the future stays silent until the database gets there.
      const watch: Watch = { ...request, caughtUpTo: request.after };
      watches.add(watch);
      catchUp(watch, position).catch((error) => {
        if (watches.delete(watch)) watch.onEnd(error);
      });
      return {
        stop: () => {
          watches.delete(watch);
        },
        progress: () => watch.caughtUpTo ?? position.revision(),
      };
    },
    dispatch(changes, upTo) {
      for (const watch of watches) {
        if (watch.caughtUpTo !== undefined) continue;
        let mine: Change[] | undefined;
        for (const change of changes) {
          if (!change.key.startsWith(watch.prefix) || change.revision <= watch.after) continue;
          (mine ??= []).push(watch.previous ? reader.withPrevious(change) : change);
        }
        if (mine !== undefined) watch.onChanges(mine, upTo);
      }
    },
    end() {
      for (const watch of watches) watch.onEnd();
      watches.clear();
    },
  };
}
