import assert from "node:assert/strict";
import { builtinSchema } from "../schema/builtin.ts";
import type { FieldModel, StructType } from "../schema/model.ts";
import type { Json } from "../types.ts";
import { decode, DecodeError } from "./decode.ts";
import { parseJson } from "./parse.ts";
import { encode } from "./encode.ts";

function typeOf(group: string, version: string, kind: string) {
  return builtinSchema().typeOfKind({ group, version, kind })!;
}

const pod = typeOf("", "v1", "Pod");

function decodePod(value: Json) {
  return decode(pod, value);
}

Deno.test("members are ordered, empty ones dropped or written as Go does", () => {
  const { object, strictErrors } = decodePod({
    spec: {
      hostNetwork: false,
      containers: [{ image: "i", name: "c", command: [] }],
      terminationGracePeriodSeconds: 0,
    },
    metadata: { labels: { b: "2", a: "1" }, name: "p", creationTimestamp: null },
    apiVersion: "v1",
    kind: "Pod",
  });
  assert.deepEqual(strictErrors, []);
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
  const { object, strictErrors } = decodePod({
    metadata: { nme: "x" },
    spec: { containers: [{ name: "a", foo: 1 }] },
    extra: {},
  });
  assert.deepEqual(strictErrors, [
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

Deno.test("members that are there twice and odd numbers are found in the text", () => {
  const strictErrors = (text: string) => {
    const source = parseJson(text);
    return decode(pod, source.value, { source }).strictErrors;
  };
  assert.deepEqual(
    strictErrors('{"metadata":{"name":"a","labels":{"x":"1","x":":\\""},"name":"b"},"spec":{"a":{},"containers":[]}}'),
    ['duplicate field "metadata.labels.x"', 'duplicate field "metadata.name"', 'unknown field "spec.a"'],
  );
  assert.throws(
    () => strictErrors('{"spec":{"priority":1.0}}'),
    /json: cannot unmarshal number 1.0 into Go struct field PodSpec.spec.priority of type int32/,
  );
});

Deno.test("scalars are brought into the form in which they are written", () => {
  const { object } = decodePod({
    metadata: { creationTimestamp: "2024-01-02T03:04:05.5+01:00" },
    spec: { containers: [{ name: "c", resources: { limits: { cpu: 0.5, memory: " 1024Mi " } } }, null] },
  });
  assert.equal(object.metadata.creationTimestamp, "2024-01-02T02:04:05Z");
  assert.deepEqual(object.spec.containers, [
    { name: "c", resources: { limits: { cpu: "500m", memory: "1Gi" } } },
    { name: "", resources: {} },
  ]);
});

Deno.test("what is right is taken over as it is, and nothing given is changed", () => {
  const value: Json = {
    kind: "Pod",
    metadata: { labels: { b: "", a: "" } },
    spec: { containers: [{ name: "c", resources: {} }] },
  };
  const before = structuredClone(value);
  const { object } = decodePod(value);
  assert.deepEqual(value, before);
  assert.equal(object.spec, value.spec);
  assert.notEqual(object.metadata, value.metadata);
});

Deno.test("encode leaves out and fills in as Go does", () => {
  const rule = { kind: "Role", apiVersion: "rbac.authorization.k8s.io/v1", metadata: { labels: {} } };
  assert.equal(
    encode(typeOf("rbac.authorization.k8s.io", "v1", "Role"), rule),
    '{"kind":"Role","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{},"rules":null}',
  );
});

Deno.test("syntax errors are worded as Go words them", () => {
  const cases: Record<string, string> = {
    "": "unexpected end of JSON input",
    "{": "unexpected end of JSON input",
    "{a:1}": "invalid character 'a' looking for beginning of object key string",
    '{"a":1,}': "invalid character '}' looking for beginning of object key string",
    "[1 2]": "invalid character '2' after array element",
    "nope": "invalid character 'o' in literal null (expecting 'u')",
    "1 x": "invalid character 'x' after top-level value",
    '"\n"': "invalid character '\\n' in string literal",
  };
  for (const [text, message] of Object.entries(cases)) assert.throws(() => parseJson(text), { message }, text);
  assert.throws(() => parseJson("[".repeat(1001) + "]".repeat(1001)), { message: "exceeded max depth" });
  assert.throws(() => parseJson("[".repeat(100_000)), { message: "exceeded max depth" });
});

function crd(fields: Partial<FieldModel>[], rest: Partial<StructType> = {}): StructType {
  const whole = fields.map((field): [string, FieldModel] => [field.name!, {
    type: { kind: "string" },
    required: false,
    nullable: false,
    omit: "empty",
    pointer: true,
    number: 0,
    within: [],
    patchStrategy: [],
    ...field,
  } as FieldModel]);
  return {
    kind: "struct",
    name: "x",
    goName: "",
    fields: new Map(whole),
    atomic: false,
    preserveUnknown: false,
    embedded: false,
    ...rest,
  };
}

Deno.test("custom resources are pruned, their metadata is read strictly", () => {
  const spec = crd([{ name: "b", nullable: true }, { name: "a" }, {
    name: "t",
    type: crd([], { embedded: true, preserveUnknown: true }),
  }]);
  const type = crd([{ name: "spec", type: spec }]);
  const { object, strictErrors } = decode(type, {
    spec: { x: 1, b: null, a: 5, t: { kind: "T", metadata: { foo: 1 }, z: { b: 1, a: null } } },
    metadata: { foo: 1, name: "n" },
    kind: "Widget",
    apiVersion: "a/v1",
  });
  assert.equal(
    JSON.stringify(object),
    '{"kind":"Widget","apiVersion":"a/v1","metadata":{"name":"n"},' +
      '"spec":{"a":5,"b":null,"t":{"kind":"T","metadata":{},"z":{"a":null,"b":1}}}}',
  );
  assert.deepEqual(strictErrors, [
    'unknown field "metadata.foo"',
    'unknown field "spec.x"',
    'unknown field "spec.t.metadata.foo"',
  ]);
  assert.throws(() => decode(type, { metadata: { labels: { a: 1 } } }), {
    message: "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string",
  });
  assert.throws(() => decode(type, { spec: { t: { metadata: { name: 5 } } } }), {
    message:
      'spec.t.metadata: Invalid value: {"name":5}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
  });
});
