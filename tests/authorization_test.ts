// Who may do what, decided by several authorizers of a file: a webhook for some users, then Node and RBAC.
import assert from "node:assert/strict";
import { join } from "node:path";
import { startServer, type TestServer } from "./support/server.ts";
import { startWebhook, type WebhookCall } from "./support/webhook_server.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

/** The webhook lets users do what they are called after. */
function decide({ body }: WebhookCall) {
  const { user, resourceAttributes } = body.spec as { user: string; resourceAttributes: { verb: string } };
  const wish = user.slice("hooked-".length);
  if (wish === "nothing") return { body: { status: { denied: true, reason: "never" } } };
  if (wish === "broken") return { code: 403, body: "out of order" };
  return { body: { status: { allowed: wish === resourceAttributes.verb, reason: `you are ${wish}` } } };
}

async function withServer(test: (server: TestServer, calls: WebhookCall[]) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "kubelith-authz-" });
  const webhook = await startWebhook(dir, decide);
  const file = join(dir, "authorization.yaml");
  Deno.writeTextFileSync(
    file,
    `apiVersion: apiserver.config.k8s.io/v1
kind: AuthorizationConfiguration
authorizers:
- type: Webhook
  name: hook
  webhook:
    timeout: 3s
    subjectAccessReviewVersion: v1
    matchConditionSubjectAccessReviewVersion: v1
    failurePolicy: Deny
    connectionInfo: {type: KubeConfigFile, kubeConfigFile: ${webhook.kubeconfig}}
    matchConditions:
    - expression: has(request.resourceAttributes)
    - expression: request.user.startsWith('hooked-')
- {type: Node, name: node}
- {type: RBAC, name: rbac}
`,
  );
  const server = await startServer({ dir, args: [`--authorization-config=${file}`] });
  try {
    await test(server, webhook.calls);
  } finally {
    await server.stop({ keepDir: true });
    await webhook.stop();
    await Deno.remove(dir, { recursive: true });
  }
}

const RELOADS = "apiserver_authorization_config_controller_automatic_reloads_total";

async function until(done: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 20_000; !await done();) {
    assert.ok(Date.now() < deadline, "the change was never noticed");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

Deno.test("authorizers decide one after the other", async (t) => {
  await withServer(async (server, calls) => {
    const as = async (user: string, method = "GET", groups?: string) => {
      const headers: Record<string, string> = { "impersonate-user": user };
      if (groups !== undefined) headers["impersonate-group"] = groups;
      const response = await server.fetch(CONFIG_MAPS, { method, headers });
      const text = await response.text();
      return { code: response.status, message: text.startsWith("{") ? JSON.parse(text).message : text };
    };
    await t.step("the webhook allows", async () => {
      assert.equal((await as("hooked-list")).code, 200);
      const { spec } = calls.at(-1)!.body as { spec: Record<string, unknown> };
      assert.deepEqual(spec, {
        resourceAttributes: { namespace: "default", verb: "list", version: "v1", resource: "configmaps" },
        user: "hooked-list",
        groups: ["system:authenticated"],
      });
    });
    await t.step("it is not asked again for a while", async () => {
      const { length } = calls;
      await as("hooked-list");
      assert.equal(calls.length, length);
    });
    await t.step("it has no opinion: its reason is told", async () => {
      const { code, message } = await as("hooked-get");
      assert.equal(code, 403);
      assert.match(
        message,
        /cannot list resource "configmaps" in API group "" in the namespace "default": you are get$/,
      );
    });
    await t.step("it refuses, whatever RBAC would say", async () => {
      assert.match((await as("hooked-nothing", "GET", "cluster-admins")).message, /: never$/);
    });
    await t.step("it does not answer: nobody may", async () => {
      const { code, message } = await as("hooked-broken");
      assert.equal(code, 500);
      // The words of client-go for a refusal without a text.
      assert.match(message, /^Internal Server Error: "\/api\/v1\/namespaces\/default\/configmaps": unknown$/m);
    });
    await t.step("conditions keep it out", async () => {
      const { length } = calls;
      assert.equal((await as("jane")).code, 403);
      assert.equal((await as("system:node:n", "GET", "system:nodes")).code, 403);
      assert.equal(calls.length, length);
    });
    await t.step("the file is read again when it changes", async () => {
      const file = join(server.dir, "authorization.yaml");
      const text = Deno.readTextFileSync(file);
      Deno.writeTextFileSync(file, text.replace(/- \{type: RBAC.*/, "").replace("'hooked-'", "'nobody-'"));
      await until(async () => {
        assert.equal((await as("hooked-list")).code, 200);
        return server.log().includes("missing required types: [RBAC]");
      });
      Deno.writeTextFileSync(file, text.replace("'hooked-'", "'nobody-'"));
      await until(async () => (await as("hooked-list")).code === 403);
      const metrics = await (await server.fetch("/metrics")).text();
      for (const status of ["failure", "success"]) {
        assert.match(metrics, new RegExp(`^${RELOADS}\\{status="${status}",apiserver_id_hash="sha256:.*"\\} 1$`, "m"));
      }
    });
  });
});
