// Header fields of what is handed on to another server, and of what that answers.
import type { IncomingMessage } from "node:http";
import type { ConnectRequest } from "../rest.ts";

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

/** Whether a request asks for another protocol (RFC 9110, section 7.8). */
export function asksForUpgrade(headers: Headers): boolean {
  return headers.has("upgrade") && /upgrade/i.test(headers.get("connection") ?? "");
}

/** What the client sent, as the server behind is to see it: without credentials, and with where it came from. */
export function clientHeaders({ request, remoteAddress }: ConnectRequest): Headers {
  const headers = new Headers(request.headers);
  for (const name of [...headers.keys()]) if (OWN.test(name)) headers.delete(name);
  headers.set("host", hostOf(request));
  const before = headers.get("x-forwarded-for");
  headers.set("x-forwarded-for", before === null ? remoteAddress : `${before}, ${remoteAddress}`);
  return headers;
}

export function hostOf({ headers, url }: Request): string {
  return headers.get("host") ?? new URL(url).host;
}

/** What a server answered, as its client may see it. */
export function answerHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i], rawHeaders[i + 1]);
  removeHopByHop(headers);
  return headers;
}

export function removeHopByHop(headers: Headers): void {
  for (const name of [...connectionHeaders(headers.get("connection")), ...HOP_BY_HOP]) headers.delete(name);
}

/** Headers that `Connection` names. */
function connectionHeaders(value: string | null): string[] {
  return (value ?? "").split(",").map((name) => name.trim()).filter((name) => /^[\w-]+$/.test(name));
}
