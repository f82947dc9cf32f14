// Hands a request on to another server and its answer back: the reverse proxy of pods, services and nodes.
import type { IncomingMessage } from "node:http";
import { posix } from "node:path";
import { unescapeUrl } from "../../machinery/go_url.ts";
import { serviceUnavailableError } from "../../machinery/errors.ts";
import type { RequestContext } from "../../apis/context.ts";
import type { ConnectRequest } from "../rest.ts";
import { BackendError, type BackendTls, bodyOf, hostAndPort, requestBackend } from "./backend.ts";
import { answerHeaders, asksForUpgrade, clientHeaders, hostOf, removeHopByHop } from "./headers.ts";
import { type ProxiedPage, rewriteLink, rewritePage } from "./rewrite.ts";
import { upgrade } from "./upgrade.ts";

/** The server that a request is for. */
export interface Backend {
  scheme: "http" | "https";
  host: string;
  port: number;
  tls?: BackendTls;
}

const CORS_HEADERS = ["credentials", "headers", "methods", "origin"].map((what) => `access-control-allow-${what}`);

/** Answers 503 when the backend is not reached. */
export async function forward(context: RequestContext, request: ConnectRequest, backend: Backend): Promise<Response> {
  const { url, path } = request;
  const { method, body } = request.request;
  const backendPath = escapePath(posix.join("/", path)) + url.search;
  if (asksForUpgrade(request.request.headers)) {
    return await upgrade(context, request, { ...backend, path: backendPath });
  }
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
      path: backendPath,
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

function headersFor(request: ConnectRequest, prefix: string): Record<string, string> {
  const headers = clientHeaders(request);
  removeHopByHop(headers);
  headers.set("x-forwarded-uri", prefix + escapePath(request.path));
  headers.set("accept-encoding", headers.get("accept-encoding") ?? "identity");
  return Object.fromEntries(headers);
}

async function respond(answer: IncomingMessage, page: ProxiedPage): Promise<Response> {
  const headers = answerHeaders(answer);
  // Whether other origins may read answers of this server is for this server to say.
  for (const name of CORS_HEADERS) headers.delete(name);
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
