import assert from "node:assert/strict";
import { ReadyResponse } from "../../../endpoints/ready_response.ts";
import { ErrorCode, Flag, FrameType, Setting, writeUint32 } from "./frames.ts";
import { TestClient } from "./testing.ts";

const utf8 = new TextEncoder();
const NOTHING = new Uint8Array(), BYTE = Uint8Array.of(97);
const hello = () => new ReadyResponse("hällo", { headers: { "content-type": "text/plain" } });

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  writeUint32(bytes, 0, value);
  return bytes;
}

function later(milliseconds = 5): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Waits for what has to come about; fails when it does not. */
async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 1000 && !condition(); i++) await later(1);
  assert.ok(condition(), String(condition));
}

Deno.test("a request is answered with its headers and the length of its body", async () => {
  const seen: string[] = [];
  const client = new TestClient({
    handler: (request) => {
      seen.push(`${request.method} ${request.url} ${request.headers.get("accept")} ${request.headers.get("host")}`);
      return hello();
    },
  });
  client.request(1, { ":path": "/a?b=c", "accept": "x/y" });
  const { fields, body } = await client.answer(1);
  assert.deepEqual(seen, ["GET https://test/a?b=c x/y test"]);
  assert.equal(body, "hällo");
  assert.equal(fields[":status"], "200");
  assert.equal(fields["content-type"], "text/plain");
  assert.equal(fields["content-length"], "6");
  assert.match(fields.date, /GMT$/);
});

Deno.test("a request may name no host, or name it as HTTP/1.1 does", async () => {
  const client = new TestClient({ handler: (request) => new ReadyResponse(request.url, {}) });
  client.request(1, { ":authority": "" });
  assert.equal((await client.answer(1)).body, "https://localhost/");
  client.request(3, { ":authority": "", host: "x:1" });
  assert.equal((await client.answer(3)).body, "https://x:1/");
});

Deno.test("a body that comes in pieces is read whole or piece by piece, and the client gets room for more", async () => {
  const size = 400_000, piece = new Uint8Array(16_000).fill(97);
  const readers: Record<string, (request: Request) => Promise<number>> = {
    whole: async (request) => (await request.arrayBuffer()).byteLength,
    pieces: async (request) => {
      let length = 0;
      for await (const chunk of request.body!) length += chunk.length;
      return length;
    },
  };
  for (const [name, read] of Object.entries(readers)) {
    const client = new TestClient({ handler: async (request) => Response.json(await read(request)) });
    client.request(1, { ":method": "POST", "content-length": String(size) }, 0);
    for (let at = 0; at < size; at += piece.length) {
      await later(1);
      client.send(FrameType.data, at + piece.length === size ? Flag.endStream : 0, 1, piece);
    }
    assert.equal((await client.answer(1)).body, String(size), name);
    assert.ok(client.received.some((f) => f.type === FrameType.windowUpdate && f.streamId === 1), name);
  }
});

Deno.test("an answer waits for the client's windows", async () => {
  const text = "x".repeat(200_000);
  for (const kind of ["ready", "streamed"]) {
    const client = new TestClient({
      handler: () => kind === "ready" ? new ReadyResponse(text, {}) : new Response(new Blob([text]).stream()),
    }, [[Setting.initialWindowSize, 1_000]]);
    client.request(1);
    await until(() => client.data(1).length >= 1_000);
    await later();
    assert.equal(client.data(1).length, 1_000);
    client.send(FrameType.windowUpdate, 0, 1, uint32(500_000));
    await until(() => client.data(1).length >= 65_535);
    await later();
    assert.equal(client.data(1).length, 65_535, "the connection has a window of its own");
    client.send(FrameType.windowUpdate, 0, 0, uint32(500_000));
    assert.equal((await client.answer(1)).body.length, text.length);
  }
});

Deno.test("a large answer holds up no small one", async () => {
  const client = new TestClient({
    handler: (request) => new ReadyResponse(request.url.endsWith("large") ? "x".repeat(1_000_000) : "small", {}),
  }, [[Setting.initialWindowSize, 2_000_000]]);
  client.send(FrameType.windowUpdate, 0, 0, uint32(5_000_000));
  client.open = false; // The transport takes one write, and no more for now.
  client.request(1, { ":path": "/large" });
  client.request(3, { ":path": "/small" });
  client.open = true;
  client.connection.drained();
  await client.answer(3);
  const order = client.received.filter((f) => f.flags & Flag.endStream && f.type !== FrameType.settings);
  assert.deepEqual(order.map((f) => f.streamId).slice(0, 1), [3]);
  assert.equal((await client.answer(1)).body.length, 1_000_000);
});

Deno.test("who does not read makes a stream wait, and a client that goes ends it", async () => {
  let pulled = 0, cancelled = false;
  const client = new TestClient({
    handler: () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            pulled++;
            controller.enqueue(utf8.encode("x".repeat(10_000)));
          },
          cancel: () => void (cancelled = true),
        }),
      ),
  });
  client.request(1);
  await later(20);
  assert.ok(pulled < 12, `${pulled} pieces for a window of 65535 bytes`);
  client.connection.disconnected();
  await until(() => cancelled);
});

Deno.test("a cancelled request is told so, and its answer is dropped", async () => {
  const aborted = Promise.withResolvers<void>();
  const client = new TestClient({
    handler: async ({ signal }) => {
      signal.addEventListener("abort", () => aborted.resolve());
      await aborted.promise;
      return hello();
    },
  });
  client.request(1);
  client.send(FrameType.resetStream, 0, 1, uint32(ErrorCode.cancel));
  await aborted.promise;
  client.request(3);
  await later();
  assert.ok(!client.received.some((f) => f.type === FrameType.headers && f.streamId === 1));
});

Deno.test("a client whose body was answered before its end may end it", async () => {
  const client = new TestClient({ handler: hello });
  client.request(1, { ":method": "POST" }, 0);
  await client.answer(1);
  client.send(FrameType.data, Flag.endStream, 1, utf8.encode("late"));
  await later(300);
  assert.ok(!client.received.some((frame) => frame.type === FrameType.resetStream));
});

Deno.test("a client that goes on with a body that was answered is told to stop", async () => {
  const client = new TestClient({ handler: hello });
  client.request(1, { ":method": "POST" }, 0);
  await client.answer(1);
  client.send(FrameType.data, 0, 1, utf8.encode("going on"));
  assert.equal(await client.errorCode(1), ErrorCode.none);
  client.send(FrameType.data, Flag.endStream, 1, utf8.encode("late"));
  client.request(3);
  assert.equal((await client.answer(3)).body, "hällo");
});

Deno.test("who asks before sending a body is told to go on when somebody reads it", async () => {
  const client = new TestClient({ handler: async (request) => new ReadyResponse(await request.text(), {}) });
  client.request(1, { ":method": "POST", expect: "100-continue" }, 0);
  const first = await client.until((frame) => frame.type === FrameType.headers);
  assert.equal(first.flags & Flag.endStream, 0);
  assert.ok(new TextDecoder().decode(first.payload).endsWith("100"));
  client.send(FrameType.data, Flag.endStream, 1, utf8.encode("body"));
  await client.until((frame) => frame.type === FrameType.data);
  assert.equal(new TextDecoder().decode(client.data(1)), "body");
});

Deno.test("HEAD and statuses without content have no body", async () => {
  const client = new TestClient({
    handler: (request) => request.method === "HEAD" ? hello() : new Response(null, { status: 304 }),
  });
  client.request(1, { ":method": "HEAD" });
  assert.equal((await client.answer(1)).fields[":status"], "200");
  client.request(3);
  assert.equal((await client.answer(3)).fields[":status"], "304");
  assert.ok(!client.received.some((frame) => frame.type === FrameType.data));
});

Deno.test("a handler that fails ends its stream only", async () => {
  const errors: unknown[] = [];
  const client = new TestClient({
    handler: (request) => request.url.endsWith("bad") ? Promise.reject(new Error("broken")) : hello(),
    onError: (error) => errors.push(error),
  });
  client.request(1, { ":path": "/bad" });
  assert.equal(await client.errorCode(1), ErrorCode.internal);
  client.request(3);
  await client.answer(3);
  assert.equal(errors.length, 1);
});

Deno.test("a small answer with header fields that fill more than a frame is sent, and the next one can be read", async () => {
  const fields = { "x-long": "y".repeat(20_000), "x-kept": "z" };
  const client = new TestClient({ handler: () => new ReadyResponse("small", { headers: fields }) });
  client.request(1);
  assert.equal((await client.answer(1)).body, "small");
  client.request(3);
  const { fields: seen, body } = await client.answer(3);
  assert.deepEqual([seen["x-long"].length, seen["x-kept"], body], [20_000, "z", "small"]);
});

Deno.test("answers that cannot be sent do not raise the number of requests that may be worked on", async () => {
  let broken = true;
  const client = new TestClient({
    handler: () => broken ? Promise.resolve(undefined as unknown as Response) : new Promise(() => {}),
    maxConcurrentStreams: 1,
    onError: () => {},
  });
  let id = 1;
  for (; id < 21; id += 2) {
    client.request(id);
    assert.equal(await client.errorCode(id), ErrorCode.internal);
  }
  broken = false;
  for (let i = 0; i < 5; i++, id += 2) {
    client.request(id);
    client.send(FrameType.resetStream, 0, id, uint32(ErrorCode.cancel));
  }
  assert.equal(await client.errorCode(0), ErrorCode.enhanceYourCalm);
});

Deno.test("malformed requests are refused, each for itself", async () => {
  const malformed: Record<string, Record<string, string>> = {
    "no path": { ":path": "" },
    "a path that is none": { ":path": "http://x/" },
    "an unknown pseudo field": { ":other": "x" },
    "a name in capitals": { "Accept": "x" },
    "a name with a space": { "a b": "x" },
    "a line break in a value": { "x": "a\nb" },
    "a field of the connection": { "connection": "close" },
    "te": { "te": "gzip" },
    "a length that is none": { "content-length": "1x" },
    "a body that does not come": { "content-length": "5" },
  };
  const client = new TestClient({ handler: hello });
  let streamId = -1;
  for (const [what, fields] of Object.entries(malformed)) {
    client.request(streamId += 2, fields);
    assert.equal(await client.errorCode(streamId), ErrorCode.protocol, what);
  }
  client.request(streamId += 2);
  await client.answer(streamId);
});

Deno.test("bodies longer and shorter than announced are refused", async () => {
  const client = new TestClient({ handler: async (request) => Response.json((await request.bytes()).length) });
  for (const [streamId, flags, body] of [[1, 0, "too long"], [3, Flag.endStream, "no"]] as const) {
    client.request(streamId, { ":method": "POST", "content-length": "4" }, 0);
    client.send(FrameType.data, flags, streamId, utf8.encode(body));
    assert.equal(await client.errorCode(streamId), ErrorCode.protocol);
  }
});

Deno.test("a header list beyond a megabyte is answered with 431", async () => {
  const client = new TestClient({ handler: hello });
  // Said once, referred to five hundred times.
  const block = client.block({ ":method": "GET", ":scheme": "https", ":path": "/", ":authority": "test" });
  const bomb = new Uint8Array(1200).fill(0x80 | 62);
  const field = client.block({ "x-long": "x".repeat(1000) });
  const whole = new Uint8Array([...block, ...field, ...bomb]);
  client.send(FrameType.headers, Flag.endHeaders | Flag.endStream, 1, whole);
  assert.equal((await client.answer(1)).fields[":status"], "431");
});

const FLOODS: Record<string, (client: TestClient) => void> = {
  "requests cancelled at once": (client) => {
    for (let id = 1; id < 3_000; id += 2) {
      client.request(id);
      client.send(FrameType.resetStream, 0, id, uint32(ErrorCode.cancel));
    }
  },
  "a header block without end": (client) => {
    client.send(FrameType.headers, 0, 1, client.block({ ":method": "GET" }));
    for (let i = 0; i < 200; i++) client.send(FrameType.continuation, 0, 1);
  },
  "pings whose answers nobody reads": (client) => {
    client.open = false;
    client.connection.drained(); // One write, and the transport is full.
    for (let i = 0; i < 10_002; i++) client.send(FrameType.ping, 0, 0, new Uint8Array(8));
    client.open = true;
    client.connection.drained();
  },
};

for (const [name, flood] of Object.entries(FLOODS)) {
  Deno.test(`a flood ends the connection: ${name}`, async () => {
    const client = new TestClient({
      handler: () => new Promise<Response>((resolve) => setTimeout(() => resolve(hello()), 1)),
    });
    flood(client);
    assert.equal(await client.errorCode(0), ErrorCode.enhanceYourCalm);
    assert.ok(client.ended);
    await later();
  });
}

Deno.test("more streams than allowed are refused, and may be tried again", async () => {
  const client = new TestClient({ handler: () => new Promise(() => {}), maxConcurrentStreams: 2 });
  for (const id of [1, 3, 5]) client.request(id);
  assert.equal(await client.errorCode(5), ErrorCode.refusedStream);
});

Deno.test("leaving: what is on its way is answered, then the connection closes", async () => {
  const answer = Promise.withResolvers<Response>();
  const client = new TestClient({ handler: () => answer.promise });
  client.request(1);
  client.connection.leave(1);
  await later(10);
  assert.ok(!client.ended);
  client.request(3); // After the last word: not taken, so the client may send it elsewhere.
  answer.resolve(hello());
  await client.answer(1);
  await until(() => client.ended);
  assert.ok(!client.received.some((frame) => frame.streamId === 3));
});

Deno.test("an answer that nobody takes is not kept for ever, a stream may wait", async () => {
  const stream = () => new Response(new Blob(["x".repeat(100_000)]).stream());
  const client = new TestClient({
    handler: (request) => request.url.endsWith("stream") ? stream() : new ReadyResponse("x".repeat(100_000), {}),
  });
  client.request(1);
  client.request(3, { ":path": "/stream" });
  await later();
  client.connection.check(performance.now() + 50_000);
  await later();
  assert.ok(!client.received.some((frame) => frame.type === FrameType.resetStream));
  client.connection.check(performance.now() + 70_000);
  assert.equal(await client.errorCode(1), ErrorCode.cancel);
  await later();
  assert.ok(!client.received.some((frame) => frame.type === FrameType.resetStream && frame.streamId === 3));
});

Deno.test("a connection that does nothing is closed", async () => {
  const client = new TestClient({ handler: hello });
  client.request(1);
  await client.answer(1);
  client.connection.check(performance.now() + 80_000);
  await later();
  assert.ok(!client.ended);
  client.connection.check(performance.now() + 100_000);
  await until(() => client.ended);
});

Deno.test("hundreds of thousands of frames with a byte or nothing in them are a body like any other", async () => {
  const read: Record<string, (request: Request) => Promise<number>> = {
    whole: async (request) => (await request.arrayBuffer()).byteLength,
    pieces: async (request) => {
      let length = 0;
      for await (const chunk of request.body!) length += chunk.length;
      return length;
    },
  };
  for (const [name, handler] of Object.entries(read)) {
    const client = new TestClient({ handler: async (request) => Response.json(await handler(request)) });
    client.request(1, { ":method": "POST" }, 0);
    for (let i = 0; i < 200_000; i++) client.send(FrameType.data, 0, 1, i % 2 === 0 ? NOTHING : BYTE);
    client.send(FrameType.data, Flag.endStream, 1);
    assert.equal((await client.answer(1)).body, "100000", name);
  }
});

Deno.test("of many windows in one frame of settings the last one counts", async () => {
  const client = new TestClient({ handler: () => hello() });
  const payload = new Uint8Array(6 * 2000);
  for (let at = 0; at < payload.length; at += 6) {
    payload[at + 1] = Setting.initialWindowSize;
    payload.set(uint32(at === payload.length - 6 ? 2 : 0x7fffffff), at + 2);
  }
  client.send(FrameType.settings, 0, 0, payload);
  client.request(1);
  await until(() => client.data(1).length >= 2);
  assert.equal(client.data(1).length, 2);
});

Deno.test("a method, scheme or path that could be read as something else is refused", async () => {
  const wrong: Record<string, string>[] = [
    { ":scheme": "x://y/api/v1/secrets?a=" },
    { ":method": "GET /x" },
    { ":path": "/a b" },
    { ":path": "/a\r\nb: c" },
    { ":path": "/a\0" },
  ];
  for (const fields of wrong) {
    const client = new TestClient({ handler: () => hello() });
    client.request(1, fields);
    assert.equal(await client.errorCode(1), ErrorCode.protocol, JSON.stringify(fields));
  }
});
