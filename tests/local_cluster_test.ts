// What `up` does beyond the API itself, so that a cluster without kube-controller-manager is one to work with.
import assert from "node:assert/strict";
import { startServer, type TestServer } from "./support/server.ts";

interface ObjectLike {
  metadata: { uid: string };
  rules?: unknown[];
  data?: Record<string, string>;
}

/** Asks until the answer is as wanted. */
async function eventually<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    assert.ok(Date.now() < deadline, `in vain: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function find(server: TestServer, path: string): Promise<ObjectLike | undefined> {
  const response = await server.fetch(path);
  const body = await response.json();
  return response.ok ? body : undefined;
}

Deno.test("up: namespaces have their account and authority, roles gather rules", async (t) => {
  const server = await startServer();
  try {
    await t.step("a pod runs in a namespace that was just made", async () => {
      await server.json("POST", "/api/v1/namespaces", { metadata: { name: "fresh" } });
      const pod = { metadata: { name: "web" }, spec: { containers: [{ name: "c", image: "i" }] } };
      const made = await server.json<{ spec: { serviceAccountName: string } }>(
        "POST",
        "/api/v1/namespaces/fresh/pods",
        pod,
      );
      assert.equal(made.spec.serviceAccountName, "default");
    });
    await t.step("the account comes back when it is deleted", async () => {
      const path = "/api/v1/namespaces/fresh/serviceaccounts/default";
      const { metadata: { uid } } = (await find(server, path))!;
      await server.json("DELETE", path);
      await eventually(() => find(server, path), (found) => found !== undefined && found.metadata.uid !== uid);
    });
    await t.step("pods are told the cluster's authority", async () => {
      const path = "/api/v1/namespaces/fresh/configmaps/kube-root-ca.crt";
      const found = await eventually(() => find(server, path), (map) => map !== undefined);
      assert.equal(found!.data!["ca.crt"].trim(), Deno.readTextFileSync(`${server.dir}/pki/ca.crt`).trim());
    });
    await t.step("roles gather the rules of others, new ones too", async () => {
      const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
      const before = await eventually(() => find(server, `${roles}/view`), (role) => (role?.rules ?? []).length > 5);
      await server.json("POST", roles, {
        metadata: { name: "widgets", labels: { "rbac.authorization.k8s.io/aggregate-to-view": "true" } },
        rules: [{ verbs: ["get"], apiGroups: ["example.com"], resources: ["widgets"] }],
      });
      const count = before!.rules!.length + 1;
      await eventually(() => find(server, `${roles}/view`), (role) => role?.rules?.length === count);
    });
  } finally {
    await server.stop();
  }
});
