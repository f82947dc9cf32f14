import assert from "node:assert/strict";
import { StatusError } from "../machinery/errors.ts";
import { bodyText, readBody } from "./body.ts";

function post(body: BodyInit, headers: HeadersInit = {}): Request {
  return new Request("http://localhost/", { method: "POST", body, headers });
}

async function codeOf(reading: Promise<unknown>): Promise<number> {
  try {
    await reading;
    return 200;
  } catch (error) {
    assert(error instanceof StatusError);
    return error.code;
  }
}

Deno.test("a body is read up to the limit, announced or not", async () => {
  const stream = () => new Blob(["12345"]).stream();
  assert.equal((await readBody(post(stream()), 5)).length, 5);
  assert.equal(await codeOf(readBody(post(stream()), 4)), 413);
  assert.equal(await codeOf(readBody(post("12345", { "content-length": "5" }), 4)), 413);
});

Deno.test("a body whose sender leaves is a bad request", async () => {
  const broken = new ReadableStream({ pull: () => Promise.reject(new Error("the client has gone")) });
  assert.equal(await codeOf(readBody(post(broken), 100)), 400);
});

Deno.test("a byte order mark is kept, for it is no JSON", () => {
  assert.equal(bodyText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b)), "\ufeff{");
});
