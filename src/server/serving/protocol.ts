// What the main thread and the TLS front say to each other, and the table they share.

/** The back end listens here, and takes connections from here only. */
export const BACKEND_HOST = "127.0.0.1";

/** A certificate chain and its key as PEM. */
export interface PemPair {
  cert: string;
  key: string;
}

export interface FrontSettings {
  hostname: string;
  port: number;
  certificate: PemPair;
  sni: readonly (PemPair & { names: readonly string[] })[];
  /** PEM bundles whose subjects clients are shown as acceptable. */
  clientCAs: readonly string[];
  minVersion: "TLSv1.2" | "TLSv1.3";
  /** OpenSSL's notation; empty: the runtime's choice. */
  ciphers: string;
  alpn: readonly string[];
  /** The loopback port behind the front. */
  backendPort: number;
  /** Memory of a {@link ConnectionTable}. */
  connections: SharedArrayBuffer;
}

export type ToFront =
  | { type: "listen"; settings: FrontSettings }
  | { type: "certificates"; certificate: PemPair; sni: FrontSettings["sni"] }
  /** No request of a closed connection from these ports can turn up any more. */
  | { type: "released"; ports: readonly number[] }
  /** Accept no more connections; those that are open go on. */
  | { type: "stop accepting" }
  /** Cut what is still open. */
  | { type: "close" };

export type FromFront =
  | { type: "listening"; port: number }
  | { type: "failed"; message: string; code?: string }
  | { type: "opened"; connection: OpenedConnection }
  | { type: "closed"; id: number; port: number }
  /** Something an operator should know. */
  | { type: "warning"; message: string; fields: Record<string, string> }
  /** After "stop accepting": the last connection has gone. */
  | { type: "drained" };

/** A client's connection and the local port from which the front joined it to the back end. */
export interface OpenedConnection {
  id: number;
  port: number;
  remoteAddress: string;
  peerCertificates?: readonly Uint8Array[];
}

/**
 * Which connection of the front a local port belongs to, in memory that both threads see: a port is marked before its
 * first byte is sent and unmarked before it is closed, so that a connection somebody else makes to the back end is told
 * apart at once.
 */
export class ConnectionTable {
  readonly #ids: Int32Array;

  constructor(readonly memory: SharedArrayBuffer = new SharedArrayBuffer(65536 * Int32Array.BYTES_PER_ELEMENT)) {
    this.#ids = new Int32Array(memory);
  }

  mark(port: number, id: number): void {
    Atomics.store(this.#ids, port, id);
  }

  unmark(port: number): void {
    Atomics.store(this.#ids, port, 0);
  }

  /** 0: none of the front's. */
  idOf(port: number): number {
    return Atomics.load(this.#ids, port);
  }
}
