import assert from "node:assert/strict";
import { decodeEnvelope, decodeProtobuf } from "../machinery/protobuf/decode.ts";
import { encodeProtobuf } from "../machinery/protobuf/encode.ts";
import { builtinSchema } from "../machinery/schema/builtin.ts";
import type { KubeObject } from "../machinery/types.ts";
import type { ListResult } from "../storage/interface.ts";
import { CONFIG_MAP, configMaps, itemOf, providerOf, send } from "./testing.ts";

const PATH = "/api/v1/namespaces/x/configmaps";
const PROTOBUF = "application/vnd.kubernetes.protobuf";
const BOTH = { accept: PROTOBUF, "content-type": PROTOBUF };

const type = builtinSchema().typeOfKind(CONFIG_MAP)!;
const listType = builtinSchema().typeOfKind({ ...CONFIG_MAP, kind: "ConfigMapList" })!;
const object: KubeObject = {
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: { name: "a", namespace: "x", resourceVersion: "5" },
  data: { k: "v" },
};

const provider = providerOf(configMaps({
  get: () => ({ item: itemOf(object) }),
  list: () => Promise.resolve<ListResult>({ items: [itemOf(object)], revision: 7 }),
  create: (_context, _name, created) => Promise.resolve({ object: created }),
}));

async function bytesOf(response: Response): Promise<Uint8Array> {
  assert.equal(response.headers.get("content-type"), PROTOBUF);
  return new Uint8Array(await response.arrayBuffer());
}

Deno.test("objects and lists are answered in protobuf", async () => {
  const one = await bytesOf(await send(provider, `${PATH}/a`, { headers: { accept: PROTOBUF } }));
  assert.deepEqual(one, encodeProtobuf(type, object) as Uint8Array);
  const { items, metadata } = decodeProtobuf(
    listType,
    await bytesOf(await send(provider, PATH, { headers: { accept: PROTOBUF } })),
  );
  assert.deepEqual(metadata, { resourceVersion: "7" });
  assert.deepEqual(items, [{ metadata: object.metadata, data: object.data }]);
});

Deno.test("bodies in protobuf are read, and refused in protobuf when they are broken", async () => {
  const { metadata, ...rest } = object;
  const body = encodeProtobuf(type, { ...rest, metadata: { name: metadata.name } });
  const created = await send(provider, PATH, { method: "POST", headers: BOTH, body });
  assert.equal(created.status, 201);
  assert.equal(decodeProtobuf(type, await bytesOf(created)).data.k, "v");
  const refused = await send(provider, PATH, { method: "POST", headers: BOTH, body: body.slice(0, 30) });
  assert.equal(refused.status, 400);
  assert.equal(decodeEnvelope(await bytesOf(refused)).kind, "Status");
});

Deno.test("what is wrong with a body in protobuf is told as Go's decoder tells it", async () => {
  const whole = encodeProtobuf(type, { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" } });
  const inside = whole.indexOf(0x12, 20), wrongWire = Uint8Array.from(whole);
  wrongWire[inside + 2] = 0x08;
  const asConfigMap = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: ';
  const unknown = "the object provided is unrecognized (must be of type ConfigMap): ";
  const cases: [Uint8Array, string][] = [
    [wrongWire, `${asConfigMap}proto: wrong wireType = 0 for field ObjectMeta`],
    [whole.slice(0, 4), `${unknown}empty body (6b387300)`],
    [Uint8Array.of(0x6b, 0x38, 0x73, 0, 0), `${unknown}proto: Unknown: illegal tag 0 (wire type 0) (6b38730000)`],
    [new Uint8Array(), `${unknown}empty data (<empty>)`],
  ];
  for (const [body, message] of cases) {
    const headers = { "content-type": PROTOBUF };
    const refused = await send(provider, PATH, { method: "POST", headers, body: Uint8Array.from(body) });
    assert.deepEqual([refused.status, (await refused.json()).message], [400, message]);
  }
});

Deno.test("an envelope that does not say its kind holds what is served", async () => {
  const body = encodeProtobuf(type, { kind: "", apiVersion: "", metadata: { name: "a" }, data: { k: "v" } });
  const created = await send(provider, PATH, { method: "POST", headers: BOTH, body });
  assert.equal(created.status, 201);
  assert.equal(decodeProtobuf(type, await bytesOf(created)).data.k, "v");
});

Deno.test("options of a delete are read in protobuf, under the version of whichever group", async () => {
  const optionsType = builtinSchema().typeByName("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions")!;
  const given = { propagationPolicy: "Orphan", preconditions: { uid: "u" } };
  for (const apiVersion of ["v1", "apps/v1", "meta.k8s.io/v1"]) {
    const seen: unknown[] = [];
    const deleting = providerOf(configMaps({
      delete: (_context, _name, options) => {
        seen.push(options);
        return Promise.resolve({ result: { object }, deleted: true });
      },
    }));
    const body = encodeProtobuf(optionsType, { kind: "DeleteOptions", apiVersion, ...given } as unknown as KubeObject);
    const answer = await send(deleting, `${PATH}/a`, { method: "DELETE", headers: BOTH, body });
    assert.equal(answer.status, 200);
    assert.deepEqual(seen, [given], apiVersion);
  }
});
