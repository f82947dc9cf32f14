// Who is who, over real connections: certificates, proxies, tokens of every kind.
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { issueCertificate, type IssuedCertificate } from "../src/server/serving/issue.ts";
import { startServer, type TestServer } from "./support/server.ts";
import { startWebhook, type TestWebhook } from "./support/webhook_server.ts";

const HOUR = 3_600_000;
const REVIEW = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };

interface World {
  server: TestServer;
  webhook: TestWebhook;
  clientCA: IssuedCertificate;
  proxyCA: IssuedCertificate;
}

function authority(commonName: string): IssuedCertificate {
  return issueCertificate({ commonName, usage: "ca", lifetime: HOUR });
}

function client(ca: IssuedCertificate, commonName: string, organizations: string[] = []): IssuedCertificate {
  return issueCertificate({ commonName, organizations, usage: "client", lifetime: HOUR }, ca);
}

async function withServer(test: (world: World) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "kubelith-authn-" });
  const clientCA = authority("clients"), proxyCA = authority("proxies");
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" });
  const write = (name: string, text: string) => {
    Deno.writeTextFileSync(join(dir, name), text);
    return join(dir, name);
  };
  const webhook = await startWebhook(dir, ({ body }) => {
    const { token } = body.spec as { token: string };
    const user = { username: "from-webhook", groups: ["hooked"] };
    return { body: { status: token === "webhook-token" ? { authenticated: true, user } : { authenticated: false } } };
  });
  const server = await startServer({
    dir,
    command: "plain",
    args: [
      "--service-account-issuer=https://issuer.example",
      `--service-account-key-file=${write("sa.key", key as string)}`,
      `--service-account-signing-key-file=${join(dir, "sa.key")}`,
      `--client-ca-file=${write("clients.crt", clientCA.cert)}`,
      `--requestheader-client-ca-file=${write("proxies.crt", proxyCA.cert)}`,
      "--requestheader-allowed-names=front",
      "--requestheader-username-headers=X-Remote-User",
      "--requestheader-group-headers=X-Remote-Group",
      "--requestheader-uid-headers=X-Remote-Uid",
      "--requestheader-extra-headers-prefix=X-Remote-Extra-",
      "--enable-bootstrap-token-auth",
      `--authentication-token-webhook-config-file=${webhook.kubeconfig}`,
      "--authentication-token-webhook-version=v1",
    ],
  });
  try {
    await test({ server, webhook, clientCA, proxyCA });
  } finally {
    await server.stop({ keepDir: true });
    await webhook.stop();
    await Deno.remove(dir, { recursive: true });
  }
}

interface Asked {
  certificate?: IssuedCertificate;
  headers?: Record<string, string>;
}

/** Who the server takes one for; the code when it is nobody. */
async function whoAmI(
  { dir, url }: TestServer,
  { certificate, headers }: Asked,
): Promise<Record<string, unknown> | number> {
  const caCerts = [Deno.readTextFileSync(join(dir, "certs", "apiserver.crt"))];
  const httpClient = Deno.createHttpClient({ caCerts, ...certificate });
  try {
    const response = await fetch(`${url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(REVIEW),
      client: httpClient,
    });
    const body = await response.json();
    return response.status === 201 ? body.status.userInfo : response.status;
  } finally {
    httpClient.close();
  }
}

function bearer(token: string): Asked {
  return { headers: { authorization: `Bearer ${token}` } };
}

Deno.test("everybody is who he can show to be", async (t) => {
  await withServer(async ({ server, webhook, clientCA, proxyCA }) => {
    const remote = {
      "x-remote-user": "alice",
      "x-remote-group": "wonderland",
      "x-remote-uid": "uid-7",
      "x-remote-extra-scopes": "all",
    };
    const name = async (asked: Asked) => {
      const user = await whoAmI(server, asked);
      return typeof user === "number" ? user : user.username;
    };

    await t.step("a client certificate: its common name and organizations", async () => {
      const user = await whoAmI(server, { certificate: client(clientCA, "jane", ["dev", "ops"]) }) as {
        groups: string[];
      };
      assert.deepEqual(user.groups, ["dev", "ops", "system:authenticated"]);
    });
    await t.step("certificates of strangers are no certificates", async () => {
      assert.equal(await name({ certificate: client(authority("strangers"), "jane") }), 401);
      assert.equal(await name({ certificate: client(proxyCA, "jane") }), 401);
    });
    await t.step("a proxy speaks for others", async () => {
      assert.deepEqual(await whoAmI(server, { certificate: client(proxyCA, "front"), headers: remote }), {
        username: "alice",
        uid: "uid-7",
        groups: ["wonderland", "system:authenticated"],
        extra: { scopes: ["all"] },
      });
    });
    await t.step("nobody else does", async () => {
      assert.equal(await name({ headers: remote }), 403);
      assert.equal(await name({ certificate: client(proxyCA, "back"), headers: remote }), 401);
      assert.equal(await name({ certificate: client(clientCA, "front"), headers: remote }), "front");
      assert.equal(await name({ certificate: client(authority("front"), "front"), headers: remote }), 401);
    });
    await t.step("a bootstrap token", async () => {
      await server.json("POST", "/api/v1/namespaces/kube-system/secrets", {
        metadata: { name: "bootstrap-token-abcdef" },
        type: "bootstrap.kubernetes.io/token",
        stringData: {
          "token-id": "abcdef",
          "token-secret": "0123456789abcdef",
          "usage-bootstrap-authentication": "true",
        },
      });
      assert.equal(await name(bearer("abcdef.0123456789abcdef")), "system:bootstrap:abcdef");
      assert.equal(await name(bearer("abcdef.0123456789abcdeX")), 401);
    });
    await t.step("a service account token, for the audiences it names", async () => {
      const accounts = "/api/v1/namespaces/default/serviceaccounts";
      await server.json("POST", accounts, { metadata: { name: "robot" } });
      const issue = async (spec: object) =>
        (await server.json<{ status: { token: string } }>("POST", `${accounts}/robot/token`, { spec })).status.token;
      assert.equal(await name(bearer(await issue({}))), "system:serviceaccount:default:robot");
      assert.equal(await name(bearer(await issue({ audiences: ["vault"] }))), 401);
    });
    await t.step("a token that only the webhook knows, asked for once", async () => {
      assert.equal(await name(bearer("webhook-token")), "from-webhook");
      const { length } = webhook.calls;
      assert.equal(await name(bearer("webhook-token")), "from-webhook");
      assert.equal(webhook.calls.length, length);
      assert.equal(webhook.calls.at(-1)!.client, "kube-apiserver");
      assert.equal(await name(bearer("nobody")), 401);
    });
    await t.step("an oversized token is refused, and the server goes on", async () => {
      const refused = await name(bearer("x".repeat(200_000))).catch(() => 431);
      assert.ok([400, 401, 431].includes(refused as number), String(refused));
      assert.equal(await name(bearer(server.token)), "admin");
    });
    await t.step("authorities are read again when they change", async () => {
      const next = authority("next");
      Deno.writeTextFileSync(join(server.dir, "clients.crt"), clientCA.cert + next.cert);
      const certificate = client(next, "late");
      const deadline = Date.now() + 20_000;
      while (await name({ certificate }) !== "late") {
        assert.ok(Date.now() < deadline, "the new authority was never trusted");
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    });
    await t.step("all that is counted, under names that are few", async () => {
      const caCerts = [Deno.readTextFileSync(join(server.dir, "certs", "apiserver.crt"))];
      using httpClient = Deno.createHttpClient({ caCerts });
      const headers = { authorization: `Bearer ${server.token}` };
      const text = await (await fetch(`${server.url}/metrics`, { headers, client: httpClient })).text();
      assert.match(text, /^authentication_attempts\{result="success"\} [1-9]/m);
      assert.match(text, /^authentication_attempts\{result="error"\} [1-9]/m);
      assert.match(text, /^authenticated_user_requests\{username="other"\} [1-9]/m);
      assert.match(text, /^authorization_attempts_total\{result="allowed"\} [1-9]/m);
      assert.doesNotMatch(text, /username="jane"/);
    });
  });
});

Deno.test("who guesses tokens waits for the refusals, who is known does not, and the server ends in good order", async () => {
  const server = await startServer();
  let answered = 0;
  const guesses = Array.from({ length: 80 }, async (_, i) => {
    const answer = await server.fetch("/api", { headers: { authorization: `Bearer guess-${i}` } });
    await answer.body?.cancel();
    answered++;
    return answer.status;
  });
  try {
    await Promise.race(guesses);
    for (let i = 0; i < 20; i++) await server.json("GET", "/api");
    assert.ok(answered < guesses.length, "no refusal was held");
  } finally {
    await server.stop();
  }
  assert.deepEqual(new Set(await Promise.all(guesses)), new Set([401]));
});
