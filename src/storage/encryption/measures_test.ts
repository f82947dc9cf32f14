import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { startKmsPlugin } from "../../../tests/support/kms_plugin.ts";
import { createMetrics } from "../../metrics/mod.ts";
import { inTempDir } from "../../../tests/support/temp_dir.ts";
import { createEncryption } from "./mod.ts";
import { encryptionMeasures } from "./measures.ts";

const SECRETS = { group: "", resource: "secrets" }, DEPLOYMENTS = { group: "apps", resource: "deployments" };
const CONTEXT = new TextEncoder().encode("/registry/secrets/ns/a");
const VALUE = new TextEncoder().encode('{"kind":"Secret"}');

const hash = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

function configuration(...resources: { resources: string[]; providers: object[] }[]): string {
  return JSON.stringify({ apiVersion: "apiserver.config.k8s.io/v1", kind: "EncryptionConfiguration", resources });
}

function aesGcm(name: string) {
  return { aesgcm: { keys: [{ name, secret: btoa("0123456789abcdef") }] } };
}

Deno.test("uses of keys are counted by resource, prefix and outcome, and a reload by what came of it", async () => {
  const metrics = createMetrics();
  const first = configuration({ resources: ["secrets", "deployments.apps"], providers: [aesGcm("one")] });
  const encryption = await createEncryption(first, encryptionMeasures(metrics, "me"));
  const secrets = encryption.transformerFor(SECRETS), sealed = await secrets.seal(VALUE, CONTEXT);
  await secrets.open(sealed, CONTEXT);
  await encryption.transformerFor(DEPLOYMENTS).seal(VALUE, CONTEXT);
  assert.throws(() => secrets.open(sealed, VALUE), /authentication failed/);
  assert.throws(() => secrets.open(VALUE, CONTEXT), /no matching prefix/);
  const text = await metrics.text();
  const total = "apiserver_storage_transformation_operations_total";
  const count = (resource: string, type: string, prefix: string, status: string) =>
    `${total}{resource="${resource}",transformation_type="${type}",transformer_prefix="${prefix}",status="${status}"}`;
  for (const prefix of ["k8s:enc:aesgcm:v1:", "one:"]) {
    assert.ok(text.includes(`${count("secrets", "to_storage", prefix, "OK")} 1\n`), text);
    assert.ok(text.includes(`${count("secrets", "from_storage", prefix, "OK")} 1\n`));
    assert.ok(text.includes(`${count("secrets", "from_storage", prefix, "unknown-non-grpc")} 1\n`));
    assert.ok(text.includes(`${count("deployments.apps", "to_storage", prefix, "OK")} 1\n`));
  }
  assert.ok(text.includes(`${count("secrets", "from_storage", "unknown", "unknown-non-grpc")} 1\n`));
  assert.match(text, /transformation_duration_seconds_count\{.*="from_storage",.*="one:"\} 1\n/);
  const info = (config: string) =>
    "apiserver_encryption_config_controller_last_config_info" +
    `{apiserver_id_hash="${hash("me")}",hash="${hash(config)}"} 1\n`;
  assert.ok(text.includes(info(first)));
  const second = configuration({ resources: ["secrets"], providers: [aesGcm("two")] });
  await encryption.replace(second);
  await assert.rejects(encryption.replace("{}"));
  const after = await metrics.text();
  assert.ok(after.includes(info(second)) && !after.includes(info(first)));
  const reloads = "apiserver_encryption_config_controller_automatic_reloads_total";
  for (const status of ["success", "failure"]) {
    assert.ok(after.includes(`${reloads}{status="${status}",apiserver_id_hash="${hash("me")}"} 1\n`));
  }
  encryption.close();
});

Deno.test({
  name: "keys and calls of a KMS plugin are counted",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: () =>
    inTempDir(async (dir) => {
      const socket = `${dir}/kms.sock`, plugin = await startKmsPlugin(socket, "key-1"), metrics = createMetrics();
      const kms = { apiVersion: "v2", name: "k1", endpoint: `unix://${socket}`, timeout: "1s" };
      const text = configuration({ resources: ["secrets"], providers: [{ kms }] });
      const writer = await createEncryption(text), measures = encryptionMeasures(metrics, "me");
      const reader = await createEncryption(text, measures);
      const sealed = await writer.transformerFor(SECRETS).seal(VALUE, CONTEXT);
      await reader.transformerFor(SECRETS).open(sealed, CONTEXT);
      await reader.transformerFor(SECRETS).open(sealed, CONTEXT);
      await reader.transformerFor(SECRETS).seal(VALUE, CONTEXT);
      const known = 'apiserver_envelope_encryption_dek_source_cache_size{provider_name="k1"} ';
      assert.ok((await metrics.text()).includes(`${known}2\n`));
      plugin.close();
      // Of another key, so that the plugin has to be asked.
      const other = await createEncryption(text, measures);
      await assert.rejects(async () => await other.transformerFor(SECRETS).open(sealed, CONTEXT), /decrypt DEK/);
      const found = await metrics.text();
      const key = `provider_name="k1",key_id_hash="${hash("key-1")}",apiserver_id_hash="${hash("me")}"`;
      const prefix = "apiserver_envelope_encryption_";
      assert.ok(found.includes(`${prefix}key_id_hash_total{transformation_type="from_storage",${key}} 2\n`), found);
      assert.ok(found.includes(`${prefix}key_id_hash_total{transformation_type="to_storage",${key}} 1\n`));
      assert.match(found, new RegExp(`${prefix}key_id_hash_status_last_timestamp_seconds\\{${key}\\} \\d+`));
      assert.ok(found.includes(`${known}0\n`));
      const calls = (method: string, code: string) =>
        `${prefix}kms_operations_latency_seconds_count{provider_name="k1",` +
        `method_name="/v2.KeyManagementService/${method}",grpc_status_code="${code}"} `;
      assert.ok(found.includes(`${calls("Encrypt", "OK")}1\n`));
      assert.ok(found.includes(`${calls("Decrypt", "OK")}1\n`));
      assert.match(
        found,
        /transformation_operations_total\{.*from_storage.*k8s:enc:kms:v2:k1:",status="Unavailable"\} 1/,
      );
      for (const encryption of [writer, reader, other]) encryption.close();
    }),
});
