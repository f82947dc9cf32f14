// Calls of etcd over gRPC: one connection to each member, the next member when one does not answer.
// @ts-types="../grpc/grpc.d.ts"
import { Client, type ClientDuplexStream, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { grpcMessageOf } from "../grpc/message.ts";
import { internalError } from "../../machinery/errors.ts";
import type { Method } from "./messages.ts";

export interface ConnectionOptions {
  /** URLs of the members: `https://10.0.0.1:2379`. */
  servers: readonly string[];
  /** PEM. */
  ca?: string;
  cert?: string;
  key?: string;
}

/** Milliseconds that one member has for an answer, and all of them together. */
const ATTEMPT_TIMEOUT = 5000, CALL_TIMEOUT = 15_000;
/** Milliseconds before the next attempt; doubles up to the longest. */
const FIRST_PAUSE = 20, LONGEST_PAUSE = 500;

const OPTIONS = {
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 10_000,
  "grpc.initial_reconnect_backoff_ms": 50,
  "grpc.max_reconnect_backoff_ms": 1000,
};

/** An answer, and how often it was asked for: more than once means that an earlier attempt may have been done, too. */
export interface Answer<Response> {
  response: Response;
  attempts: number;
}

/** A running two-way call. */
export type Stream<Request, Response> = ClientDuplexStream<Request, Response>;

export class Connection {
  readonly #clients: readonly Client[];
  readonly #servers: readonly string[];
  #current = 0;
  #closed = false;

  constructor({ servers, ca, cert, key }: ConnectionOptions) {
    const bytes = (pem: string | undefined) => pem === undefined ? null : Buffer.from(pem);
    this.#servers = servers;
    this.#clients = servers.map((server) => {
      const url = new URL(server);
      const address = `${url.hostname}:${url.port || "2379"}`;
      const secure = url.protocol === "https:";
      return new Client(
        address,
        secure ? credentials.createSsl(bytes(ca), bytes(key), bytes(cert)) : credentials.createInsecure(),
        OPTIONS,
      );
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  get size(): number {
    return this.#clients.length;
  }

  /**
   * Calls until a member answers or the time is up. Errors that say something of the request are thrown at once, as
   * grpc's ServiceError; that nobody answers is an internal error.
   * @param options.timeout milliseconds for all attempts together
   */
  async call<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    options: { timeout?: number } = {},
  ): Promise<Answer<Response>> {
    const deadline = Date.now() + (options.timeout ?? CALL_TIMEOUT);
    for (let attempts = 1, pause = FIRST_PAUSE;; attempts++, pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const member = this.#current;
      try {
        const limit = Math.min(deadline, Date.now() + ATTEMPT_TIMEOUT);
        return { response: await this.callMember(member, method, request, limit), attempts };
      } catch (error) {
        if (this.#closed || !isPassing(error as ServiceError)) throw error;
        if (Date.now() + pause >= deadline) throw unreachable(this.#servers[member], error);
        this.leave(member);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  /** Calls one member once. */
  callMember<Request, Response>(
    member: number,
    { path, serialize, deserialize }: Method<Request, Response>,
    request: Request,
    deadline: number,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#clients[member].makeUnaryRequest(
        path,
        serialize,
        deserialize,
        request,
        new Metadata(),
        { deadline },
        (error, response) => error === null ? resolve(response!) : reject(error),
      );
    });
  }

  /** Opens a stream to the present member. */
  open<Request, Response>(
    { path, serialize, deserialize }: Method<Request, Response>,
  ): { stream: Stream<Request, Response>; member: number } {
    const member = this.#current;
    return { member, stream: this.#clients[member].makeBidiStreamRequest(path, serialize, deserialize) };
  }

  /** The member did not answer: others are asked from now on. */
  leave(member: number): void {
    if (this.#current === member) this.#current = (member + 1) % this.#clients.length;
  }

  close(): void {
    this.#closed = true;
    for (const client of this.#clients) client.close();
  }
}

/** Whether another attempt, maybe with another member, can go better. */
function isPassing({ code, details = "" }: ServiceError): boolean {
  // Nobody cancels but a connection that goes away.
  if ([status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED].includes(code)) return true;
  // A connection that broke in the middle is an internal error to grpc.
  return /leader changed|no leader|too many requests|not healthy|RST_STREAM/.test(details);
}

function unreachable(server: string, error: unknown): Error {
  return internalError(`etcd cannot be reached at ${server}: ${grpcMessageOf(error)}`);
}
