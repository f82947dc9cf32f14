// Hands a request on to another server and its answer back: the reverse proxy of pods, services and nodes.
import type { IncomingMessage } from "node:http";
import { posix } from "node:path";
import { unescapeUrl } from "../../machinery/go_url.ts";
import { serviceUnavailableError } from "../../machinery/errors.ts";
import type { RequestContext } from "../../apis/context.ts";
import type { ConnectRequest } from "../rest.ts";
import { BackendError, type BackendTls, bodyOf, hostAndPort, requestBackend } from "./backend.ts";
import { type ProxiedPage, rewriteLink, rewritePage } from "./rewrite.ts";

/** The server that a request is for. */
export interface Backend {
  scheme: "http" | "https";
  host: string;
  port: number;
  tls?: BackendTls;
}

/** Headers of one connection only (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = [
  "connection",
  "proxy-connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Credentials end at this server, and nobody behind it is told who a request is from by anybody else. */
const OWN = /^(authorization|x-remote-(user|uid|group|extra-.*)|impersonate-(user|uid|group|extra-.*))$/;

/** Answers 503 when the backend is not reached. */
export async function forward(context: RequestContext, request: ConnectRequest, backend: Backend): Promise<Response> {
  const { url, path } = request;
  const { method, body } = request.request;
  if (path === "" && (method === "GET" || method === "HEAD")) {
    // Relative links of the page behind would otherwise miss it.
    return new Response(null, { status: 301, headers: { location: `${url.pathname}/${url.search}` } });
  }
  const clientPath = unescapeUrl(url.pathname);
  const prefix = clientPath.slice(0, clientPath.length - path.length);
  const hosts = [hostAndPort(backend.host, backend.port), hostOf(request.request)];
  try {
    const answer = await requestBackend({
      ...backend,
      method,
      path: escapePath(posix.join("/", path)) + url.search,
      headers: headersFor(request, prefix),
      body,
      signal: context.signal,
    });
    return await respond(answer, { prefix, hosts });
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    throw serviceUnavailableError(`error trying to reach service: ${error.message}`);
  }
}

/** As Go escapes the path of a URL. */
export function escapePath(path: string): string {
  return encodeURI(path).replace(/[?#!'()*[\]]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function headersFor({ request, remoteAddress, path }: ConnectRequest, prefix: string): Record<string, string> {
  const headers = new Headers(request.headers);
  for (const name of [...connectionHeaders(headers.get("connection")), ...HOP_BY_HOP]) headers.delete(name);
  for (const name of [...headers.keys()]) if (OWN.test(name)) headers.delete(name);
  headers.set("host", hostOf(request));
  const before = headers.get("x-forwarded-for");
  headers.set("x-forwarded-for", before === null ? remoteAddress : `${before}, ${remoteAddress}`);
  headers.set("x-forwarded-uri", prefix + escapePath(path));
  headers.set("accept-encoding", headers.get("accept-encoding") ?? "identity");
  return Object.fromEntries(headers);
}

function hostOf({ headers, url }: Request): string {
  return headers.get("host") ?? new URL(url).host;
}

/** Headers that `Connection` names. */
function connectionHeaders(value: string | null): string[] {
  return (value ?? "").split(",").map((name) => name.trim()).filter((name) => /^[\w-]+$/.test(name));
}

async function respond(answer: IncomingMessage, page: ProxiedPage): Promise<Response> {
  const headers = new Headers();
  for (let i = 0; i < answer.rawHeaders.length; i += 2) headers.append(answer.rawHeaders[i], answer.rawHeaders[i + 1]);
  for (const name of [...connectionHeaders(headers.get("connection")), ...HOP_BY_HOP]) headers.delete(name);
  const status = answer.statusCode ?? 502;
  const location = headers.get("location");
  if (location !== null) headers.set("location", rewriteLink(location, page));
  if (status === 204 || status === 304) return new Response(null, { status, headers });
  if (location !== null || !isHtml(headers)) return new Response(bodyOf(answer), { status, headers });
  const encoding = headers.get("content-encoding") ?? "";
  headers.delete("content-length");
  return new Response(await rewritePage(bodyOf(answer), encoding, page), { status, headers });
}

function isHtml(headers: Headers): boolean {
  return headers.get("content-type")?.split(";", 1)[0].trim() === "text/html";
}
