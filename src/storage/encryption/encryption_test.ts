import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { inTempDir } from "../../../tests/support/temp_dir.ts";
import { createStorage, type EngineOptions } from "../factory.ts";
import { createEncryption, type Encryption, keepReloading } from "./mod.ts";
import type { Opened, Transformer } from "./transformer.ts";

const SECRETS = { group: "", resource: "secrets" };
const CONTEXT = new TextEncoder().encode("/registry/secrets/ns/a");
const VALUE = new TextEncoder().encode('{"kind":"Secret","text":"ünï"}');

function key(fill: number, length = 32): string {
  return Buffer.alloc(length, fill).toString("base64");
}

function configuration(...entries: { resources: string[]; providers: object[] }[]): string {
  const resources = entries.map(({ resources, providers }) => ({ resources, providers }));
  return JSON.stringify({ apiVersion: "apiserver.config.k8s.io/v1", kind: "EncryptionConfiguration", resources });
}

function provider(type: string, ...keys: [name: string, secret: string][]): object {
  return { [type]: { keys: keys.map(([name, secret]) => ({ name, secret })) } };
}

function encrypting(...providers: object[]): Promise<Encryption> {
  return createEncryption(configuration({ resources: ["secrets"], providers }));
}

async function roundTrip(transformer: Transformer): Promise<{ stored: Uint8Array; opened: Opened }> {
  const stored = await transformer.seal(VALUE, CONTEXT);
  return { stored, opened: await transformer.open(stored, CONTEXT) };
}

for (const type of ["aesgcm", "aescbc", "secretbox"]) {
  Deno.test(`${type}: what is sealed is opened, by its key only`, async () => {
    const transformer = (await encrypting(provider(type, ["k1", key(1)]))).transformerFor(SECRETS);
    const { stored, opened } = await roundTrip(transformer);
    assert.deepEqual(opened, { value: VALUE, stale: false });
    assert.ok(new TextDecoder().decode(stored).startsWith(`k8s:enc:${type}:v1:k1:`));
    const again = await transformer.seal(VALUE, CONTEXT);
    assert.notDeepEqual(again, stored, "no two values are sealed the same way");
    const other = (await encrypting(provider(type, ["k1", key(2)]))).transformerFor(SECRETS);
    await assert.rejects(async () => await other.open(stored, CONTEXT));
    const unnamed = (await encrypting(provider(type, ["k2", key(1)]))).transformerFor(SECRETS);
    await assert.rejects(async () => await unnamed.open(stored, CONTEXT), /no matching key was found/);
    for (const cut of [stored.slice(0, 25), stored.slice(0, -1)]) {
      await assert.rejects(async () => await transformer.open(cut, CONTEXT));
    }
  });
}

/** Values of kube-apiserver v1.36.3: where they were, and what is in them. */
const RECORDED: Record<string, { resource: string; key: string; stored: string; holds: RegExp }> = {
  aesgcm: {
    resource: "configmaps",
    key: "/registry/configmaps/t/c1",
    stored: "azhzOmVuYzphZXNnY206djE6a2V5MTqwhu73GWH0MZmaIqLaOrdaPqu/34ig7dTLEjFfpi4azXwCy91n4N1/nQCT7AAd06P+bMX3" +
      "WHZJlg5VVL5k5NBZ/DN6QVR/BUJypsL1+zyIY2R9qYGnC5B8c3STUgHfLal4BJVdBthemYPXuugbxpszUOcUOtlQ97VihYfMh70A" +
      "4mwoQX2EZYY+FvYzh/g6JKQbUSjWGGa0RDM6OzxiXz6RTLjctbHk/NT58GwRY4AeCoZGHu6CgRmW9nE+Zx5r9GvOZXUpjfAisV7v" +
      "61ucxmwUKmNtBSIFukcNocqPETPaqTzC6dI9eG79sT45GIy4jS7crKco4uNwGB359ZylpncCOO+F3lOhnVVg+RMAexQxznkVwAXY" +
      "ZKpmlIrhfa8rgFs8gP8JZWh4AQMK4UuHX0UPKKuFQgIgbsIrJNXfnBigL0yERW4q0IzXRGXEDXt4u3jbd1r4mzWqRnJBvg2f333t" +
      "P7j/xWM8kiMVXUbJaLwnQQisT/OCZ3z1XeJV5Ga0QF8inHqPaRhykOApRRNXdbvNkhR/2jirOQLhtjBNG0CCLsyEwlM6MM8W+xVc" +
      "OJwsa+1tasKUvwqXZDky8hG7GaomeOcRsMNMacsPpqtg8v5puT9T7nfNAzOwOs80O/rNFr1UyP4VhUobjtxtcOlF396wrt/MO9P0" +
      "gFiS20J/YwKslckgakm6BvvEdEDEadxDWUsmJe0O5mhbXEe6BO/Ow6h1gX6Eu0Aof3W4rB2NnYaWXO6eQztQ7ywJcdqHQcj5pfH5" +
      "luS0KfLMI+r8bgviC+BJSpMlMs4plZFkTCKV64OxXQCNzcopDsKmLttvw5r8SGzdMaPRHtosGbckyL7v77IdaKPotmFkShiCk9C9" +
      "k32DmmD+Uo54cw==",
    holds: /^k8s.*ConfigMap.*ünï/s,
  },
  secretbox: {
    resource: "secrets",
    key: "/registry/secrets/t/s1",
    stored: "azhzOmVuYzpzZWNyZXRib3g6djE6a2V5MTonLwgvGcXg3kPiHiDJmOeXlRUTFakgLn+Qiw5uvmjAuPBqo+shareSMu648W/fJQwH" +
      "XWdEE0U1sMvl5VJVzXWzsiqEuFC9AjWkGURk3ztsF7I52yYpmVB8I9FSfBDGg3+fFAo3Z9QKDWNik46zU/9cffcCKWgZHtABnyh6" +
      "TdUAR430T7hjM972jCe2zesxNieMZVTIJuYw3noJEoSb12q1ycKVOpfuZ3xM98BXCidQ22J9qd0aI3+dX0QskhGOkxIqCLhfvWYW" +
      "DalGajv6Y4DSs3v1xQOXGOE32gITzosAK9Rb6yTiHmMys1hluwUTg/PkpCgx9fy8AWMfofgBUT34ONXWlHR8Fapmum3BcFdItFDT" +
      "CmqtnDVEjuKFzSJgIbtVli0kkaVdTPvOOR3QmtNNH4ixLn8HlN5bxzqo0irpKS6O3d47/jECGrR6oOIfBkjxIthX7kLvFhsMxJxt" +
      "Dmk7vGIrxIQjaVAkRMneOMYeLx44CLLcXt7eZQVfuKZ2ffur083W8qad2JGjz05xFi+WgCmPGNbICjpb2jgV1wV3HiDpTa2zSzcB" +
      "KBanF5a1lLDhH6F259ike3Yh98E9f0pSuzGEKPvMX1gv8QYFBVD4Pw5zfpL66p6uibWyP+Jn/hYWe4eKo9bvfKYVyltbXEu5z411" +
      "hgH7PTVMpnCfviKtIuYTGAvwxLDVRov9",
    holds: /^k8s.*Secret.*Opaque/s,
  },
};

for (const [type, { resource, key: place, stored, holds }] of Object.entries(RECORDED)) {
  Deno.test(`${type}: what kube-apiserver sealed is opened`, async () => {
    const secret = Buffer.from("0123456789abcdef0123456789abcdef").toString("base64");
    const entry = { resources: [resource], providers: [provider(type, ["key1", secret])] };
    const transformer = (await createEncryption(configuration(entry))).transformerFor({ group: "", resource });
    const opened = await transformer.open(Buffer.from(stored, "base64"), new TextEncoder().encode(place));
    assert.match(new TextDecoder().decode(opened.value), holds);
    assert.equal(opened.stale, false);
  });
}

Deno.test("aesgcm binds a value to its place", async () => {
  const transformer = (await encrypting(provider("aesgcm", ["k1", key(1)]))).transformerFor(SECRETS);
  const { stored } = await roundTrip(transformer);
  const elsewhere = new TextEncoder().encode("/registry/secrets/ns/b");
  await assert.rejects(async () => await transformer.open(stored, elsewhere), /message authentication failed/);
});

Deno.test("what an older key or provider sealed is stale, and what is plain is read by identity only", async () => {
  const old = (await encrypting(provider("aescbc", ["old", key(1)]))).transformerFor(SECRETS);
  const { stored } = await roundTrip(old);
  const rotated = await encrypting(provider("aescbc", ["new", key(2)], ["old", key(1)]), { identity: {} });
  const transformer = rotated.transformerFor(SECRETS);
  assert.deepEqual(await transformer.open(stored, CONTEXT), { value: VALUE, stale: true });
  assert.deepEqual(await transformer.open(VALUE, CONTEXT), { value: VALUE, stale: true });
  await assert.rejects(async () => await old.open(VALUE, CONTEXT), /no matching prefix found/);
  const none = (await encrypting({ identity: {} })).transformerFor(SECRETS);
  await assert.rejects(async () => await none.open(stored, CONTEXT), /no matching prefix|tried to read encrypted data/);
});

Deno.test("the first entry that names a resource counts; the rest is not encrypted", async () => {
  const encryption = await createEncryption(configuration(
    { resources: ["secrets", "*.apps"], providers: [provider("aesgcm", ["a", key(1)])] },
    { resources: ["*."], providers: [provider("aesgcm", ["b", key(1)])] },
    { resources: ["*.*"], providers: [provider("aesgcm", ["c", key(1)])] },
  ));
  const keyOf = async (group: string, resource: string) => {
    const stored = await encryption.transformerFor({ group, resource }).seal(VALUE, CONTEXT);
    return new TextDecoder().decode(stored).slice(0, 19).at(-1);
  };
  assert.deepEqual(
    await Promise.all([keyOf("", "secrets"), keyOf("apps", "deployments"), keyOf("", "pods"), keyOf("x.test", "ys")]),
    ["a", "a", "b", "c"],
  );
  const plain = await encrypting(provider("aesgcm", ["a", key(1)]));
  assert.deepEqual(await plain.transformerFor({ group: "", resource: "pods" }).seal(VALUE, CONTEXT), VALUE);
});

Deno.test("a configuration is replaced by one that is right, and by no other", async () => {
  const encryption = await encrypting(provider("aesgcm", ["a", key(1)]));
  const next = configuration({ resources: ["secrets"], providers: [provider("aesgcm", ["b", key(2)])] });
  await assert.rejects(encryption.replace("{}"), /expected a EncryptionConfiguration/);
  assert.equal(await encryption.replace(next), true);
  assert.equal(await encryption.replace(next), false);
  const stored = await encryption.transformerFor(SECRETS).seal(VALUE, CONTEXT);
  assert.match(new TextDecoder().decode(stored), /^k8s:enc:aesgcm:v1:b:/);
});

Deno.test("a file that changes is taken once it is right", () =>
  inTempDir(async (dir) => {
    const file = `${dir}/encryption.json`;
    const encryption = await encrypting(provider("aesgcm", ["a", key(1)]));
    const told: ("replaced" | Error)[] = [];
    const until = async (happened: () => boolean) => {
      while (!happened()) await new Promise((resolve) => setTimeout(resolve, 2));
    };
    await Deno.writeTextFile(file, "{");
    const reloading = keepReloading(encryption, {
      file,
      interval: 2,
      onReplaced: () => void told.push("replaced"),
      onTrouble: (error) => void told.push(error),
    });
    try {
      await until(() => told.length > 0);
      assert.ok(told[0] instanceof Error);
      const next = configuration({ resources: ["secrets"], providers: [provider("aesgcm", ["b", key(2)])] });
      await Deno.writeTextFile(`${file}.new`, next);
      await Deno.rename(`${file}.new`, file);
      await until(() => told.includes("replaced"));
      const stored = await encryption.transformerFor(SECRETS).seal(VALUE, CONTEXT);
      assert.match(new TextDecoder().decode(stored), /^k8s:enc:aesgcm:v1:b:/);
    } finally {
      reloading.stop();
    }
  }));

const WRONG: [title: string, entries: Parameters<typeof configuration>, message: RegExp][] = [
  ["nothing", [], /resources: Required value: at least one resources is required/],
  ["no resource", [{ resources: [], providers: [{ identity: {} }] }], /resources\[0\].resources: Required value/],
  ["no provider", [{ resources: ["a"], providers: [] }], /resources\[0\].providers: Required value/],
  [
    "two in one",
    [{ resources: ["a"], providers: [{ identity: {}, ...provider("aescbc", ["a", key(1)]) }] }],
    /more than one/,
  ],
  ["none in one", [{ resources: ["a"], providers: [{}] }], /does not contain any of the expected providers/],
  [
    "a short key",
    [{ resources: ["a"], providers: [provider("secretbox", ["a", key(1, 16)])] }],
    /got 16, expected one of \[32\]/,
  ],
  [
    "no base64",
    [{ resources: ["a"], providers: [provider("aesgcm", ["a", "?"])] }],
    /REDACTED.*must be base64 encoded/,
  ],
  [
    "a key without a name",
    [{ resources: ["a"], providers: [provider("aesgcm", ["", key(1)])] }],
    /name is a mandatory field/,
  ],
  ["capitals", [{ resources: ["Secrets"], providers: [{ identity: {} }] }], /capital letters/],
  ["a star", [{ resources: ["*"], providers: [{ identity: {} }] }], /use '\*\.' to encrypt/],
  ["overlaps", [{ resources: ["secrets", "*."], providers: [{ identity: {} }] }], /overlapping resources/],
  ["duplicates", [{ resources: ["a", "a"], providers: [{ identity: {} }] }], /cannot be specified multiple times/],
  [
    "a group of events",
    [{ resources: ["events.events.k8s.io"], providers: [{ identity: {} }] }],
    /Use 'events' instead/,
  ],
  [
    "no socket",
    [{ resources: ["a"], providers: [{ kms: { apiVersion: "v2", name: "k", endpoint: "http://x" } }] }],
    /unsupported scheme "http"/,
  ],
  [
    "an old plugin",
    [{ resources: ["a"], providers: [{ kms: { name: "k", endpoint: "unix:///x" } }] }],
    /KMSv1 is deprecated/,
  ],
];

for (const [title, entries, message] of WRONG) {
  Deno.test(`a configuration with ${title} is refused`, async () => {
    await assert.rejects(createEncryption(configuration(...entries)), message);
  });
}

Deno.test("after a change of keys an update that changes nothing is written once more, and only once", async () => {
  const encryption = await encrypting(provider("aesgcm", ["old", key(1)]));
  const engine = {
    backend: "sqlite",
    path: ":memory:",
    workerUrl: new URL("../sqlite/writer_entry.ts", import.meta.url),
  };
  const factory = await createStorage({ engine: engine as EngineOptions, encryption });
  try {
    const { storage } = factory.forResource({
      prefix: "/registry/secrets/",
      resource: SECRETS,
      attributesOf: () => ({ labels: {}, fields: {} }),
    });
    const at = "/registry/secrets/a",
      stored = async () => {
        const found = await factory.backend.get(at);
        return new TextDecoder().decode(found!.value as Uint8Array).slice(0, 24);
      };
    const object = { kind: "Secret", apiVersion: "v1", metadata: { name: "a", uid: "a" } };
    const { revision } = await storage.create(at, object);
    await storage.list("/registry/secrets/");
    const same = () => storage.guaranteedUpdate(at, (current) => ({ object: current }));
    assert.equal((await same()).revision, revision);
    const providers = [provider("aesgcm", ["new", key(2)], ["old", key(1)])];
    await encryption.replace(configuration({ resources: ["secrets"], providers }));
    assert.match(await stored(), /^k8s:enc:aesgcm:v1:old:/);
    const rewritten = await same();
    assert.equal(rewritten.revision, revision + 1);
    assert.match(await stored(), /^k8s:enc:aesgcm:v1:new:/);
    assert.equal((await same()).revision, revision + 1);
  } finally {
    await factory.close();
  }
});
