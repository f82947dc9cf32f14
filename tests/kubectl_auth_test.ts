// kubectl with every kind of credential: client certificates, exec plugins, service account tokens.
import "reflect-metadata";
import assert from "node:assert/strict";
import { join } from "node:path";
import { issueCertificate } from "../src/server/serving/issue.ts";
import { binaries } from "./support/binaries.ts";
import { run, startServer } from "./support/server.ts";

const HOUR = 3_600_000;

interface WhoAmI {
  status: { userInfo: { username: string; groups: string[] } };
}

Deno.test("kubectl is who its credential says", async (t) => {
  const server = await startServer();
  try {
    const { kubectl } = await binaries();
    const admin = join(server.dir, "kubeconfig");
    const { clusters } = JSON.parse(Deno.readTextFileSync(admin));
    const write = (name: string, user: Record<string, unknown>): string => {
      const file = join(server.dir, `${name}.kubeconfig`);
      const contexts = [{ name, context: { cluster: clusters[0].name, user: name } }];
      const config = { apiVersion: "v1", kind: "Config", clusters, users: [{ name, user }], contexts };
      Deno.writeTextFileSync(file, JSON.stringify({ ...config, "current-context": name }));
      return file;
    };
    const ok = async (kubeconfig: string, args: string[], stdin?: string): Promise<string> => {
      const { code, stdout, stderr } = await run(kubectl, args, {
        env: { KUBECONFIG: kubeconfig, HOME: server.dir },
        stdin,
      });
      assert.equal(code, 0, `kubectl ${args.join(" ")}: ${stderr}`);
      return stdout;
    };
    const whoAmI = async (kubeconfig: string): Promise<WhoAmI["status"]["userInfo"]> =>
      (JSON.parse(await ok(kubeconfig, ["auth", "whoami", "-o", "json"])) as WhoAmI).status.userInfo;

    await t.step("a client certificate", async () => {
      const pki = (name: string) => Deno.readTextFileSync(join(server.dir, "pki", name));
      const ca = { cert: pki("ca.crt"), key: pki("ca.key") };
      const request = { commonName: "jane", organizations: ["dev"], usage: "client", lifetime: HOUR } as const;
      const { cert, key } = issueCertificate(request, ca);
      const user = { "client-certificate-data": btoa(cert), "client-key-data": btoa(key) };
      const { username, groups } = await whoAmI(write("certificate", user));
      assert.deepEqual([username, ...groups], ["jane", "dev", "system:authenticated"]);
    });
    await t.step("a service account's token, with its rights", async () => {
      await ok(admin, ["create", "serviceaccount", "robot"]);
      await ok(admin, ["create", "rolebinding", "robot", "--clusterrole=view", "--serviceaccount=default:robot"]);
      const token = (await ok(admin, ["create", "token", "robot", "--duration=1h"])).trim();
      const robot = write("token", { token });
      assert.equal((await whoAmI(robot)).username, "system:serviceaccount:default:robot");
      assert.equal((await ok(robot, ["auth", "can-i", "list", "pods"])).trim(), "yes");
      assert.equal((await ok(robot, ["get", "pods", "-o", "name"])).trim(), "");
      const refused = await run(kubectl, ["auth", "can-i", "list", "secrets"], {
        env: { KUBECONFIG: robot, HOME: server.dir },
      });
      assert.equal(refused.stdout.trim(), "no");
    });
    await t.step("an exec plugin that brings a token", async () => {
      const plugin = join(server.dir, "plugin.sh");
      const token = (await ok(admin, ["create", "token", "robot"])).trim();
      const credential = { apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status: { token } };
      Deno.writeTextFileSync(plugin, `#!/bin/sh\necho '${JSON.stringify(credential)}'\n`, { mode: 0o755 });
      const exec = { apiVersion: credential.apiVersion, command: plugin, interactiveMode: "Never" };
      assert.equal((await whoAmI(write("exec", { exec }))).username, "system:serviceaccount:default:robot");
    });
    await t.step("somebody else, whom one may act as", async () => {
      const groups = ["--as-group=dev", "--as-group=a,b"];
      const asJane = await ok(admin, ["auth", "whoami", "-o", "json", "--as=jané", ...groups]);
      assert.deepEqual((JSON.parse(asJane) as WhoAmI).status.userInfo, {
        username: "jané",
        groups: ["dev", "a,b", "system:authenticated"],
      });
    });
    await t.step("a certificate that is asked for and approved", async () => {
      const { Pkcs10CertificateRequestGenerator } = await import("@peculiar/x509");
      const signingAlgorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
      const keys = await crypto.subtle.generateKey(signingAlgorithm, true, ["sign", "verify"]);
      const made = await Pkcs10CertificateRequestGenerator.create({ name: "CN=kim, O=dev", keys, signingAlgorithm });
      const spec = {
        request: btoa(made.toString("pem")),
        signerName: "kubernetes.io/kube-apiserver-client",
        usages: ["client auth"],
      };
      const csr = {
        apiVersion: "certificates.k8s.io/v1",
        kind: "CertificateSigningRequest",
        metadata: { name: "kim" },
        spec,
      };
      await ok(admin, ["create", "-f", "-"], JSON.stringify(csr));
      await ok(admin, ["certificate", "approve", "kim"]);
      assert.match(await ok(admin, ["get", "csr", "kim"]), /kube-apiserver-client\s+admin\s+<none>\s+Approved/);
    });
  } finally {
    await server.stop();
  }
});
