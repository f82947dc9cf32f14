// A watch of a range of keys: goes on where it was when the connection breaks or a member goes.
import { type BackendWatch, type Change, CompactedError } from "../interface.ts";
import { valueOf } from "../value.ts";
import type { Connection, Stream } from "./connection.ts";
import { EVENT_DELETE, METHODS, type WatchRequest, type WatchResponse } from "./messages.ts";

export interface EtcdWatchRequest {
  key: Uint8Array;
  rangeEnd: Uint8Array;
  after: number;
  previous: boolean;
  /** A key as the layers above know it. */
  decodeKey(key: Uint8Array): string;
  onChanges(changes: readonly Change[], upTo: number): void;
  onEnd(error?: Error): void;
  /** Called once, however it ends. */
  onStop(): void;
}

/** Milliseconds before a broken watch is opened again; doubles up to the longest. */
const FIRST_PAUSE = 50, LONGEST_PAUSE = 1000;
/** Milliseconds after which progress is asked for again though no answer came. */
const PROGRESS_TIMEOUT = 200;

export class EtcdWatch implements BackendWatch {
  readonly #connection: Connection;
  readonly #request: EtcdWatchRequest;
  #stream: Stream<WatchRequest, WatchResponse> | undefined;
  #progress: number;
  #pause = FIRST_PAUSE;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #askedAt = -Infinity;
  #stopped = false;

  constructor(connection: Connection, request: EtcdWatchRequest) {
    this.#connection = connection;
    this.#request = request;
    this.#progress = request.after;
    this.#open();
  }

  progress(): number {
    return this.#progress;
  }

  /** Asks etcd how far the watch is; the answer comes as progress. */
  requestProgress(): void {
    const now = performance.now();
    if (this.#stream === undefined || now - this.#askedAt < PROGRESS_TIMEOUT) return;
    this.#askedAt = now;
    this.#stream.write({ progressRequest: {} });
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#stream?.cancel();
    this.#request.onStop();
  }

  /** Stops it and says so. */
  end(error?: Error): void {
    if (this.#stopped) return;
    this.stop();
    this.#request.onEnd(error);
  }

  #open(): void {
    const { stream, member } = this.#connection.open(METHODS.watch);
    this.#stream = stream;
    this.#askedAt = -Infinity;
    const again = () => {
      if (this.#stream !== stream) return;
      this.#stream = undefined;
      this.#reopen(member);
    };
    stream.on("data", (response: WatchResponse) => {
      if (this.#stream === stream && !this.#stopped) this.#receive(response);
    });
    stream.on("error", again);
    stream.on("end", again);
    const { key, rangeEnd, previous } = this.#request;
    const startRevision = this.#progress + 1;
    stream.write({ createRequest: { key, rangeEnd, startRevision, progressNotify: true, prevKv: previous } });
  }

  #reopen(member: number): void {
    if (this.#stopped || this.#connection.closed) return;
    this.#connection.leave(member);
    this.#timer = setTimeout(() => this.#open(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
  }

  #receive(response: WatchResponse): void {
    const { created, canceled, compactRevision, events, header } = response;
    if (compactRevision > 0) return this.end(new CompactedError(compactRevision));
    if (canceled) {
      // The member does not want it any more: another attempt begins where this one was.
      this.#stream?.cancel();
      return;
    }
    this.#pause = FIRST_PAUSE;
    if (created) return;
    try {
      const changes = events.map((event) => this.#changeOf(event));
      // A response holds whole revisions. One without events says that there are none up to its revision.
      const upTo = changes.at(-1)?.revision ?? header.revision;
      if (changes.length === 0) this.#askedAt = -Infinity;
      this.#progress = Math.max(this.#progress, upTo);
      this.#request.onChanges(changes, this.#progress);
    } catch (error) {
      this.end(error as Error);
    }
  }

  #changeOf({ type, kv, prevKv }: WatchResponse["events"][number]): Change {
    const { decodeKey, previous } = this.#request;
    const isNew = type !== EVENT_DELETE && kv.createRevision === kv.modRevision;
    // What was there before is gone when it has been compacted meanwhile.
    if (previous && !isNew && prevKv === null) throw new CompactedError(kv.modRevision - 1);
    return {
      type: type === EVENT_DELETE ? "delete" : "put",
      key: decodeKey(kv.key),
      value: type === EVENT_DELETE ? prevKv === null ? "" : valueOf(prevKv.value) : valueOf(kv.value),
      revision: kv.modRevision,
      prevRevision: prevKv?.modRevision ?? 0,
      prevValue: prevKv === null ? undefined : valueOf(prevKv.value),
    };
  }
}
