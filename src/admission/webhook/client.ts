// Posts reviews over HTTPS. Connections are kept and shared by all calls of one endpoint.
import type { Agent } from "node:https";
import { isIP } from "node:net";
import { type Answer, parseReview, refusal } from "../../client/answer.ts";
import { dialProblem } from "../../client/dial.ts";
import type { Credentials } from "../../client/kubeconfig.ts";
import { goQuote } from "../../machinery/go_text.ts";
import type { JsonObject } from "../../machinery/types.ts";
import type { WebhookEndpoint } from "./endpoint.ts";
import type { Review } from "./review.ts";

/** Longest answer, bytes. */
const MAX_ANSWER = 3 * 1024 * 1024;
const MAX_AGENTS = 200;

/** Agents by what connections of theirs have in common. */
const agents = new Map<string, Agent>();

async function agentOf({ host, port, serverName, ca }: WebhookEndpoint, client: Credentials["certificate"]) {
  const key = JSON.stringify([host, port, serverName, ca, client?.cert]);
  let agent = agents.get(key);
  if (agent === undefined) {
    const { Agent } = await import("node:https");
    if (agents.size >= MAX_AGENTS) {
      const [oldest, old] = agents.entries().next().value!;
      old.destroy();
      agents.delete(oldest);
    }
    // Addresses are no names that one could ask for; certificates are checked for them all the same.
    const servername = isIP(serverName) === 0 ? serverName : undefined;
    agents.set(key, agent = new Agent({ keepAlive: true, ca, ...servername && { servername }, ...client }));
  }
  return agent;
}

export interface PostOptions {
  /** Seconds, at least one. */
  timeout: number;
  /** Ends with the request. */
  signal: AbortSignal;
  credentials: Credentials;
}

/** The JSON object that was answered. Throws a StatusError for an answer that is none, an Error when there was no answer. */
export async function postReview(
  endpoint: WebhookEndpoint,
  review: Review,
  options: PostOptions,
): Promise<JsonObject> {
  const query = `?timeout=${options.timeout}s`;
  try {
    const answer = await send(endpoint, query, JSON.stringify(review), options);
    if (answer.code < 200 || answer.code > 206) throw refusal(answer);
    return parseReview(answer, review);
  } catch (e) {
    if (!(e instanceof TransportError)) throw e;
    throw new Error(`Post ${goQuote(endpoint.url + query)}: ${e.message}`);
  }
}

/** There was no answer. */
class TransportError extends Error {}

async function send(
  { host, port, path, serverName, ...rest }: WebhookEndpoint,
  query: string,
  body: string,
  { timeout, signal, credentials }: PostOptions,
): Promise<Answer> {
  const { request } = await import("node:https");
  const agent = await agentOf({ host, port, path, serverName, ...rest }, credentials.certificate);
  const bytes = new TextEncoder().encode(body);
  const headers: Record<string, string> = {
    host: port === 443 ? serverName : `${serverName}:${port}`,
    accept: "application/json, */*",
    "content-type": "application/json",
    "content-length": String(bytes.length),
    "user-agent": "kube-apiserver-admission",
  };
  if (credentials.authorization !== undefined) headers.authorization = credentials.authorization;
  return await new Promise((resolve, reject) => {
    const call = request({ method: "POST", host, port, path: path + query, headers, agent }, (response) => {
      const chunks: Uint8Array[] = [];
      let size = 0;
      response.on("data", (chunk: Uint8Array) => {
        size += chunk.length;
        if (size > MAX_ANSWER) give("http: response body too large");
        else chunks.push(chunk);
      });
      response.on("error", fail);
      response.on("end", () => {
        settle();
        resolve({
          code: response.statusCode ?? 0,
          contentType: response.headers["content-type"] ?? "",
          text: new TextDecoder().decode(Buffer.concat(chunks)),
        });
      });
    });
    const give = (why: string) => {
      fail(new TransportError(why));
      call.destroy();
    };
    const timer = setTimeout(() => give("context deadline exceeded"), timeout * 1000);
    const cancel = () => give("context canceled");
    signal.addEventListener("abort", cancel);
    call.on("error", fail);
    call.end(bytes);

    function settle() {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
    }
    function fail(e: Error & { code?: string }) {
      settle();
      reject(e instanceof TransportError ? e : new TransportError(problemOf(e, { host, port, serverName })));
    }
  });
}

/** What went wrong, in the words of Go's libraries. */
function problemOf(e: Error, { host, port, serverName }: { host: string; port: number; serverName: string }): string {
  if (/UnknownIssuer|self.signed|unable to (get|verify)|BadSignature/i.test(e.message)) {
    return "tls: failed to verify certificate: x509: certificate signed by unknown authority";
  }
  if (/NotValidForName|not valid for name|Hostname\/IP does not match/i.test(e.message)) {
    return `tls: failed to verify certificate: x509: certificate is not valid for any names, but wanted to match ${serverName}`;
  }
  if (/Expired|NotValidYet/i.test(e.message)) {
    return "tls: failed to verify certificate: x509: certificate has expired or is not yet valid";
  }
  return dialProblem(e, host, port);
}
