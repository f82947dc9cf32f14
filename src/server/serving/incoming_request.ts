// A request that came in, as much of Fetch's Request as a server needs: making a real one costs as much as answering it.
import type { PlainHeaders } from "../../endpoints/plain_headers.ts";

export interface IncomingHead {
  method: string;
  scheme: string;
  /** With the query. */
  path: string;
  headers: PlainHeaders;
}

/** What the client sends behind the head. */
export interface RequestBody {
  /** Somebody reads it, or has. */
  readonly used: boolean;
  collect(): Promise<Uint8Array<ArrayBuffer>>;
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Stands where a client named no host: a URL has to have one. */
const NO_HOST = "localhost";

export class IncomingRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly url: string;
  readonly #body: RequestBody | undefined;
  #controller: AbortController | undefined;
  #stream: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;
  #gone = false;

  /** @param body undefined when the request has none */
  constructor(head: IncomingHead, body: RequestBody | undefined) {
    this.method = head.method;
    this.headers = head.headers;
    this.url = `${head.scheme}://${head.headers.get("host") || NO_HOST}${head.path}`;
    this.#body = body;
  }

  /** Aborted when the client has gone or does not want the answer any more. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#gone) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** The client will not see an answer. */
  static abort(request: IncomingRequest): void {
    request.#gone = true;
    request.#controller?.abort();
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.#body === undefined) return null;
    return this.#stream ??= this.#body.stream();
  }

  get bodyUsed(): boolean {
    return this.#body?.used ?? false;
  }

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#body === undefined ? Promise.resolve(new Uint8Array()) : this.#body.collect();
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const bytes = await this.bytes();
    return bytes.buffer;
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}
