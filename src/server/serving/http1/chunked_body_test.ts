import assert from "node:assert/strict";
import { ChunkedBody } from "./chunked_body.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("a body in chunks ends behind its trailers, in whatever pieces it comes", () => {
  const body = '5\r\nhello\r\n00A ;name="value"\r\n0123\r\n6789\r\n0\r\nX: 1\r\nY: 2\r\n\r\n';
  for (let size = 1; size <= body.length; size++) {
    const chunked = new ChunkedBody();
    for (let at = 0; at < body.length; at += size) {
      assert.equal(chunked.ended, false);
      const piece = bytes(`${body.slice(at, at + size)}${at + size < body.length ? "" : "GET /"}`);
      assert.equal(chunked.take(piece), Math.min(size, body.length - at));
    }
    assert.equal(chunked.ended, true);
  }
});

Deno.test("what is no body in chunks is refused, and so is one that does not end", () => {
  const refused = ["-1\r\n", "0x5\r\n", "+5\r\n", "\r\n", "g\r\n", "5\n", " 5\r\n", "5;\0\r\n", "1000000000000\r\n"];
  refused.push("1\r\nab\r\n", "1\r\na\n", `5;${"a".repeat(5000)}`, "5".repeat(5000), `0\r\n${"X: y\r\n".repeat(1000)}`);
  for (const body of refused) assert.throws(() => new ChunkedBody().take(bytes(body)), RangeError, body);
});
