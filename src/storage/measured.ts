// A backend that tells how long its operations take, for one resource.
import { ForwardingBackend } from "./forwarding.ts";
import type { Backend, KeyValue, Value, WriteResult } from "./interface.ts";

/** kube-apiserver's names of what it does with etcd. */
export type Operation = "create" | "update" | "delete" | "get" | "list" | "count";

/** Told of each operation once it is done. */
export type Record = (operation: Operation, seconds: number, failed: boolean) => void;

/** Reads and writes are counted; the rest is not. */
export class MeasuredBackend extends ForwardingBackend {
  readonly #record: Record;

  constructor(backend: Backend, record: Record) {
    super(backend);
    this.#record = record;
  }

  override put(key: string, value: Value, options: Parameters<Backend["put"]>[2]): Promise<WriteResult> {
    return this.#timed(options.expected === 0 ? "create" : "update", () => super.put(key, value, options));
  }

  override delete(key: string, options: Parameters<Backend["delete"]>[1]): Promise<WriteResult> {
    return this.#timed("delete", () => super.delete(key, options));
  }

  override get(key: string): Promise<KeyValue | undefined> {
    return this.#timed("get", () => super.get(key));
  }

  override range(...request: Parameters<Backend["range"]>): ReturnType<Backend["range"]> {
    return this.#timed("list", () => super.range(...request));
  }

  override count(prefix: string): Promise<number> {
    return this.#timed("count", () => super.count(prefix));
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
