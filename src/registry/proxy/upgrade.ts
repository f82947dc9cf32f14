// Hands a request that asks for another protocol on to who speaks it: SPDY and WebSockets of exec, attach and
// port-forward, whatever else behind the proxies.
import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { BEARER_PROTOCOL } from "../../authentication/bearer_token.ts";
import { badRequestError, unknownError } from "../../machinery/errors.ts";
import type { RequestContext } from "../../apis/context.ts";
import type { ConnectRequest } from "../rest.ts";
import { BackendError, type BackendRequest, bodyOf, upgradeBackend } from "./backend.ts";
import { answerHeaders, clientHeaders } from "./headers.ts";
import { UpgradedResponse } from "./upgraded_response.ts";

export type UpgradeTarget = Pick<BackendRequest, "scheme" | "host" | "port" | "path" | "tls" | "connectTimeout">;

const NOT_UPGRADABLE =
  "unable to upgrade: only HTTP/1.1 connections to the secure port can be given to another protocol";

/** Header fields with lists that some kubelets take item by item only. */
const ONE_BY_ONE = "x-stream-protocol-version";
const WEBSOCKET_PROTOCOLS = "sec-websocket-protocol";

/**
 * Answers with the connection to the other side when that agrees, with what it says when it refuses. Throws 400 when the
 * client's connection cannot be upgraded, and 500 when the other side is not reached or takes it for an ordinary request.
 */
export async function upgrade(
  { signal }: RequestContext,
  request: ConnectRequest,
  target: UpgradeTarget,
): Promise<Response> {
  if (!request.upgradable) throw badRequestError(NOT_UPGRADABLE);
  const { method } = request.request;
  try {
    const answer = await upgradeBackend({ ...target, method, headers: headersFor(request), signal });
    if (!("early" in answer)) return refusal(answer);
    return new UpgradedResponse({
      received: Buffer.concat([headOf(answer.head), answer.early]),
      socket: answer.socket,
    });
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    throw unknownError(`error dialing backend: ${error.message}`);
  }
}

function headersFor(request: ConnectRequest): Record<string, string | string[]> {
  const headers = clientHeaders(request);
  const protocols = headers.get(WEBSOCKET_PROTOCOLS);
  if (protocols?.includes(BEARER_PROTOCOL)) {
    const others = itemsOf(protocols).filter((protocol) => !protocol.startsWith(BEARER_PROTOCOL));
    headers.set(WEBSOCKET_PROTOCOLS, others.join(", "));
  }
  const fields: Record<string, string | string[]> = Object.fromEntries(headers);
  const versions = headers.get(ONE_BY_ONE);
  if (versions !== null) fields[ONE_BY_ONE] = itemsOf(versions);
  return fields;
}

function itemsOf(list: string): string[] {
  return list.split(",").map((item) => item.trim());
}

function refusal(answer: IncomingMessage): Response {
  const status = answer.statusCode ?? 0;
  if (status >= 400) return new Response(bodyOf(answer), { status, headers: answerHeaders(answer) });
  answer.destroy();
  throw unknownError(`invalid upgrade response: status code ${status}`);
}

function headOf({ httpVersion, statusCode, statusMessage, rawHeaders }: IncomingMessage): Uint8Array {
  const lines = [`HTTP/${httpVersion} ${statusCode} ${statusMessage}`];
  for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
