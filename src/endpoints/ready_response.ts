// An answer whose body is at hand. A listener that writes bytes itself takes content and headers from here: making a
// Response costs more than sending it, so that one is only made for who asks for what it alone has.
import { PlainHeaders } from "./plain_headers.ts";

export interface ReadyInit {
  status?: number;
  /** By lower-case name. */
  headers?: Readonly<Record<string, string>>;
}

export class ReadyResponse implements Response {
  readonly status: number;
  readonly headers: PlainHeaders;
  readonly statusText = "";
  readonly type = "default";
  readonly url = "";
  readonly redirected = false;
  #response: Response | undefined;

  constructor(readonly content: string | Uint8Array<ArrayBuffer>, { status = 200, headers }: ReadyInit = {}) {
    this.status = status;
    this.headers = new PlainHeaders(headers);
  }

  /** The same as a Response of the runtime's, with the headers of when it was first asked for. */
  toResponse(): Response {
    return this.#response ??= new Response(this.content, { status: this.status, headers: [...this.headers] });
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get body(): Response["body"] {
    return this.toResponse().body;
  }

  get bodyUsed(): boolean {
    return this.#response?.bodyUsed ?? false;
  }

  clone(): Response {
    return this.toResponse().clone();
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.toResponse().arrayBuffer();
  }

  blob(): Promise<Blob> {
    return this.toResponse().blob();
  }

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.toResponse().bytes();
  }

  formData(): Promise<FormData> {
    return this.toResponse().formData();
  }

  json(): Promise<unknown> {
    return this.toResponse().json();
  }

  text(): Promise<string> {
    return this.toResponse().text();
  }

  textStream(): ReadableStream<string> {
    return this.toResponse().textStream();
  }
}
