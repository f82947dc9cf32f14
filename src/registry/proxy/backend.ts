// Requests to kubelets, pods and services: one connection each, whatever certificate they show unless it is to be checked.
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { isIP } from "node:net";
import { type Duplex, Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { dialProblem } from "../../client/dial.ts";

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

async function open({ scheme, tls = {}, connectTimeout, ...request }: BackendRequest): Promise<ClientRequest> {
  const { request: open } = await import(
    scheme === "https" ? "node:https" : "node:http"
  ) as typeof import("node:https");
  const { host, port, method, path, headers, signal } = request;
  const options: RequestOptions & { rejectUnauthorized?: boolean } = { host, port, method, path, headers, signal };
  if (scheme === "https") {
    const { certificateAuthority: ca, client } = tls;
    // By itself it would ask for the certificate of the Host header, which is the one that our client has asked.
    const servername = isIP(host) ? "" : host;
    Object.assign(options, { rejectUnauthorized: ca !== undefined, servername, ...ca && { ca }, ...client });
  }
  const outgoing = open(options);
  if (connectTimeout !== undefined) limitConnecting(outgoing, connectTimeout);
  return outgoing;
}

function backendError(error: Error, { host, port }: BackendRequest): BackendError {
  return new BackendError(dialProblem(error, host, port));
}

function limitConnecting(outgoing: ClientRequest, timeout: number): void {
  const timer = setTimeout(() => outgoing.destroy(Object.assign(new Error(), { code: "TIMEOUT" })), timeout);
  const stop = () => clearTimeout(timer);
  outgoing.once("socket", (socket) => socket.connecting ? socket.once("connect", stop) : stop());
  outgoing.once("close", stop);
}

/** The body of an answer as a web stream. */
export function bodyOf(answer: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  return Readable.toWeb(answer) as ReadableStream<Uint8Array<ArrayBuffer>>;
}
