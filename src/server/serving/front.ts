// The TLS front: a worker that ends TLS (which asks for client certificates, as Deno.serve cannot) and pipes the bytes
// to Deno.serve on a loopback port. It knows nothing of HTTP.
import { connect, type Socket } from "node:net";
import { createSecureContext, createServer, type SecureContext, type Server, type TLSSocket } from "node:tls";
import {
  BACKEND_HOST,
  ConnectionTable,
  type FromFront,
  type FrontSettings,
  type PemPair,
  type ToFront,
} from "./protocol.ts";
import { memoryReclaimer } from "./reclaim.ts";
import { certificateNames, isX509v3, matchServerName } from "./x509.ts";

/** Go's net/http allows as much for a handshake and the header together. */
const HANDSHAKE_TIMEOUT = 32_000;
/** How often a silent peer is asked whether it is still there. */
const KEEP_ALIVE_INTERVAL = 15_000;
/** How long a client may take to close after the last byte went out. */
const LINGER = 2_000;

/** Entry of the worker. */
export function runFront(): void {
  const scope = self as unknown as {
    onmessage: (event: MessageEvent<ToFront>) => void;
    postMessage(message: FromFront): void;
  };
  let front: Front | undefined;
  scope.onmessage = ({ data }) => {
    switch (data.type) {
      case "listen":
        front = new Front(data.settings, (message) => scope.postMessage(message));
        return front.listen();
      case "certificates":
        return front?.setCertificates(data.certificate, data.sni);
      case "released":
        return front?.release(data.ports);
      case "stop accepting":
        return front?.stopAccepting();
      case "close":
        return front?.close();
    }
  };
}

interface SniContext {
  names: readonly string[];
  context: SecureContext;
}

class Front {
  readonly #settings: FrontSettings;
  readonly #post: (message: FromFront) => void;
  readonly #table: ConnectionTable;
  readonly #open = new Set<TLSSocket>();
  #server: Server | undefined;
  #sni: SniContext[] = [];
  /** Ports whose last connection may still have a request on its way to the handler. */
  readonly #quarantine = new Set<number>();
  #nextId = 0;
  readonly #reclaim = memoryReclaimer();
  #stopping = false;

  constructor(settings: FrontSettings, post: (message: FromFront) => void) {
    this.#settings = settings;
    this.#post = post;
    this.#table = new ConnectionTable(settings.connections);
  }

  #context(pair: PemPair) {
    const { clientCAs, minVersion, ciphers } = this.#settings;
    return {
      cert: pair.cert,
      key: pair.key,
      ca: clientCAs.length > 0 ? [...clientCAs] : undefined,
      minVersion,
      ...(ciphers === "" ? {} : { ciphers }),
    };
  }

  listen(): void {
    try {
      this.#sni = this.#settings.sni.map((entry) => this.#sniContext(entry));
      const server = createServer({
        ...this.#context(this.#settings.certificate),
        requestCert: true,
        rejectUnauthorized: false,
        ALPNProtocols: [...this.#settings.alpn],
        // A callback doubles the memory of a connection even when it has nothing to say.
        ...(this.#sni.length > 0 ? { SNICallback: (name, callback) => callback(null, this.#contextFor(name)) } : {}),
        handshakeTimeout: HANDSHAKE_TIMEOUT,
        allowHalfOpen: true,
      }, (socket) => this.#accept(socket));
      this.#server = server;
      server.on("error", (error: Error & { code?: string }) => this.#fail(error));
      // The runtime leaves open what never came to a handshake: who had gone before it began, and whose failed.
      server.on("connection", (socket: Socket) => void (socket.remoteAddress === undefined && socket.destroy()));
      server.on("tlsClientError", (_error, socket) => socket.destroy());
      server.listen({ port: this.#settings.port, host: this.#settings.hostname, backlog: 1024 }, () => {
        const address = server.address();
        this.#post({ type: "listening", port: typeof address === "object" && address ? address.port : 0 });
      });
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #fail(error: Error & { code?: string }): void {
    this.#post({ type: "failed", message: error.message, code: error.code });
  }

  #sniContext(entry: PemPair & { names: readonly string[] }): SniContext {
    const names = entry.names.length > 0 ? entry.names : certificateNames(entry.cert);
    return { names, context: createSecureContext(this.#context(entry)) };
  }

  #contextFor(name: string): SecureContext | undefined {
    const index = matchServerName(name, this.#sni.map((entry) => entry.names));
    return index === undefined ? undefined : this.#sni[index].context;
  }

  setCertificates(certificate: PemPair, sni: FrontSettings["sni"]): void {
    try {
      const contexts = sni.map((entry) => this.#sniContext(entry));
      this.#server?.setSecureContext(this.#context(certificate));
      this.#sni = contexts;
    } catch (error) {
      const message = "Cannot use the changed certificates, going on with those from before";
      this.#post({ type: "warning", message, fields: { err: (error as Error).message } });
    }
  }

  /** A client has shaken hands: join it to a connection of its own to the back end. */
  #accept(client: TLSSocket): void {
    const remoteAddress = client.remoteAddress;
    if (remoteAddress === undefined) return void client.destroy(); // Gone already.
    client.setNoDelay(true);
    client.setKeepAlive(true, KEEP_ALIVE_INTERVAL);
    this.#open.add(client);
    client.once("close", () => {
      this.#open.delete(client);
      if (this.#stopping && this.#open.size === 0) this.#post({ type: "drained" });
    });
    client.once("error", () => client.destroy());
    this.#connectBackend((backend, port) => {
      if (client.destroyed) return void backend.destroy();
      const id = this.#nextId = this.#nextId % 0x7fffffff + 1;
      this.#table.mark(port, id);
      const peerCertificates = this.#peerCertificates(client);
      this.#post({ type: "opened", connection: { id, port, remoteAddress, peerCertificates } });
      join(client, backend, () => {
        this.#table.unmark(port);
        this.#quarantine.add(port);
        this.#post({ type: "closed", id, port });
        this.#reclaim();
      });
    }, () => client.destroy());
  }

  /** Connects from a port that no request of an earlier connection can be mistaken for. */
  #connectBackend(connected: (backend: Socket, port: number) => void, failed: () => void): void {
    const backend = connect({
      port: this.#settings.backendPort,
      host: BACKEND_HOST,
      allowHalfOpen: true,
      noDelay: true,
    });
    backend.once("error", failed);
    backend.once("connect", () => {
      backend.off("error", failed);
      const port = backend.localPort!;
      if (!this.#quarantine.has(port)) return connected(backend, port);
      this.#connectBackend((other, otherPort) => {
        backend.destroy();
        connected(other, otherPort);
      }, failed);
    });
  }

  /** The chain as DER. Only that of X.509 v3 certificates counts: the runtime checks the others' signature nowhere. */
  #peerCertificates(client: TLSSocket): Uint8Array[] | undefined {
    let certificate = client.getPeerCertificate(true);
    if (!certificate?.raw) return undefined;
    if (!isX509v3(certificate.raw)) {
      this.#post({
        type: "warning",
        message: "Ignoring a client certificate that is not X.509 version 3",
        fields: { remoteAddress: client.remoteAddress ?? "", subject: String(certificate.subject?.CN ?? "") },
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

  release(ports: readonly number[]): void {
    for (const port of ports) this.#quarantine.delete(port);
  }

  stopAccepting(): void {
    this.#stopping = true;
    this.#server?.close();
    if (this.#open.size === 0) this.#post({ type: "drained" });
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
    this.stopAccepting();
  }
}

/** Pipes two sockets into each other until both are closed; `closing` runs once, before the back end's port is free. */
function join(client: TLSSocket, backend: Socket, closing: () => void): void {
  let closed = false;
  const close = () => {
    if (closed) return;
    closed = true;
    closing();
    client.destroy();
    backend.destroy();
  };
  // The back end has said all: what it said still has to get out, and the client gets time to close first, for a reset
  // could overtake the last bytes.
  backend.once("end", () => {
    const linger = () => setTimeout(close, LINGER).unref();
    if (client.writableFinished) linger();
    else client.once("finish", linger);
  });
  client.once("close", close);
  backend.once("close", () => client.writableEnded || close());
  backend.once("error", close);
  client.pipe(backend);
  backend.pipe(client);
}
