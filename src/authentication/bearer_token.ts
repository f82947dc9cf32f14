// Bearer tokens: read off the Authorization header, or off a WebSocket's subprotocols, where browsers cannot set headers.
import { AggregateFailure } from "../machinery/aggregate_error.ts";
import { fieldValues } from "./header_fields.ts";
import type { AuthenticationRequest, AuthenticationResponse, Authenticator, TokenAuthenticator } from "./interface.ts";

/** Made once: what a stack costs is more than all the rest of refusing a token. */
const INVALID = new Error("invalid bearer token");
const EXTRA_SPACE = "the provided Authorization header contains extra space before the bearer token, and is ignored";

/** `Authorization: Bearer …`. A token that nobody knows is an error. */
export function bearerToken(token: TokenAuthenticator, audiences: readonly string[]): Authenticator {
  return {
    authenticateRequest(request: AuthenticationRequest) {
      const [header] = fieldValues(request.headers, "authorization");
      if (header === undefined) return undefined;
      const [scheme, value, rest] = splitHeader(header.trim());
      if (value === undefined || scheme.toLowerCase() !== "bearer") return undefined;
      if (value === "") {
        if (rest !== undefined) request.addWarning?.(EXTRA_SPACE);
        return undefined;
      }
      return orInvalid(token, value, request.audiences ?? audiences);
    },
  };
}

/** At the first two blanks. */
function splitHeader(header: string): [string, string?, string?] {
  const first = header.indexOf(" ");
  if (first < 0) return [header];
  const second = header.indexOf(" ", first + 1);
  if (second < 0) return [header.slice(0, first), header.slice(first + 1)];
  return [header.slice(0, first), header.slice(first + 1, second), header.slice(second + 1)];
}

function orInvalid(
  authenticator: TokenAuthenticator,
  token: string,
  audiences: readonly string[],
): AuthenticationResponse | Promise<AuthenticationResponse> {
  let found;
  try {
    found = authenticator.authenticateToken(token, audiences);
  } catch (e) {
    return refuse(e);
  }
  return found instanceof Promise ? found.then(known, refuse) : known(found);
}

function known(found: AuthenticationResponse | undefined): AuthenticationResponse {
  if (found === undefined) throw INVALID;
  return found;
}

/** The server's own client, which is asked first, does not know the token either. */
function refuse(e: unknown): never {
  throw new AggregateFailure([INVALID, e]);
}

/** What a subprotocol that carries a token starts with; the token follows in base64url. */
export const BEARER_PROTOCOL = "base64url.bearer.authorization.k8s.io.";
const PROTOCOLS = "sec-websocket-protocol";

/** `Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.…, v4.channel.k8s.io` */
export function webSocketToken(token: TokenAuthenticator, audiences: readonly string[]): Authenticator {
  return {
    authenticateRequest(request: AuthenticationRequest) {
      const { headers } = request;
      const offered = headers.get(PROTOCOLS);
      if (offered === null || !offered.includes(BEARER_PROTOCOL) || !isWebSocket(headers)) return undefined;
      const protocols = offered.split(",").map((protocol) => protocol.trim());
      const [encoded, ...more] = protocols.filter((protocol) => protocol.startsWith(BEARER_PROTOCOL));
      if (encoded === undefined) return undefined;
      if (more.length > 0) throw new Error("multiple base64.bearer.authorization tokens specified");
      const value = decode(encoded.slice(BEARER_PROTOCOL.length));
      if (value === "") return undefined;
      if (protocols.length === 1) throw new Error("missing additional subprotocol");
      return orInvalid(token, value, request.audiences ?? audiences);
    },
  };
}

function isWebSocket(headers: Headers): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket" &&
    /(^|[\s,])upgrade($|[\s,])/i.test(headers.get("connection") ?? "");
}

function decode(encoded: string): string {
  if (!/^[\w-]*$/.test(encoded)) throw new Error("invalid base64.bearer.authorization token encoding");
  const bytes = Uint8Array.from(atob(encoded.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("invalid base64.bearer.authorization token");
  }
}
