// HTTP/1.1 and WebSockets behind the secure port: Deno.serve on a loopback port, with a connection for each client's.
import { connect, type Socket } from "node:net";
import type { ConnectionInfo } from "../../../endpoints/env.ts";
import { type LameDuck, lameDuck } from "../lame_duck.ts";
import type { ConnectionHandler } from "../listener.ts";

/** The back end listens here, and takes connections from here only. */
const BACKEND_HOST = "127.0.0.1";
/** How long after its connection's end a port is kept from being used again; milliseconds. */
const QUARANTINE = 1_000;

/** A connection to the back end. */
export interface BackendConnection {
  socket: Socket;
  /** Closes it. Nothing else may: its port would be free before anybody knew. */
  close(): void;
}

export class Http1Backend {
  readonly #duck: LameDuck;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  /** Who is at the other end, by the port that their connection was joined from. */
  readonly #connections = new Map<number, ConnectionInfo>();
  /** Ports whose last connection may still have a request on its way to the handler. */
  readonly #quarantine = new Set<number>();
  #closedPorts: number[] = [];

  constructor(handler: ConnectionHandler) {
    this.#duck = lameDuck(handler);
    this.#server = Deno.serve(
      { hostname: BACKEND_HOST, port: 0, onListen: () => {} },
      (request, { remoteAddr: { hostname, port } }) => {
        // Ours come from one address: at the others of the loopback network anybody may take the same port.
        const connection = hostname === BACKEND_HOST ? this.#connections.get(port) : undefined;
        // Somebody else's connection to the back end.
        if (connection === undefined) return new Response(null, { status: 403, headers: { connection: "close" } });
        return this.#duck.handler(request, connection);
      },
    );
  }

  /** Connects on behalf of a client. */
  connect(client: ConnectionInfo, connected: (connection: BackendConnection) => void, failed: () => void): void {
    this.#connect((socket, port) => {
      this.#connections.set(port, client);
      let closed = false;
      const close = () => {
        if (closed) return;
        closed = true;
        this.#connections.delete(port);
        this.#isolate(port);
        socket.destroy();
      };
      socket.once("error", close);
      socket.once("close", close); // It has ended on both sides.
      connected({ socket, close });
    }, failed);
  }

  /** Connects from a port that no request of an earlier connection can be mistaken for. */
  #connect(connected: (backend: Socket, port: number) => void, failed: () => void): void {
    const backend = connect({
      port: this.#server.addr.port,
      host: BACKEND_HOST,
      allowHalfOpen: true,
      noDelay: true,
    });
    backend.once("error", failed);
    backend.once("connect", () => {
      backend.off("error", failed);
      const port = backend.localPort!;
      if (!this.#quarantine.has(port)) return connected(backend, port);
      this.#connect((other, otherPort) => {
        backend.destroy();
        connected(other, otherPort);
      }, failed);
    });
  }

  // A request that came in just before its connection closed may not have reached the handler yet, and would be taken
  // for one of the next connection from the same port. By the time the timer runs all of them have.
  #isolate(port: number): void {
    this.#quarantine.add(port);
    this.#closedPorts.push(port);
    if (this.#closedPorts.length > 1) return;
    setTimeout(() => {
      for (const closed of this.#closedPorts) this.#quarantine.delete(closed);
      this.#closedPorts = [];
    }, QUARANTINE).unref();
  }

  /** Resolves when what came in has been answered. */
  async shutdown(): Promise<void> {
    if (this.#connections.size > 0) await this.#duck.begin();
    await this.#server.shutdown();
  }
}
