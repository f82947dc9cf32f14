// A server under comparison, reached with a bearer token; certificates are not checked.

export interface Answer {
  status: number;
  // deno-lint-ignore no-explicit-any -- whatever a server answers
  body: any;
  warnings: string[];
}

export interface RequestOptions {
  accept?: string;
  contentType?: string;
}

export class Peer {
  constructor(readonly url: string, readonly token: string) {}

  async request(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    const { accept = "application/json", contentType = "application/json" } = options;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        accept,
        "user-agent": "parity",
        ...body !== undefined && { "content-type": contentType },
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text(), warning = response.headers.get("warning");
    return { status: response.status, body: parsed(text), warnings: warning === null ? [] : [warning] };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
