// A watch over a WebSocket: one message for each event.
import { badRequestError } from "../machinery/errors.ts";
import type { Watcher } from "../storage/interface.ts";
import type { EventStreamOptions } from "./event_stream.ts";
import type { WatchEncoder } from "./watch_encoder.ts";

/** Of a Connection field that asks for another protocol. */
const ASKS = /(?:^|,)\s*upgrade\s*(?:,|$)/i;

export function isWebSocketRequest(headers: Headers): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket" && ASKS.test(headers.get("connection") ?? "");
}

/**
 * Messages are text for JSON, binary otherwise. What the client sends is ignored; its close ends the watch. Throws 400
 * when the request is no handshake (RFC 6455, section 4.1).
 */
export function upgradeToEventSocket(
  request: Request,
  watcher: Watcher,
  encoder: WatchEncoder,
  options: EventStreamOptions & { asText: boolean },
): Response {
  const protocols = request.headers.get("sec-websocket-protocol")?.split(",") ?? [];
  const protocol = protocols.length === 1 ? protocols[0].trim() : undefined;
  const { socket, response } = handshake(request, watcher, protocol);
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    options.signal.removeEventListener("abort", end);
    watcher.stop();
    options.onEnd();
    socket.close();
  };
  const timer = setTimeout(end, options.timeout);
  options.signal.addEventListener("abort", end);
  socket.onclose = end;
  socket.onopen = () => void sendEvents(socket, watcher, encoder, options).finally(end);
  return response;
}

function handshake(request: Request, watcher: Watcher, protocol: string | undefined): Deno.WebSocketUpgrade {
  try {
    return Deno.upgradeWebSocket(request, { protocol });
  } catch (error) {
    watcher.stop();
    throw badRequestError((error as Error).message);
  }
}

const utf8 = new TextDecoder();

async function sendEvents(
  socket: WebSocket,
  watcher: Watcher,
  encoder: WatchEncoder,
  { asText, onEvents }: EventStreamOptions & { asText: boolean },
): Promise<void> {
  for await (const batch of watcher) {
    for (const event of batch) {
      const bytes = await encoder.encode(event);
      if (socket.readyState !== WebSocket.OPEN) return;
      socket.send(asText ? utf8.decode(bytes) : bytes);
    }
    onEvents(batch.length);
  }
}
