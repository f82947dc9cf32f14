// A webhook over HTTPS for tests, with a CA of its own and a kubeconfig that leads to it.
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { TLSSocket } from "node:tls";
import { join } from "node:path";
import { close, listen } from "./issuer.ts";
import { issueCertificate } from "../../src/server/serving/issue.ts";

/** What came in. */
export interface WebhookCall {
  body: Record<string, unknown>;
  headers: Record<string, string | string[] | undefined>;
  /** Common name of the client's certificate. */
  client?: string;
}

export interface WebhookAnswer {
  code?: number;
  /** Text is sent as it is. */
  body: unknown;
}

export interface TestWebhook {
  url: string;
  /** Path of a kubeconfig with a client certificate. */
  kubeconfig: string;
  calls: WebhookCall[];
  stop(): Promise<void>;
}

/** Undefined when the client did not wait. */
async function bodyText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return undefined;
  }
  return await new Blob(chunks as BlobPart[]).text();
}

const HOUR = 3_600_000;

/**
 * @param dir where certificates and the kubeconfig are written
 * @param options.anonymous clients need no certificate
 */
export async function startWebhook(
  dir: string,
  answer: (call: WebhookCall) => WebhookAnswer | Promise<WebhookAnswer>,
  { anonymous = false } = {},
): Promise<TestWebhook> {
  const ca = issueCertificate({ commonName: "webhook-ca", usage: "ca", lifetime: HOUR });
  const issue = (commonName: string, usage: "server" | "client") =>
    issueCertificate({ commonName, names: ["127.0.0.1"], usage, lifetime: HOUR }, ca);
  const serving = issue("webhook", "server"), client = issue("kube-apiserver", "client");
  const calls: WebhookCall[] = [];
  const server = createServer({ ...serving, ca: ca.cert, requestCert: !anonymous }, async (request, response) => {
    const text = await bodyText(request);
    if (text === undefined) return;
    const peer = (request.socket as TLSSocket).getPeerCertificate?.();
    const call = { body: JSON.parse(text), headers: request.headers, client: peer?.subject?.CN };
    calls.push(call);
    const { code = 200, body } = await answer(call);
    response.writeHead(code, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  const url = `${await listen(server)}/review`;
  await Deno.writeTextFile(join(dir, "webhook-ca.crt"), ca.cert);
  const kubeconfig = join(dir, "webhook.kubeconfig");
  await Deno.writeTextFile(
    kubeconfig,
    `apiVersion: v1
kind: Config
clusters:
- name: webhook
  cluster: {server: "${url}", certificate-authority: webhook-ca.crt}
users:
- name: us
  user: {client-certificate-data: ${btoa(client.cert)}, client-key-data: ${btoa(client.key)}}
contexts:
- name: webhook
  context: {cluster: webhook, user: us}
current-context: webhook
`,
  );
  return { url, kubeconfig, calls, stop: () => close(server) };
}
