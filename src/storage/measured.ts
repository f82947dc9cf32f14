// A backend that tells how long its operations take, for one resource.
import type { Backend, BackendStats, BackendWatch, Value, WriteResult } from "./interface.ts";

/** kube-apiserver's names of what it does with etcd. */
export type Operation = "create" | "update" | "delete" | "get" | "list" | "count";

/** Told of each operation once it is done. */
export type Record = (operation: Operation, seconds: number, failed: boolean) => void;

/** Reads and writes are counted; the rest is handed on. */
export class MeasuredBackend implements Backend {
  readonly #backend: Backend;
  readonly #record: Record;

  constructor(backend: Backend, record: Record) {
    this.#backend = backend;
    this.#record = record;
  }

  put(key: string, value: Value, options: Parameters<Backend["put"]>[2]): Promise<WriteResult> {
    const operation = options.expected === 0 ? "create" : "update";
    return this.#timed(operation, () => this.#backend.put(key, value, options));
  }

  delete(key: string, options: Parameters<Backend["delete"]>[1]): Promise<WriteResult> {
    return this.#timed("delete", () => this.#backend.delete(key, options));
  }

  get(key: string): ReturnType<Backend["get"]> {
    return this.#timed("get", () => this.#backend.get(key));
  }

  range(...request: Parameters<Backend["range"]>): ReturnType<Backend["range"]> {
    return this.#timed("list", () => this.#backend.range(...request));
  }

  count(prefix: string): Promise<number> {
    return this.#timed("count", () => this.#backend.count(prefix));
  }

  watch(...request: Parameters<Backend["watch"]>): BackendWatch {
    return this.#backend.watch(...request);
  }

  get appliedRevision(): number | undefined {
    return this.#backend.appliedRevision;
  }

  currentRevision(): Promise<number> {
    return this.#backend.currentRevision();
  }

  compactRevision(): Promise<number> {
    return this.#backend.compactRevision();
  }

  compact(revision: number): Promise<void> {
    return this.#backend.compact(revision);
  }

  stats(): Promise<BackendStats> {
    return this.#backend.stats();
  }

  start(): Promise<void> {
    return this.#backend.start();
  }

  close(): Promise<void> {
    return this.#backend.close();
  }

  healthy(timeout: number): Promise<void> {
    return this.#backend.healthy(timeout);
  }

  async #timed<T>(operation: Operation, run: () => Promise<T>): Promise<T> {
    const start = performance.now();
    let failed = true;
    try {
      const result = await run();
      failed = false;
      return result;
    } finally {
      this.#record(operation, (performance.now() - start) / 1000, failed);
    }
  }
}
