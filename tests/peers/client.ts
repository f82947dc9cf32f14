// A server under comparison, reached with a bearer token.

export interface Answer {
  status: number;
  // deno-lint-ignore no-explicit-any -- whatever a server answers
  body: any;
  /** The body as it came. */
  text: string;
  warnings: string[];
}

export interface RequestOptions {
  accept?: string;
  contentType?: string;
}

export class Peer {
  /** Certificates are checked with the client's CA; without one Deno has to be told to ignore them. */
  constructor(readonly url: string, readonly token: string, private readonly client?: Deno.HttpClient) {}

  async request(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    const { accept = "application/json", contentType = "application/json" } = options;
    const response = await this.fetch(path, {
      method,
      headers: { accept, ...body !== undefined && { "content-type": contentType } },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text(), warning = response.headers.get("warning");
    return { status: response.status, body: parsed(text), text, warnings: warning === null ? [] : [warning] };
  }

  /** As the global one, with the token. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${this.token}`);
    headers.set("user-agent", "parity");
    return fetch(this.url + path, { ...init, headers, client: this.client });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
