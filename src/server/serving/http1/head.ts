// The heads of HTTP/1.1 requests (RFC 9112): where they end, how long the body behind is, whether they ask for another
// protocol. Answering requests is the back end's business, and so is refusing broken ones: this only has to know where
// the next head begins, and says so where it does not.
import type { IncomingHead } from "../incoming_request.ts";
import { PlainHeaders } from "../../../endpoints/plain_headers.ts";

export interface Http1Head {
  /** Bytes, with the empty line. */
  length: number;
  /** Bytes of the body behind, unless it comes in chunks; undefined when what follows cannot be told from here. */
  bodyLength: number | "chunked" | undefined;
  /** The request, when it asks for another protocol and has no body. */
  upgrade?: IncomingHead;
}

const REQUEST_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}) ([!-~]+) HTTP\/1\.([01])\r?\n/;
/** Without one of these a request has no body and stays what it is. */
const TELLING_FIELD = /\n(?:content-length|transfer-encoding|upgrade)[ \t]*:/i;
const FIELD = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*([^\0\r\n]*?)[ \t]*$/;
const LENGTH = /^\d{1,15}$/;

/**
 * Reads the head that `text` begins with; undefined when it is not all there yet.
 *
 * @param text a character for each byte
 */
export function readHead(text: string): Http1Head | undefined {
  const length = endOfHead(text);
  if (length < 0) return undefined;
  const head = text.slice(0, length), line = REQUEST_LINE.exec(head);
  if (line === null) return { length, bodyLength: undefined };
  if (!TELLING_FIELD.test(head)) return { length, bodyLength: 0 };
  const headers = readFields(head.slice(line[0].length));
  if (headers === undefined) return { length, bodyLength: undefined };
  const bodyLength = bodyLengthOf(headers);
  if (!headers.has("upgrade")) return { length, bodyLength };
  const [, method, path, minor] = line;
  const asks = minor === "1" && path.startsWith("/") && /upgrade/i.test(headers.get("connection") ?? "");
  if (!asks || bodyLength !== 0) return { length, bodyLength };
  return { length, bodyLength: undefined, upgrade: { method, path, scheme: "https", headers } };
}

/** Where the line behind the first empty one begins; -1 when there is none. */
function endOfHead(text: string): number {
  const bare = text.indexOf("\n\n"), full = text.indexOf("\n\r\n");
  if (bare < 0) return full < 0 ? -1 : full + 3;
  return full < 0 || bare < full ? bare + 2 : full + 3;
}

/** Undefined when a line is no field. */
function readFields(lines: string): PlainHeaders | undefined {
  const headers = new PlainHeaders();
  for (const line of lines.split(/\r?\n/)) {
    if (line === "") break;
    const field = FIELD.exec(line);
    if (field === null) return undefined;
    headers.append(field[1].toLowerCase(), field[2]);
  }
  return headers;
}

function bodyLengthOf(headers: PlainHeaders): Http1Head["bodyLength"] {
  const length = headers.get("content-length"), encoding = headers.get("transfer-encoding");
  if (encoding !== null) return length === null && encoding.toLowerCase() === "chunked" ? "chunked" : undefined;
  if (length === null) return 0;
  return LENGTH.test(length) ? Number(length) : undefined;
}
