import assert from "node:assert/strict";
import { decode } from "../codec/decode.ts";
import { builtinSchema } from "../schema/builtin.ts";
import { type Json, type KubeObject, parseApiVersion } from "../types.ts";
import { decodeEnvelope, decodeMessage, decodeProtobuf, ProtobufError } from "./decode.ts";
import { encodeMessage, encodeProtobuf, encodeProtobufList, encodeWatchFrame } from "./encode.ts";

function typeOf({ apiVersion, kind }: { apiVersion: string; kind: string }) {
  return builtinSchema().typeOfKind({ ...parseApiVersion(apiVersion)!, kind })!;
}

/** Fully populated objects of every kind with the bytes that kube-apiserver v1.36.3 makes of them. */
async function recorded(): Promise<{ object: KubeObject; protobuf: string }[]> {
  const file = await Deno.open(new URL("../../../tests/testdata/protobuf.json.gz", import.meta.url));
  return await new Response(file.readable.pipeThrough(new DecompressionStream("gzip"))).json();
}

const configMap: KubeObject = {
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: { name: "é", creationTimestamp: "1969-12-31T23:59:59Z" },
  data: { b: "x".repeat(100), a: "" },
};

Deno.test("every kind is written and read as the real server does", async () => {
  for (const { object, protobuf } of await recorded()) {
    const type = typeOf(object);
    assert.equal(encodeProtobuf(type, object).toBase64(), protobuf, object.kind);
    assert.deepEqual(decodeProtobuf(type, Uint8Array.fromBase64(protobuf)), object);
  }
});

Deno.test("what Go holds without a pointer is written when it is missing", () => {
  const type = typeOf({ apiVersion: "v1", kind: "Pod" });
  const { object } = decode(type, { kind: "Pod", apiVersion: "v1" });
  assert.deepEqual(encodeMessage(type, object), encodeMessage(type, { kind: "Pod", apiVersion: "v1" } as KubeObject));
  assert.deepEqual(decodeMessage(type, encodeMessage(type, object), object), object);
});

Deno.test("text beyond ASCII, negative numbers and long values go there and back", () => {
  const type = typeOf(configMap);
  assert.deepEqual(decodeProtobuf(type, encodeProtobuf(type, configMap)), {
    ...configMap,
    data: { a: "", b: configMap.data.b },
  });
  const event = { kind: "Event", apiVersion: "v1", count: -5 } as unknown as Json;
  const eventType = typeOf({ apiVersion: "v1", kind: "Event" });
  const { object } = decode(eventType, event);
  assert.equal(decodeProtobuf(eventType, encodeProtobuf(eventType, object)).count, -5);
});

Deno.test("a text may begin with a byte order mark", () => {
  const type = typeOf(configMap), data = { a: "\ufefftext", b: "\ufeff" };
  assert.deepEqual(decodeProtobuf(type, encodeProtobuf(type, { ...configMap, data })).data, data);
});

Deno.test("lists are made of items that are messages already", () => {
  const listType = typeOf({ apiVersion: "v1", kind: "ConfigMapList" }),
    item = encodeMessage(typeOf(configMap), configMap);
  const list = { kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion: "7" } };
  const { items, ...rest } = decodeProtobuf(listType, encodeProtobufList(listType, list, [item, item]));
  assert.deepEqual(rest, list);
  assert.deepEqual(items.map((i: KubeObject) => i.metadata), [configMap.metadata, configMap.metadata]);
});

Deno.test("an event of a watch is framed by its length", () => {
  const enveloped = encodeProtobuf(typeOf(configMap), configMap), frame = encodeWatchFrame("ADDED", enveloped);
  assert.equal(new DataView(frame.buffer).getUint32(0), frame.length - 4);
  assert.deepEqual(frame.subarray(frame.length - enveloped.length), enveloped);
});

Deno.test("unknown fields are passed over, broken bytes are told", () => {
  const type = typeOf(configMap), message = encodeMessage(type, configMap);
  // Field 100: a number; field 101: bytes; field 102: a group with a group and a number.
  const group = [0xb3, 0x06, 0x0b, 0x08, 0x05, 0x0c, 0xb4, 0x06];
  const more = Uint8Array.of(...message, 0xa0, 0x06, 0x05, 0xaa, 0x06, 0x02, 1, 2, ...group);
  assert.deepEqual(decodeMessage(type, more, configMap).metadata, configMap.metadata);
  const cases: [Uint8Array, RegExp][] = [
    [Uint8Array.of(0x0a, 0x05, 1), /^unexpected EOF$/],
    [Uint8Array.of(0x08, 0x05), /^proto: wrong wireType = 0 for field ObjectMeta$/],
    [Uint8Array.of(0x00), /^proto: ConfigMap: illegal tag 0 \(wire type 0\)$/],
    [Uint8Array.of(0x0a, 0x01, 0x04), /^proto: ObjectMeta: wiretype end group for non-group$/],
    [Uint8Array.of(0x0a, 0x02, 0x28, 0x01), /^proto: wrong wireType = 0 for field UID$/],
    [Uint8Array.of(0xa7, 0x06), /^proto: illegal wireType 7$/],
  ];
  for (const [bytes, text] of cases) {
    assert.throws(
      () => decodeMessage(type, bytes, configMap),
      (e) => e instanceof ProtobufError && text.test(e.message),
    );
  }
  assert.throws(() => decodeEnvelope(Uint8Array.of(1, 2, 3)), /expected prefix \[107 56 115 0\]$/);
});
