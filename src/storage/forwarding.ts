// A backend that hands everything on: what stands in front of another one changes only what it is there for.
import type { Backend, BackendStats, BackendWatch, KeyValue, Value, WriteResult } from "./interface.ts";

export class ForwardingBackend implements Backend {
  constructor(protected readonly backend: Backend) {}

  put(key: string, value: Value, options: Parameters<Backend["put"]>[2]): Promise<WriteResult> {
    return this.backend.put(key, value, options);
  }

  delete(key: string, options: Parameters<Backend["delete"]>[1]): Promise<WriteResult> {
    return this.backend.delete(key, options);
  }

  get(key: string): Promise<KeyValue | undefined> {
    return this.backend.get(key);
  }

  range(...request: Parameters<Backend["range"]>): ReturnType<Backend["range"]> {
    return this.backend.range(...request);
  }

  count(prefix: string): Promise<number> {
    return this.backend.count(prefix);
  }

  watch(...request: Parameters<Backend["watch"]>): BackendWatch {
    return this.backend.watch(...request);
  }

  get appliedRevision(): number | undefined {
    return this.backend.appliedRevision;
  }

  currentRevision(): Promise<number> {
    return this.backend.currentRevision();
  }

  compactRevision(): Promise<number> {
    return this.backend.compactRevision();
  }

  compact(revision: number): Promise<void> {
    return this.backend.compact(revision);
  }

  stats(): Promise<BackendStats> {
    return this.backend.stats();
  }

  start(): Promise<void> {
    return this.backend.start();
  }

  close(): Promise<void> {
    return this.backend.close();
  }

  healthy(timeout: number): Promise<void> {
    return this.backend.healthy(timeout);
  }
}
