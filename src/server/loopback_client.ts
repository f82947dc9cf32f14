// The server's own client: requests that go through the whole handler chain without a connection, as a user that may do
// everything. What the server itself writes is thereby defaulted, validated and tracked like anybody's.
import type { ConnectionInfo } from "../endpoints/env.ts";
import { ReadyResponse } from "../endpoints/ready_response.ts";
import { type Status, StatusError, statusError } from "../machinery/errors.ts";
import type { KubeObject } from "../machinery/types.ts";

/** What the chain is to a client: Hono's `app.fetch`. */
export type FetchHandler = (request: Request, connection: ConnectionInfo) => Response | Promise<Response>;

export interface LoopbackOptions {
  /** Known to the authenticator of this process only. */
  token: string;
  userAgent?: string;
}

const utf8 = new TextEncoder();

const CONNECTION: ConnectionInfo = { remoteAddress: "127.0.0.1", secure: true };

export class LoopbackClient {
  readonly #handler: FetchHandler;
  readonly #options: LoopbackOptions;

  constructor(handler: FetchHandler, options: LoopbackOptions) {
    this.#handler = handler;
    this.#options = options;
  }

  /** The same client under another name, which becomes the manager of the fields it writes. */
  as(userAgent: string): LoopbackClient {
    return new LoopbackClient(this.#handler, { ...this.#options, userAgent });
  }

  /** The object of a path, or undefined when there is none. Throws a StatusError for any other refusal. */
  async get(path: string): Promise<KubeObject | undefined> {
    try {
      return await this.#send("GET", path) as unknown as KubeObject;
    } catch (e) {
      if (e instanceof StatusError && e.code === 404) return undefined;
      throw e;
    }
  }

  async list(path: string): Promise<KubeObject[]> {
    return (await this.#send("GET", path)).items as KubeObject[];
  }

  /** Creates; undefined when an object of this name exists already. */
  async create(path: string, object: Record<string, unknown>): Promise<KubeObject | undefined> {
    try {
      return await this.#send("POST", path, object) as unknown as KubeObject;
    } catch (e) {
      if (e instanceof StatusError && e.reason === "AlreadyExists") return undefined;
      throw e;
    }
  }

  async update(path: string, object: Record<string, unknown>): Promise<KubeObject> {
    return await this.#send("PUT", path, object) as unknown as KubeObject;
  }

  /** A merge patch (RFC 7396). */
  async mergePatch(path: string, patch: Record<string, unknown>): Promise<KubeObject> {
    return await this.#send("PATCH", path, patch, "application/merge-patch+json") as unknown as KubeObject;
  }

  /** Server-side apply. */
  async apply(path: string, object: Record<string, unknown>, manager: string): Promise<KubeObject> {
    const query = `?force=true&fieldManager=${encodeURIComponent(manager)}`;
    return await this.#send("PATCH", path + query, object, "application/apply-patch+yaml") as unknown as KubeObject;
  }

  async delete(path: string): Promise<void> {
    await this.#send("DELETE", path);
  }

  async #send(
    method: string,
    path: string,
    body?: unknown,
    contentType = "application/json",
  ): Promise<Record<string, unknown>> {
    const headers: Record<string, string> = {
      authorization: `Bearer ${this.#options.token}`,
      accept: "application/json",
      "user-agent": this.#options.userAgent ?? "kube-apiserver",
    };
    const bytes = body === undefined ? undefined : utf8.encode(JSON.stringify(body));
    if (bytes !== undefined) {
      headers["content-type"] = contentType;
      headers["content-length"] = String(bytes.length); // So that it is not read in pieces.
    }
    const request = new Request(`https://127.0.0.1${path}`, { method, headers, body: bytes });
    const response = await this.#handler(request, CONNECTION);
    const text = await textOf(response);
    if (response.ok) return JSON.parse(text);
    throw refusal(response.status, text);
  }
}

/** An answer whose body is at hand needs no stream. */
async function textOf(response: Response): Promise<string> {
  const content = response instanceof ReadyResponse ? response.content : await response.text();
  return typeof content === "string" ? content : new TextDecoder().decode(content);
}

function refusal(code: number, text: string): StatusError {
  try {
    const status = JSON.parse(text) as Status;
    if (status.kind === "Status") return new StatusError(status);
  } catch { /* a refusal in plain text */ }
  return statusError(code, "", text);
}
