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
    const operation = options.expected === 0 ? "create" : "update";
    return this.#timed(operation, performance.now(), super.put(key, value, options));
  }

  override delete(key: string, options: Parameters<Backend["delete"]>[1]): Promise<WriteResult> {
    return this.#timed("delete", performance.now(), super.delete(key, options));
  }

  override get(key: string): Promise<KeyValue | undefined> {
    return this.#timed("get", performance.now(), super.get(key));
  }

  override range(...request: Parameters<Backend["range"]>): ReturnType<Backend["range"]> {
    return this.#timed("list", performance.now(), super.range(...request));
  }

  override count(prefix: string): Promise<number> {
    return this.#timed("count", performance.now(), super.count(prefix));
  }

  #timed<T>(operation: Operation, start: number, pending: Promise<T>): Promise<T> {
    const record = (failed: boolean) => this.#record(operation, (performance.now() - start) / 1000, failed);
    return pending.then((result) => {
      record(false);
      return result;
    }, (error) => {
      record(true);
      throw error;
    });
  }
}
