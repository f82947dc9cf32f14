import assert from "node:assert/strict";
import { startKmsPlugin } from "../../../tests/support/kms_plugin.ts";
import { createEncryption } from "./mod.ts";

const SECRETS = { group: "", resource: "secrets" };
const CONTEXT = new TextEncoder().encode("/registry/secrets/ns/a");
const VALUE = new TextEncoder().encode('{"kind":"Secret"}');

function configuration(socket: string): string {
  const kms = { apiVersion: "v2", name: "test", endpoint: `unix://${socket}`, timeout: "1s" };
  const resources = [{ resources: ["secrets"], providers: [{ kms }] }];
  return JSON.stringify({ apiVersion: "apiserver.config.k8s.io/v1", kind: "EncryptionConfiguration", resources });
}

Deno.test({
  name: "a plugin's key encrypts a seed, whoever holds the seed asks no more, and a new key makes values stale",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const dir = await Deno.makeTempDir(), socket = `${dir}/kms.sock`;
    const plugin = await startKmsPlugin(socket, "one");
    const writer = await createEncryption(configuration(socket)),
      reader = await createEncryption(configuration(socket));
    try {
      const stored = await writer.transformerFor(SECRETS).seal(VALUE, CONTEXT);
      assert.match(new TextDecoder().decode(stored), /^k8s:enc:kms:v2:test:/);
      assert.deepEqual(await writer.transformerFor(SECRETS).open(stored, CONTEXT), { value: VALUE, stale: false });
      assert.equal(plugin.decrypted, 0);
      for (let i = 0; i < 3; i++) {
        assert.deepEqual(await reader.transformerFor(SECRETS).open(stored, CONTEXT), { value: VALUE, stale: false });
      }
      assert.equal(plugin.decrypted, 1);
      const elsewhere = new TextEncoder().encode("/registry/secrets/ns/b");
      await assert.rejects(async () => await reader.transformerFor(SECRETS).open(stored, elsewhere), /authentication/);
      plugin.keyId = "two";
      const rotated = await createEncryption(configuration(socket));
      assert.deepEqual(await rotated.transformerFor(SECRETS).open(stored, CONTEXT), { value: VALUE, stale: true });
      await rotated.check();
      plugin.healthz = "bad";
      const sick = await createEncryption(configuration(socket));
      await assert.rejects(sick.check(0), /got unexpected healthz status: bad/);
      await assert.rejects(async () => await sick.transformerFor(SECRETS).seal(VALUE, CONTEXT), /has given no key yet/);
      for (const encryption of [rotated, sick]) encryption.close();
    } finally {
      for (const encryption of [writer, reader]) encryption.close();
      plugin.close();
      await Deno.remove(dir, { recursive: true });
    }
  },
});
