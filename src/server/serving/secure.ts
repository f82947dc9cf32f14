// The secure port: ends TLS (asking for client certificates, as Deno.serve cannot), speaks HTTP/2 itself and leaves
// HTTP/1.1 to a back end.
import { createServer, type Server, type TLSSocket } from "node:tls";
import type { Socket } from "node:net";
import type { ConnectionInfo } from "../../endpoints/env.ts";
import { logError, logWarning } from "../../logging/mod.ts";
import { pauseUnderneath } from "../../tls_backpressure.ts";
import type { SecureServingConfig } from "../config.ts";
import { Http2Connection, type Http2Options } from "./http2/connection.ts";
import { Http1Backend } from "./http1/backend.ts";
import { Http1Connection } from "./http1/connection.ts";
import { LINGER } from "./http1/join.ts";
import { type ConnectionHandler, type Listener, listenError } from "./listener.ts";
import { memoryReclaimer } from "./reclaim.ts";
import { type Certificates, TlsContexts } from "./tls_contexts.ts";
import { isX509v3 } from "./x509.ts";

/** Go's net/http allows as much for a handshake and the header together; milliseconds. */
const HANDSHAKE_TIMEOUT = 32_000;
/** How often a silent peer is asked whether it is still there; milliseconds. */
const KEEP_ALIVE_INTERVAL = 15_000;
/** How often connections are looked at for those that do nothing; milliseconds. */
const CHECK_INTERVAL = 10_000;
/** Bytes that are still taken, to be thrown away, from a client that has been told that it will not be served. */
const MAX_LATE = 4 * 1024 * 1024;
/** How long HTTP/2 clients may go on with requests after they were told to leave; milliseconds. */
const LEAVING = 100;

export interface SecureListenOptions {
  config: SecureServingConfig;
  /** PEM bundles of the CAs that client certificates may come from; clients are told their names. */
  clientCAs: readonly string[];
  handler: ConnectionHandler;
  /** Whether such a request may be answered with another protocol, if it asks for one. */
  mayUpgrade(method: string, path: string): boolean;
}

/** Listens; throws a ListenError when that fails. */
export async function listenSecure(options: SecureListenOptions): Promise<SecureListener> {
  const listener = new SecureListener(options);
  await listener.listen();
  return listener;
}

class SecureListener implements Listener {
  readonly hostname: string;
  port = 0;
  readonly failed: Promise<never>;
  readonly #config: SecureServingConfig;
  readonly #options: SecureListenOptions;
  readonly #contexts: TlsContexts;
  readonly #backend: Http1Backend;
  readonly #server: Server;
  readonly #open = new Set<TLSSocket>();
  /** Of those that are open, the ones that speak with somebody else: nobody waits for their end. */
  readonly #upgraded = new Set<Socket>();
  readonly #http1 = new Set<Http1Connection>();
  readonly #http2 = new Set<Http2Connection>();
  readonly #drained = Promise.withResolvers<void>();
  readonly #broken = Promise.withResolvers<never>();
  readonly #reclaim = memoryReclaimer();
  #stopping = false;

  constructor(options: SecureListenOptions) {
    const { config, clientCAs, handler } = options;
    this.#options = options;
    this.hostname = config.bindAddress;
    this.#config = config;
    this.failed = this.#broken.promise;
    this.failed.catch(() => {}); // Whoever runs the listener asks for it; before that nobody listens.
    this.#contexts = new TlsContexts(config, clientCAs);
    this.#backend = new Http1Backend(handler);
    this.#server = createServer({
      ...this.#contexts.options(config.certificate),
      requestCert: true,
      rejectUnauthorized: false,
      ALPNProtocols: config.http2 ? ["h2", "http/1.1"] : ["http/1.1"],
      // A callback doubles the memory of a connection even when it has nothing to say.
      ...(this.#contexts.hasNames
        ? { SNICallback: (name, callback) => callback(null, this.#contexts.contextFor(name)) }
        : {}),
      handshakeTimeout: HANDSHAKE_TIMEOUT,
      allowHalfOpen: true,
    }, (socket) => this.#accept(socket));
    // The runtime leaves open what never came to a handshake: who had gone before it began, and whose failed.
    this.#server.on("connection", (socket: Socket) => void (socket.remoteAddress === undefined && socket.destroy()));
    this.#server.on("tlsClientError", (_error, socket) => socket.destroy());
  }

  async listen(): Promise<void> {
    const { port, bindAddress } = this.#config;
    const listening = Promise.withResolvers<void>();
    this.#server.on("error", (error) => {
      this.#broken.reject(error);
      listening.reject(listenError("--secure-port", this.#config, error));
    });
    this.#server.listen({ port, host: bindAddress, backlog: 1024 }, () => {
      const address = this.#server.address();
      this.port = typeof address === "object" && address ? address.port : 0;
      listening.resolve();
    });
    await listening.promise;
    const timer = setInterval(() => {
      const now = performance.now();
      for (const connection of this.#http2) connection.check(now);
    }, CHECK_INTERVAL);
    timer.unref();
    this.#drained.promise.then(() => clearInterval(timer));
  }

  /** A client has shaken hands. */
  #accept(client: TLSSocket): void {
    const remoteAddress = client.remoteAddress;
    // Gone already, or too late: nobody would tell it to leave.
    if (remoteAddress === undefined || this.#stopping) return void client.destroy();
    client.setNoDelay(true);
    client.setKeepAlive(true, KEEP_ALIVE_INTERVAL);
    this.#open.add(client);
    client.once("close", () => {
      this.#open.delete(client);
      this.#upgraded.delete(client);
      this.#reclaim();
      this.#resolveWhenDrained();
    });
    client.once("error", () => client.destroy());
    const connection = { remoteAddress, peerCertificates: peerCertificates(client), secure: true };
    if (client.alpnProtocol === "h2") this.#serveHttp2(client, connection);
    else this.#serveHttp1(client, connection);
  }

  #serveHttp1(client: TLSSocket, info: ConnectionInfo): void {
    pauseUnderneath(client);
    const { handler, mayUpgrade } = this.#options;
    const upgraded = () => {
      this.#upgraded.add(client);
      this.#resolveWhenDrained();
    };
    const connection = new Http1Connection(client, info, { backend: this.#backend, handler, mayUpgrade, upgraded });
    this.#http1.add(connection);
    client.once("close", () => this.#http1.delete(connection));
  }

  #serveHttp2(client: TLSSocket, info: ConnectionInfo): void {
    const { maxConcurrentStreams } = this.#config;
    const options: Http2Options = {
      maxConcurrentStreams,
      handler: (request) => this.#options.handler(request, info),
      onError: (error) => logError("An answer broke off", error),
    };
    const connection = new Http2Connection({
      write: (bytes) => client.write(bytes),
      end: () => {
        if (client.writableEnded) return;
        client.end();
        setTimeout(() => client.destroy(), LINGER).unref();
        let late = 0;
        client.on("data", (chunk: Uint8Array) => void ((late += chunk.length) > MAX_LATE && client.destroy()));
      },
    }, options);
    this.#http2.add(connection);
    client.on("data", (chunk: Uint8Array) => connection.receive(chunk));
    client.on("drain", () => connection.drained());
    client.once("end", () => client.destroy());
    client.once("close", () => {
      this.#http2.delete(connection);
      connection.disconnected();
    });
  }

  /** Serves these certificates from now on. */
  setCertificates({ certificate, sniCertificates }: Certificates): void {
    try {
      this.#contexts.setNamed(sniCertificates);
      this.#server.setSecureContext(this.#contexts.options(certificate));
    } catch (error) {
      const message = "Cannot use the changed certificates, going on with those from before";
      logWarning(message, { err: (error as Error).message });
    }
  }

  async shutdown(): Promise<void> {
    this.#stopAccepting();
    for (const connection of this.#http1) connection.leave();
    for (const connection of this.#http2) connection.leave(LEAVING);
    await this.#backend.shutdown();
    await this.#drained.promise;
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#stopAccepting();
    await this.#drained.promise;
    await this.#backend.shutdown();
  }

  #stopAccepting(): void {
    if (!this.#stopping) this.#server.close();
    this.#stopping = true;
    this.#resolveWhenDrained();
  }

  #resolveWhenDrained(): void {
    if (this.#stopping && this.#open.size === this.#upgraded.size) this.#drained.resolve();
  }
}

/** The chain as DER. Only that of X.509 v3 certificates counts: the runtime checks the others' signature nowhere. */
function peerCertificates(client: TLSSocket): Uint8Array[] | undefined {
  let certificate = client.getPeerCertificate(true);
  if (!certificate?.raw) return undefined;
  if (!isX509v3(certificate.raw)) {
    logWarning("Ignoring a client certificate that is not X.509 version 3", {
      remoteAddress: client.remoteAddress ?? "",
      subject: String(certificate.subject?.CN ?? ""),
    });
    return undefined;
  }
  const chain: Uint8Array[] = [];
  while (certificate?.raw && chain.length < 10) {
    chain.push(new Uint8Array(certificate.raw));
    if (certificate.issuerCertificate === certificate) break;
    certificate = certificate.issuerCertificate;
  }
  return chain;
}

export type { SecureListener };
