// How the backend reaches its writer: in a worker, or in the same thread for a database in memory.
import type { DatabaseSync } from "node:sqlite";
import { DatabaseRefusedError } from "./schema.ts";
import { type Write, Writer, type WriterReply, type WriterRequest, type Written } from "./writer.ts";

export interface WriterClient {
  commit(writes: readonly Write[]): Promise<Written[]>;
  compact(from: number, to: number): Promise<void>;
  close(): Promise<void>;
}

export class InProcessWriter implements WriterClient {
  readonly #writer: Writer;

  constructor(path: string) {
    this.#writer = new Writer(path);
  }

  get database(): DatabaseSync {
    return this.#writer.database;
  }

  // deno-lint-ignore require-await -- what it throws becomes a rejection
  async commit(writes: readonly Write[]): Promise<Written[]> {
    return this.#writer.commit(writes);
  }

  // deno-lint-ignore require-await -- as above
  async compact(from: number, to: number): Promise<void> {
    this.#writer.compact(from, to);
  }

  close(): Promise<void> {
    this.#writer.database.close();
    return Promise.resolve();
  }
}

type Waiting = { resolve(reply: WriterReply): void; reject(error: Error): void };

/** Distributes over `Omit`, so that each request keeps its own members. */
type Body = WriterRequest extends infer R ? R extends { id: number } ? Omit<R, "id"> : never : never;

export class WorkerWriter implements WriterClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #failure: Error | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<WriterReply>) => {
      const waiting = this.#waiting.get(data.id)!;
      this.#waiting.delete(data.id);
      waiting.resolve(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new Error(`the writer stopped: ${event.message}`));
    };
  }

  /** Throws DatabaseRefusedError. */
  static async open(path: string, workerUrl: URL): Promise<WorkerWriter> {
    const client = new WorkerWriter(new Worker(workerUrl, { type: "module", name: "kubelith-writer" }));
    const reply = await new Promise<WriterReply>((resolve, reject) => {
      client.#waiting.set(0, { resolve, reject });
      client.#worker.postMessage({ open: path });
    });
    if ("error" in reply) {
      client.#worker.terminate();
      throw new DatabaseRefusedError(reply.error);
    }
    return client;
  }

  async commit(writes: readonly Write[]): Promise<Written[]> {
    return (await this.#request({ writes: writes as Write[] }) as { written: Written[] }).written;
  }

  async compact(from: number, to: number): Promise<void> {
    await this.#request({ compact: { from, to } });
  }

  async close(): Promise<void> {
    await this.#request({ close: true });
    this.#worker.terminate();
  }

  async #request(body: Body): Promise<WriterReply> {
    if (this.#failure !== undefined) throw this.#failure;
    const id = ++this.#lastId;
    const reply = await new Promise<WriterReply>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...body });
    });
    if ("error" in reply) throw new Error(reply.error);
    return reply;
  }

  #fail(error: Error): void {
    this.#failure = error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
