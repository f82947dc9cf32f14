// Writes the answer to a request that asked for another protocol and did not get it: the last one of its connection.
import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { ReadyResponse } from "../../../endpoints/ready_response.ts";
import { httpDate } from "../http_date.ts";

/** Leaves the connection to be closed. Rejects when the body broke off. */
export async function writeAnswer(client: Socket, response: Response): Promise<void> {
  const { STATUS_CODES } = await import("node:http");
  const { status, headers, body } = response;
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`];
  for (const [name, value] of headers) if (name !== "connection") lines.push(`${name}: ${value}`);
  if (!headers.has("content-length")) {
    // Other bodies end with their connection.
    const length = response instanceof ReadyResponse ? Buffer.byteLength(response.content) : body === null ? 0 : -1;
    if (length >= 0) lines.push(`content-length: ${length}`);
  }
  lines.push(`date: ${httpDate()}`, "connection: close", "", "");
  client.write(Buffer.from(lines.join("\r\n"), "latin1"));
  if (body !== null) await writeBody(client, body);
}

async function writeBody(client: Socket, body: ReadableStream<Uint8Array>): Promise<void> {
  for await (const chunk of body) {
    if (client.destroyed) return;
    if (chunk.length > 0 && !client.write(chunk)) await roomIn(client);
  }
}

/** Resolves when more can be written, or nothing any more. */
function roomIn(client: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      client.off("drain", done);
      client.off("close", done);
      resolve();
    };
    client.on("drain", done);
    client.on("close", done);
  });
}
