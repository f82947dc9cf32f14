import assert from "node:assert/strict";
import { builtinSchema } from "../schema/builtin.ts";
import type { Json } from "../types.ts";
import { decode, DecodeError } from "./decode.ts";
import { encode } from "./encode.ts";

function typeOf(group: string, version: string, kind: string) {
  return builtinSchema().typeOfKind({ group, version, kind })!;
}

const pod = typeOf("", "v1", "Pod");

function decodePod(value: Json) {
  return decode(pod, value);
}

Deno.test("members are ordered, empty ones dropped or written as Go does", () => {
  const { object, unknown } = decodePod({
    spec: {
      hostNetwork: false,
      containers: [{ image: "i", name: "c", command: [] }],
      terminationGracePeriodSeconds: 0,
    },
    metadata: { labels: { b: "2", a: "1" }, name: "p", creationTimestamp: null },
    apiVersion: "v1",
    kind: "Pod",
  });
  assert.deepEqual(unknown, []);
  assert.equal(
    JSON.stringify(object),
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","labels":{"a":"1","b":"2"}},' +
      '"spec":{"containers":[{"name":"c","image":"i","resources":{}}],"terminationGracePeriodSeconds":0},"status":{}}',
  );
});

Deno.test("what is always written is there when nothing is given", () => {
  const { object } = decode(typeOf("apps", "v1", "Deployment"), { metadata: { name: "d" }, spec: {} });
  assert.equal(
    JSON.stringify(object),
    '{"metadata":{"name":"d"},"spec":{"selector":null,"template":{"metadata":{},"spec":{"containers":null}},"strategy":{}},"status":{}}',
  );
});

Deno.test("unknown members are reported with their paths and dropped", () => {
  const { object, unknown } = decodePod({
    metadata: { nme: "x" },
    spec: { containers: [{ name: "a", foo: 1 }] },
    extra: {},
  });
  assert.deepEqual(unknown, [
    'unknown field "metadata.nme"',
    'unknown field "spec.containers[0].foo"',
    'unknown field "extra"',
  ]);
  assert.equal("extra" in object, false);
});

Deno.test("wrong types are told in Go's words", () => {
  const cases: [Json, string][] = [
    [
      { spec: { containers: [{ name: 1 }] } },
      "json: cannot unmarshal number into Go struct field Container.spec.containers.name of type string",
    ],
    [{ spec: [] }, "json: cannot unmarshal array into Go struct field Pod.spec of type v1.PodSpec"],
    [
      { spec: { containers: {} } },
      "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container",
    ],
    [
      { metadata: { labels: { a: 1 } } },
      "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string",
    ],
  ];
  for (const [value, message] of cases) {
    assert.throws(() => decodePod(value), (e) => e instanceof DecodeError && (assert.equal(e.message, message), true));
  }
});

Deno.test("encode puts members that were added late in their place", () => {
  const { object } = decodePod({
    kind: "Pod",
    apiVersion: "v1",
    metadata: { name: "p" },
    spec: { containers: [{ name: "c" }] },
  });
  object.metadata.uid = "u";
  object.metadata.generateName = "g";
  object.spec.restartPolicy = "Always";
  object.spec.containers[0].image = "i";
  assert.equal(
    encode(pod, object),
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","generateName":"g","uid":"u"},' +
      '"spec":{"containers":[{"name":"c","image":"i","resources":{}}],"restartPolicy":"Always"},"status":{}}',
  );
});
