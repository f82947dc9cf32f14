// Requests to kubelets, pods and services: one connection each, whatever certificate they show unless it is to be checked.
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { isIP, type Socket } from "node:net";
import { type Duplex, Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { dialProblem } from "../../client/dial.ts";
import { pauseUnderneath } from "../../tls_backpressure.ts";

export { hostAndPort } from "../../client/dial.ts";

/** How often a silent peer is asked whether it is still there; milliseconds. */
const KEEP_ALIVE_INTERVAL = 30_000;

/** How the other side is spoken to. */
export interface BackendTls {
  /** PEM; without it nothing is checked. */
  certificateAuthority?: string;
  /** PEM of the certificate and key that the server shows. */
  client?: { cert: string; key: string };
}

export interface BackendRequest {
  scheme: "http" | "https";
  host: string;
  port: number;
  method: string;
  /** Escaped, with its query. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: ReadableStream<Uint8Array> | null;
  tls?: BackendTls;
  /** Milliseconds until there has to be a connection; no limit unless set. */
  connectTimeout?: number;
  signal: AbortSignal;
}

/** The other side was not reached; the message is in kube-apiserver's words: `dial tcp 10.0.0.1:80: connect: …`. */
export class BackendError extends Error {}

/** The other side speaks another protocol from now on. */
export interface BackendUpgrade {
  head: IncomingMessage;
  socket: Duplex;
  /** What it has said already. */
  early: Uint8Array;
}

/** Answers once the headers are there; redirects are not followed. Throws BackendError. */
export async function requestBackend(request: BackendRequest): Promise<IncomingMessage> {
  const outgoing = await open(request);
  return await new Promise((resolve, reject) => {
    outgoing.on("response", resolve);
    outgoing.on("error", (error) => reject(backendError(error, request)));
    if (!request.body) return void outgoing.end();
    const body = Readable.fromWeb(request.body as NodeReadableStream);
    body.on("error", (error) => outgoing.destroy(error));
    body.pipe(outgoing);
  });
}

/** The same for a request without a body that asks for another protocol, which may be answered as any other is. */
export async function upgradeBackend(request: BackendRequest): Promise<BackendUpgrade | IncomingMessage> {
  const outgoing = await open(request);
  return await new Promise((resolve, reject) => {
    outgoing.on("response", resolve);
    outgoing.on("upgrade", (head, socket, early) => {
      socket.on("error", () => socket.destroy());
      socket.setKeepAlive(true, KEEP_ALIVE_INTERVAL);
      resolve({ head, socket, early });
    });
    outgoing.on("error", (error) => reject(backendError(error, request)));
    outgoing.end();
  });
}

async function open(request: BackendRequest): Promise<ClientRequest> {
  const { scheme, host, port, method, path, headers, signal, connectTimeout } = request;
  const { request: open } = await import(
    scheme === "https" ? "node:https" : "node:http"
  ) as typeof import("node:https");
  const options: RequestOptions = { host, port, method, path, headers, signal };
  if (scheme === "https") options.createConnection = await tlsDialer(request);
  const outgoing = open(options);
  if (connectTimeout !== undefined) limitConnecting(outgoing, connectTimeout);
  return outgoing;
}

async function tlsDialer({ host, port, tls = {} }: BackendRequest): Promise<() => Socket> {
  const [{ connect }, { connect: connectTls }] = await Promise.all([import("node:net"), import("node:tls")]);
  const { certificateAuthority: ca, client } = tls;
  return () => {
    const connection = connect({ host, port, noDelay: true });
    // Without a name the certificate has to be one for the address.
    const servername = isIP(host) ? "" : host;
    const verification = { host, servername, rejectUnauthorized: ca !== undefined, ...ca && { ca } };
    const socket = connectTls({ socket: connection, ...verification, ...client });
    connection.once("error", (error) => socket.destroy(error));
    pauseUnderneath(socket, connection);
    return socket;
  };
}

function backendError(error: Error, { host, port }: BackendRequest): BackendError {
  return new BackendError(dialProblem(error, host, port));
}

function limitConnecting(outgoing: ClientRequest, timeout: number): void {
  const timer = setTimeout(() => outgoing.destroy(Object.assign(new Error(), { code: "TIMEOUT" })), timeout);
  const stop = () => clearTimeout(timer);
  outgoing.once("socket", (socket) => {
    if ("encrypted" in socket) socket.once("secureConnect", stop);
    else if (socket.connecting) socket.once("connect", stop);
    else stop();
  });
  outgoing.once("close", stop);
}

/** The body of an answer as a web stream. */
export function bodyOf(answer: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  return Readable.toWeb(answer) as ReadableStream<Uint8Array<ArrayBuffer>>;
}
