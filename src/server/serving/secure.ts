// The secure port: the TLS front in its worker, and Deno.serve behind it on a loopback port.
import type { ConnectionInfo } from "../../endpoints/env.ts";
import { logWarning } from "../../logging/mod.ts";
import { startWorker } from "../../worker.ts";
import type { SecureServingConfig } from "../config.ts";
import { opensslCiphers } from "./cipher_suites.ts";
import { type LameDuck, lameDuck } from "./lame_duck.ts";
import { type ConnectionHandler, type Listener, ListenError, listenError } from "./listener.ts";
import { BACKEND_HOST, ConnectionTable, type FromFront, type OpenedConnection, type ToFront } from "./protocol.ts";

/** How long after its connection's end a port is kept from being used again. */
const QUARANTINE = 1_000;

export interface SecureListenOptions {
  config: SecureServingConfig;
  /** PEM bundles of the CAs that client certificates may come from; clients are told their names. */
  clientCAs: readonly string[];
  handler: ConnectionHandler;
}

/** Listens; throws a ListenError when that fails. */
export async function listenSecure(options: SecureListenOptions): Promise<SecureListener> {
  const listener = new SecureListener(options);
  await listener.listening;
  return listener;
}

class SecureListener implements Listener {
  readonly hostname: string;
  port = 0;
  readonly listening: Promise<void>;
  readonly failed: Promise<never>;
  readonly #duck: LameDuck;
  readonly #front: Worker;
  readonly #backend: Deno.HttpServer<Deno.NetAddr>;
  readonly #table = new ConnectionTable();
  readonly #connections = new Map<number, ConnectionInfo>();
  readonly #awaited = new Map<number, PromiseWithResolvers<ConnectionInfo>>();
  readonly #drained = Promise.withResolvers<void>();
  #closedPorts: number[] = [];

  constructor(options: SecureListenOptions) {
    const { config, clientCAs } = options;
    this.#duck = lameDuck(options.handler);
    this.hostname = config.bindAddress;
    this.#backend = Deno.serve(
      { hostname: BACKEND_HOST, port: 0, onListen: () => {} },
      (request, info) => this.#handle(request, info.remoteAddr),
    );
    this.#front = startWorker("kubelith-front");
    const listening = Promise.withResolvers<void>();
    const failed = Promise.withResolvers<never>();
    failed.promise.catch(() => {}); // Whoever runs the listener asks for it; before that nobody listens.
    this.listening = listening.promise;
    this.failed = failed.promise;
    this.#front.onerror = (event) => {
      event.preventDefault();
      failed.reject(new Error(`the TLS front broke: ${event.message}`));
      listening.reject(new ListenError(event.message));
    };
    this.#front.onmessage = ({ data }: MessageEvent<FromFront>) => {
      switch (data.type) {
        case "listening":
          this.port = data.port;
          return listening.resolve();
        case "failed":
          failed.reject(new Error(data.message));
          return listening.reject(listenError("--secure-port", config, data));
        case "opened":
          return this.#opened(data.connection);
        case "closed":
          return this.#closed(data.id, data.port);
        case "warning":
          return logWarning(data.message, data.fields);
        case "drained":
          return this.#drained.resolve();
      }
    };
    this.#post({
      type: "listen",
      settings: {
        hostname: config.bindAddress,
        port: config.port,
        certificate: config.certificate,
        sni: config.sniCertificates,
        clientCAs,
        minVersion: config.minVersion,
        ciphers: opensslCiphers(config.cipherSuites),
        alpn: config.http2 ? ["h2", "http/1.1"] : ["http/1.1"],
        backendPort: this.#backend.addr.port,
        connections: this.#table.memory,
      },
    });
  }

  #post(message: ToFront): void {
    this.#front.postMessage(message);
  }

  /** Finds who is at the other end of the front. The connection's news may be later than its first request. */
  #handle(request: Request, from: Deno.NetAddr): Response | Promise<Response> {
    const { handler } = this.#duck;
    const id = from.hostname === BACKEND_HOST ? this.#table.idOf(from.port) : 0;
    if (id === 0) return new Response(null, { status: 403, headers: { connection: "close" } });
    const connection = this.#connections.get(id);
    if (connection) return handler(request, connection);
    let awaited = this.#awaited.get(id);
    if (!awaited) this.#awaited.set(id, awaited = Promise.withResolvers());
    return awaited.promise.then((connection) => handler(request, connection));
  }

  #opened({ id, remoteAddress, peerCertificates }: OpenedConnection): void {
    const connection: ConnectionInfo = { remoteAddress, peerCertificates, secure: true };
    this.#connections.set(id, connection);
    this.#awaited.get(id)?.resolve(connection);
    this.#awaited.delete(id);
  }

  // A request that came in just before its connection closed may not have reached the handler yet, and would be taken
  // for one of the next connection from the same port. By the time the timer runs all of them have.
  #closed(id: number, port: number): void {
    this.#connections.delete(id);
    this.#closedPorts.push(port);
    if (this.#closedPorts.length > 1) return;
    const timer = setTimeout(() => {
      this.#post({ type: "released", ports: this.#closedPorts });
      this.#closedPorts = [];
    }, QUARANTINE);
    Deno.unrefTimer(timer);
  }

  /** Serves these certificates from now on. */
  setCertificates(config: Pick<SecureServingConfig, "certificate" | "sniCertificates">): void {
    this.#post({ type: "certificates", certificate: config.certificate, sni: config.sniCertificates });
  }

  async shutdown(): Promise<void> {
    this.#post({ type: "stop accepting" });
    if (this.#connections.size > 0) await this.#duck.begin();
    await this.#backend.shutdown();
    await this.#drained.promise;
    this.#front.terminate();
  }

  async close(): Promise<void> {
    this.#post({ type: "close" });
    await this.#drained.promise;
    this.#front.terminate();
    await this.#backend.shutdown();
  }
}

export type { SecureListener };
