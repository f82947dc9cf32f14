import assert from "node:assert/strict";
import { withTrial } from "../../registry/testing.ts";

const SECRET = { apiVersion: "v1", kind: "Secret" };

Deno.test("each type of secret needs its keys", async () => {
  const needs: Record<string, string[]> = {
    "kubernetes.io/tls": ["data[tls.crt]: Required value", "data[tls.key]: Required value"],
    "kubernetes.io/basic-auth": ["data[username]: Required value", "data[password]: Required value"],
    "kubernetes.io/ssh-auth": ["data[ssh-privatekey]: Required value"],
    "kubernetes.io/dockercfg": ["data[.dockercfg]: Required value"],
    "kubernetes.io/dockerconfigjson": ["data[.dockerconfigjson]: Required value"],
    "kubernetes.io/service-account-token": ["metadata.annotations[kubernetes.io/service-account.name]: Required value"],
    "example.com/anything": [],
  };
  await withTrial(async (trial) => {
    for (const [type, expected] of Object.entries(needs)) {
      assert.deepEqual(await trial.refusals({ ...SECRET, type }), expected, type);
    }
    const data = { ".dockercfg": btoa("{") };
    assert.deepEqual(await trial.refusals({ ...SECRET, type: "kubernetes.io/dockercfg", data }), [
      'data[.dockercfg]: Invalid value: "<secret contents redacted>": unexpected end of JSON input',
    ]);
    assert.match((await trial.refusals({ ...SECRET, data: { "a b": "" } }))[0], /^data\[a b]: .*valid config key/);
  });
});

Deno.test("stringData goes into data; the type never changes; what is immutable stays", async () => {
  await withTrial(async (trial) => {
    const stored = await trial.create({ ...SECRET, stringData: { a: "1" }, immutable: true });
    assert.deepEqual([stored.type, stored.data, stored.stringData], ["Opaque", { a: btoa("1") }, undefined]);
    assert.deepEqual(await trial.updateRefusals({ ...SECRET, type: "x", data: { a: btoa("2") } }), [
      'type: Invalid value: "x": field is immutable',
      "immutable: Forbidden: field is immutable when `immutable` is set",
      "data: Forbidden: field is immutable when `immutable` is set",
    ]);
  });
});
