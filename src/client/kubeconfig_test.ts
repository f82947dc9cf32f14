import assert from "node:assert/strict";
import { readKubeconfig } from "./kubeconfig.ts";

const FILES: Record<string, string> = { "/etc/k8s/pki/ca.crt": "CA", "/etc/k8s/token": "secret\n" };

function read(text: string) {
  return readKubeconfig("/etc/k8s/config", (file) => {
    const found = file === "/etc/k8s/config" ? text : FILES[file];
    if (found === undefined) throw new Error(`${file}: no such file`);
    return found;
  });
}

const CONTEXTS = "contexts: [{name: a, context: {cluster: c, user: u}}]\ncurrent-context: a\n";

Deno.test("the current context says where to go and who we are", async () => {
  const config = await read(`${CONTEXTS}
clusters:
- {name: other, cluster: {server: "https://other"}}
- {name: c, cluster: {server: "https://c:8443/x", certificate-authority: pki/ca.crt, tls-server-name: name}}
users: [{name: u, user: {tokenFile: token}}]`);
  assert.equal(config.url.href, "https://c:8443/x");
  assert.deepEqual({ ...config, url: undefined }, {
    url: undefined,
    ca: "CA",
    insecure: false,
    serverName: "name",
    certificate: undefined,
    authorization: "Bearer secret",
  });
});

Deno.test("data wins over files, a pair is a pair", async () => {
  const users = (user: string) =>
    `${CONTEXTS}clusters: [{name: c, cluster: {server: "https://c"}}]
users: [{name: u, user: ${user}}]`;
  const data = `{client-certificate-data: ${btoa("CERT")}, client-certificate: nowhere, client-key-data: ${
    btoa("KEY")
  }}`;
  assert.deepEqual((await read(users(data))).certificate, { cert: "CERT", key: "KEY" });
  assert.equal((await read(users("{username: me, password: pw}"))).authorization, `Basic ${btoa("me:pw")}`);
  await assert.rejects(read(users(`{client-certificate-data: ${btoa("CERT")}}`)), /go together/);
  await assert.rejects(read(users("{exec: {command: x}}")), /user.exec is not supported here/);
  await assert.rejects(read(users("{tokenFile: nowhere}")), /no such file/);
});

Deno.test("one cluster needs no context", async () => {
  assert.equal((await read('clusters: [{name: x, cluster: {server: "http://x"}}]')).url.href, "http://x/");
  await assert.rejects(read("clusters: []"), /no cluster in its current context/);
  await assert.rejects(read("current-context: b"), /context was not found for specified context: b/);
  await assert.rejects(read("clusters: [{name: x, cluster: {server: nowhere}}]"), /cluster.server is no URL/);
});
