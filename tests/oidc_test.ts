// Signing in with an OpenID Connect provider: a real one, through its whole authorization code flow.
import assert from "node:assert/strict";
import { createServer } from "node:https";
import { join } from "node:path";
import Provider from "oidc-provider";
import { issueCertificate } from "../src/server/serving/issue.ts";
import { close, listen } from "./support/issuer.ts";
import { startServer } from "./support/server.ts";

const HOUR = 3_600_000;
const CALLBACK = "https://127.0.0.1:9/callback", SECRET = "client-secret";
const FORM = { "content-type": "application/x-www-form-urlencoded" };

const CONFIGURATION = {
  clients: [{
    client_id: "kubernetes",
    client_secret: SECRET,
    redirect_uris: [CALLBACK],
    response_types: ["code"],
    grant_types: ["authorization_code"],
  }],
  scopes: ["openid", "email", "groups"],
  claims: { openid: ["sub"], email: ["email", "email_verified"], groups: ["groups"] },
  conformIdTokenClaims: false,
  pkce: { required: () => false },
  findAccount: (_ctx: unknown, id: string) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, groups: ["dev", "ops"] }),
  }),
};

/** Follows redirects as a browser does, with its cookies, and fills in the provider's forms. */
class Browser {
  readonly #cookies = new Map<string, string>();

  constructor(readonly issuer: string, readonly client: Deno.HttpClient) {}

  async open(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...init.headers as Record<string, string>, cookie };
    const { client } = this;
    const response = await fetch(new URL(url, this.issuer), { ...init, headers, redirect: "manual", client });
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(";"), equals = pair.indexOf("=");
      this.#cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
    }
    return response;
  }

  /** The ID token of a user who signs in and consents. */
  async signIn(user: string): Promise<string> {
    const query = new URLSearchParams({
      client_id: "kubernetes",
      response_type: "code",
      scope: "openid email groups",
      redirect_uri: CALLBACK,
    });
    let response = await this.open(`/auth?${query}`);
    for (;;) {
      await response.body?.cancel();
      const next = response.headers.get("location") ?? "";
      if (next.startsWith(CALLBACK)) return await this.#redeem(new URL(next).searchParams.get("code")!);
      response = next.includes("/interaction/") ? await this.#answerForm(next, user) : await this.open(next);
    }
  }

  async #answerForm(page: string, user: string): Promise<Response> {
    const html = await (await this.open(page)).text();
    const prompt = /name="prompt" value="(\w+)"/.exec(html)![1], action = /action="([^"]+)"/.exec(html)![1];
    const fields: Record<string, string> = prompt === "login" ? { prompt, login: user, password: "any" } : { prompt };
    return await this.open(action, { method: "POST", headers: FORM, body: new URLSearchParams(fields).toString() });
  }

  async #redeem(code: string): Promise<string> {
    const body = new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: CALLBACK }).toString();
    const headers = { ...FORM, authorization: `Basic ${btoa(`kubernetes:${SECRET}`)}` };
    const response = await this.open("/token", { method: "POST", headers, body });
    return (await response.json()).id_token;
  }
}

Deno.test("an ID token of an OpenID Connect provider signs its user in", async () => {
  const dir = await Deno.makeTempDir({ prefix: "kubelith-oidc-" });
  const ca = issueCertificate({ commonName: "oidc-ca", usage: "ca", lifetime: HOUR });
  const serving = issueCertificate({ commonName: "oidc", names: ["127.0.0.1"], usage: "server", lifetime: HOUR }, ca);
  const httpServer = createServer(serving);
  const issuer = await listen(httpServer);
  httpServer.on("request", new Provider(issuer, CONFIGURATION).callback());
  Deno.writeTextFileSync(join(dir, "oidc-ca.crt"), ca.cert);
  const client = Deno.createHttpClient({ caCerts: [ca.cert] });
  const server = await startServer({
    dir,
    args: [
      `--oidc-issuer-url=${issuer}`,
      `--oidc-ca-file=${join(dir, "oidc-ca.crt")}`,
      "--oidc-client-id=kubernetes",
      "--oidc-username-claim=email",
      "--oidc-groups-claim=groups",
      "--oidc-groups-prefix=oidc:",
    ],
  });
  try {
    const token = await new Browser(issuer, client).signIn("jane");
    const review = await server.fetch("/apis/authentication.k8s.io/v1/selfsubjectreviews", {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }),
    });
    assert.deepEqual((await review.json()).status.userInfo, {
      username: "jane@example.com",
      groups: ["oidc:dev", "oidc:ops", "system:authenticated"],
    });
    const refused = await server.fetch("/api", { headers: { authorization: `Bearer ${token.slice(0, -4)}AAAA` } });
    await refused.body?.cancel();
    assert.equal(refused.status, 401);
  } finally {
    await server.stop();
    client.close();
    await close(httpServer);
  }
});
