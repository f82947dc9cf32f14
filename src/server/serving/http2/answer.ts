// Sends a Response over a stream.
import { ReadyResponse } from "../../../endpoints/ready_response.ts";
import { httpDate } from "../http_date.ts";
import type { HeaderList, Sender } from "./sender.ts";
import type { Http2Stream } from "./stream.ts";

/** Answers that never have a body (RFC 9110, section 6.4.1). */
const BODILESS = new Set([204, 205, 304]);

/** @param failed called when the body broke off */
export function sendAnswer(
  sender: Sender,
  stream: Http2Stream,
  response: Response,
  failed: (error: unknown) => void,
): void {
  const { status } = response;
  const isHead = stream.request!.method === "HEAD";
  if (BODILESS.has(status)) {
    void response.body?.cancel();
    return sender.sendHead(stream, status, headersOf(response), true);
  }
  if (response instanceof ReadyResponse && !isHead) {
    return sender.sendWhole(stream, status, (length) => headersOf(response, length), response.content);
  }
  const { body } = response;
  if (body === null || isHead) {
    void body?.cancel();
    return sender.sendHead(stream, status, headersOf(response, body === null ? 0 : undefined), true);
  }
  sender.sendHead(stream, status, headersOf(response), false);
  void sendStream(sender, stream, body).catch(failed);
}

async function sendStream(sender: Sender, stream: Http2Stream, body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  stream.onCut(() => void reader.cancel().catch(() => {}));
  while (!stream.localClosed) {
    const { value, done } = await reader.read();
    if (stream.localClosed) return;
    if (done) return sender.sendBody(stream, new Uint8Array(), true);
    await new Promise<void>((sent) => sender.sendBody(stream, value, false, sent));
  }
}

function headersOf({ headers }: Response, length?: number): HeaderList {
  const list: [string, string][] = [];
  headers.forEach((value, name) => list.push([name, value]));
  if (length !== undefined && !headers.has("content-length")) list.push(["content-length", String(length)]);
  list.push(["date", httpDate()]);
  return list;
}
