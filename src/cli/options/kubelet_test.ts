import assert from "node:assert/strict";
import { join } from "node:path";
import { newServerConfig } from "../../server/new_config.ts";
import { issueCertificate } from "../../server/serving/issue.ts";
import { OptionFiles } from "../flags/files.ts";
import { kubelet } from "./kubelet.ts";

const DEFAULTS = {
  "kubelet-certificate-authority": "",
  "kubelet-client-certificate": "",
  "kubelet-client-key": "",
  "kubelet-preferred-address-types": ["Hostname", "InternalIP"],
  "kubelet-timeout": 5000,
};

const context = () => ({ files: new OptionFiles(), given: new Set<string>() });

Deno.test("the certificate for kubelets is read together with its key", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const { cert, key } = issueCertificate({ commonName: "apiserver", usage: "client", lifetime: 3_600_000 });
    const certFile = join(dir, "client.crt"), keyFile = join(dir, "client.key");
    await Deno.writeTextFile(certFile, cert);
    await Deno.writeTextFile(keyFile, key);
    const options = { ...DEFAULTS, "kubelet-client-certificate": certFile, "kubelet-client-key": keyFile };
    assert.deepEqual(await kubelet.validate!(options, context()), []);
    const config = newServerConfig();
    kubelet.applyTo!(options, config, context());
    assert.deepEqual(config.extra.kubelet.client, { certFile, keyFile, cert, key });
    assert.equal(config.extra.kubelet.certificateAuthority, undefined);
    assert.deepEqual(config.extra.kubelet.preferredAddressTypes, ["Hostname", "InternalIP"]);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("half a pair, files that are not there and unknown address types are refused", async () => {
  const problems = async (options: Partial<typeof DEFAULTS>) =>
    (await kubelet.validate!({ ...DEFAULTS, ...options }, context())).join("\n");
  assert.equal(await problems({}), "");
  assert.match(await problems({ "kubelet-client-certificate": "/a" }), /--kubelet-client-key is missing/);
  assert.match(await problems({ "kubelet-client-key": "/a" }), /--kubelet-client-certificate is missing/);
  assert.match(await problems({ "kubelet-certificate-authority": "/no/such/file" }), /no such file or directory/);
  assert.match(await problems({ "kubelet-preferred-address-types": ["Phone"] }), /=Phone: must be one of Hostname/);
});
