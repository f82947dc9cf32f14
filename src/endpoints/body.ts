// Reads the body of a request, never more of it than is allowed.
import { concatBytes } from "../machinery/bytes.ts";
import { badRequestError, requestEntityTooLargeError, StatusError } from "../machinery/errors.ts";

/** Throws 413 when it is longer than `limit` bytes, and 400 when it does not come to its end. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readWhole(request, limit);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    // Whoever sent it has most likely gone: that is no failure of the server's.
    throw badRequestError(`unable to read the body of the request: ${(error as Error).message}`);
  }
}

function readWhole(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const announced = request.headers.get("content-length");
  if (announced === null) return readChunks(request.body, limit);
  if (Number(announced) > limit) throw tooLarge(limit);
  return request.bytes();
}

async function readChunks(body: Request["body"], limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return concatBytes(chunks, length);
}

function tooLarge(limit: number): Error {
  return requestEntityTooLargeError(`limit is ${limit}`);
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes as text, a byte order mark included; what is no UTF-8 becomes replacement characters. */
export function bodyText(body: Uint8Array): string {
  return utf8.decode(body);
}

/** The start of a body for messages: as text when it looks like JSON, in hexadecimal otherwise. */
export function summarizeBody(body: Uint8Array, maxLength = 30): string {
  if (body.length === 0) return "<empty>";
  const start = body.subarray(0, maxLength);
  const text = body[0] === 0x7b
    ? utf8.decode(start)
    : Array.from(start, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return body.length > maxLength ? `${text} ...` : text;
}
