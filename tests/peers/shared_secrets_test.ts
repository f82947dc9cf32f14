// Kubelith and kube-apiserver with one encryption configuration: each reads what the other has encrypted.
import assert from "node:assert/strict";
import { join } from "node:path";
import { Connection } from "../../src/storage/etcd3/connection.ts";
import { METHODS } from "../../src/storage/etcd3/messages.ts";
import { assertSame, must, pairTest } from "./pair.ts";

const SECRETS = "/api/v1/namespaces/default/secrets";
const KEY = btoa("0123456789abcdef0123456789abcdef");

for (const provider of ["aescbc", "aesgcm", "secretbox"]) {
  pairTest(`secrets encrypted by ${provider}`, async (pair, t) => {
    const etcd = new Connection({ servers: [pair.etcd] });
    for (const [writer, name] of [[pair.kubelith, "ours"], [pair.real, "theirs"]] as const) {
      await t.step(`written by ${writer.name}`, async () => {
        const data = { password: btoa("secret text") };
        await must(writer.peer, "POST", SECRETS, { metadata: { name }, data });
        await assertSame(pair, `${SECRETS}/${name}`);
        const key = new TextEncoder().encode(`/registry/secrets/default/${name}`);
        const { response } = await etcd.call(METHODS.range, { key });
        const value = new TextDecoder("latin1").decode(response.kvs[0].value);
        assert.ok(value.startsWith(`k8s:enc:${provider}:v1:first:`), value);
        assert.doesNotMatch(value, /secret text/);
      });
    }
    await t.step("the list of both", () => assertSame(pair, SECRETS));
    etcd.close();
  }, (dir) => {
    const file = join(dir, "encryption.json");
    const providers = [{ [provider]: { keys: [{ name: "first", secret: KEY }] } }, { identity: {} }];
    const config = {
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "EncryptionConfiguration",
      resources: [{ resources: ["secrets"], providers }],
    };
    Deno.writeTextFileSync(file, JSON.stringify(config));
    return [`--encryption-provider-config=${file}`];
  });
}
