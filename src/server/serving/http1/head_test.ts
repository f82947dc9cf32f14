import assert from "node:assert/strict";
import { readHead } from "./head.ts";

const FIELDS = "Host: a\r\nAccept: */*\r\n";

function framing(text: string) {
  const head = readHead(text);
  return head && [head.length, head.bodyLength];
}

Deno.test("a head ends with its first empty line", () => {
  const head = `GET /a?b=c HTTP/1.1\r\n${FIELDS}\r\n`;
  for (let i = 0; i < head.length; i++) assert.equal(readHead(head.slice(0, i)), undefined);
  assert.deepEqual(framing(`${head}GET / HTTP/1.1\r\n\r\n`), [head.length, 0]);
  const bare = head.replaceAll("\r\n", "\n");
  assert.deepEqual(framing(`${bare}\r\n\r\n`), [bare.length, 0]);
});

Deno.test("a body is as long as its content-length", () => {
  const of = (fields: string) => framing(`POST / HTTP/1.1\r\n${FIELDS}${fields}\r\n`)?.[1];
  assert.equal(of("Content-Length: 12\r\n"), 12);
  assert.equal(of("content-length:\t0 \r\n"), 0);
  assert.equal(of("Transfer-Encoding: Chunked\r\n"), "chunked");
});

Deno.test("what follows a head that could be read in two ways is not guessed", () => {
  const of = (head: string) => framing(`${head}\r\n`)?.[1];
  const post = `POST / HTTP/1.1\r\n${FIELDS}`;
  assert.equal(of(`${post}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n`), undefined);
  for (const encoding of ["identity", "gzip, chunked", "chunked\r\nTransfer-Encoding: chunked", "chunked;a", ""]) {
    assert.equal(of(`${post}Transfer-Encoding: ${encoding}\r\n`), undefined, encoding);
  }
  assert.equal(of(`${post}Content-Length: 5\r\nContent-Length: 6\r\n`), undefined);
  for (const length of ["+5", "-1", "0x5", "5, 5", "", "1e1", "5;", "9999999999999999"]) {
    assert.equal(of(`${post}Content-Length: ${length}\r\n`), undefined, length);
  }
  assert.equal(of(`${post}Content-Length : 5\r\n`), undefined);
  assert.equal(of(`${post}Content-Length: 5\r\n folded: 1\r\n`), undefined);
  assert.equal(of(`${post}Content-Length: 5\rX: 1\r\n`), undefined);
  assert.equal(of(`POST / HTTP/1.2\r\n${FIELDS}`), undefined);
  assert.equal(of(`POST  / HTTP/1.1\r\n${FIELDS}`), undefined);
  assert.equal(of("\r\n"), undefined);
  assert.equal(of("PRI * HTTP/2.0\r\n"), undefined);
});

Deno.test("a request without a body may ask for another protocol", () => {
  const of = (fields: string) => readHead(`POST /a?b HTTP/1.1\r\n${FIELDS}${fields}\r\n`);
  const head = of("Connection: keep-alive, Upgrade\r\nUPGRADE: SPDY/3.1\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 0\r\n");
  const { method, path, headers } = head!.upgrade!;
  assert.deepEqual([method, path, headers.get("upgrade"), headers.get("x-a")], ["POST", "/a?b", "SPDY/3.1", "1, 2"]);
  const asks = "Upgrade: a\r\nConnection: upgrade\r\n";
  const others: [string, unknown][] = [["Upgrade: a\r\n", 0], [`${asks}Content-Length: 1\r\n`, 1]];
  others.push([`${asks}Transfer-Encoding: chunked\r\n`, "chunked"]);
  for (const [fields, length] of others) {
    const other = of(fields);
    assert.deepEqual([other!.upgrade, other!.bodyLength], [undefined, length], fields);
  }
  assert.equal(of("Connection: upgrade\r\n")!.upgrade, undefined);
});
