// Answers a request that asks for another protocol: with the connection of who speaks it, or as any other.
import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { ConnectionInfo } from "../../../endpoints/env.ts";
import { logError } from "../../../logging/mod.ts";
import { UpgradedResponse } from "../../../registry/proxy/upgraded_response.ts";
import { type IncomingHead, IncomingRequest } from "../incoming_request.ts";
import type { ConnectionHandler } from "../listener.ts";
import { writeAnswer } from "./answer.ts";
import { closeSoon, join } from "./join.ts";

/** Bytes that a client may send before it knows that its protocol is spoken. */
const MAX_EARLY = 64 * 1024;

export interface UpgradeOptions {
  handler: ConnectionHandler;
  /** The client speaks with somebody else from now on. */
  upgraded(client: Socket): void;
}

export interface Upgrade {
  head: IncomingHead;
  /** What came behind the head. */
  early: Buffer;
  info: ConnectionInfo;
}

export async function answerUpgrade(
  client: Socket,
  { head, early, info }: Upgrade,
  { handler, upgraded }: UpgradeOptions,
): Promise<void> {
  const request = new IncomingRequest(head, undefined), received = earlyBytes(client, early);
  client.once("close", () => IncomingRequest.abort(request));
  try {
    // It has what handlers use of a Request.
    const response = await handler(request as unknown as Request, { ...info, upgradable: true });
    if (response instanceof UpgradedResponse) {
      const { socket } = response;
      if (client.destroyed) return void socket.destroy();
      client.write(response.received);
      const early = received();
      if (early.length > 0) socket.write(early);
      join(client, socket);
      upgraded(client);
    } else {
      await writeAnswer(client, response);
      received();
      client.resume();
      closeSoon(client);
    }
  } catch (error) {
    if (!client.destroyed) logError("An answer broke off", error);
    client.destroy();
  }
}

/** Collects what comes in until it is asked for. Who says before that he will say no more does not want the answer. */
function earlyBytes(client: Socket, first: Buffer): () => Uint8Array {
  const chunks = [first];
  let length = first.length;
  const receive = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_EARLY) client.pause();
  };
  const gone = () => client.destroy();
  client.on("data", receive);
  client.once("end", gone);
  if (client.readableEnded) gone();
  client.resume();
  return () => {
    client.off("data", receive);
    client.off("end", gone);
    client.pause();
    return Buffer.concat(chunks);
  };
}
