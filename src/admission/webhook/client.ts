// Posts reviews over HTTPS. Connections are kept and shared by all calls of one endpoint.
import type { Agent } from "node:https";
import { isIP } from "node:net";
import type { Credentials } from "../../client/kubeconfig.ts";
import { StatusError, statusError } from "../../machinery/errors.ts";
import { goQuote } from "../../machinery/go_text.ts";
import { syntaxError } from "../../machinery/codec/syntax.ts";
import { NO_TYPE_META, typeMetaOf } from "../../machinery/codec/type_meta.ts";
import { apiVersionOf, type Json, type JsonObject, parseApiVersion } from "../../machinery/types.ts";
import { dialProblem } from "../../client/dial.ts";
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
    return parse(answer, review);
  } catch (e) {
    if (!(e instanceof TransportError)) throw e;
    throw new Error(`Post ${goQuote(endpoint.url + query)}: ${e.message}`);
  }
}

interface Answer {
  code: number;
  contentType: string;
  text: string;
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

/** Throws an Error for what is no review of the version that was sent. */
function parse({ code, contentType, text }: Answer, { kind, apiVersion }: Review): JsonObject {
  if (text === "") {
    throw new Error(
      `0-length response with status code: ${code} and content type: ${contentType || "application/json"}`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const isJson = text.trimStart().startsWith("{");
    // Any other text is a string in YAML.
    value = text;
    if (isJson) throw new Error(NO_TYPE_META + (syntaxError(text) ?? "unexpected end of JSON input"));
  }
  const expected = { ...parseApiVersion(apiVersion)!, kind };
  const found = typeMetaOf(value as Json, expected);
  if (found.kind === kind && found.group === expected.group && found.version === expected.version) {
    return (value ?? {}) as JsonObject;
  }
  if (found.kind === kind && found.group === expected.group) {
    const [from, to] = [found, expected].map(({ version }) => `(${version}.${kind})`);
    throw new Error(`converting ${from} to ${to}: unknown conversion`);
  }
  const said = `no kind ${goQuote(found.kind)} is registered for version ${goQuote(apiVersionOf(found))}`;
  throw new Error(`${said} in scheme "pkg/runtime/scheme.go:111"`);
}

/** Longest text of an answer that messages show. */
const MAX_SHOWN = 2048;

/** What an answer that is no success says: in the words of its Status, or of its code. */
function refusal({ code, contentType, text }: Answer): StatusError {
  try {
    const status = JSON.parse(text);
    if (status.kind === "Status" && status.status === "Failure") return new StatusError({ ...status, code });
  } catch { /* plain text */ }
  const isText = contentType === "" || contentType.startsWith("text/");
  const said = isText ? text.slice(0, MAX_SHOWN).trim() : "unknown";
  const known = MESSAGES[code];
  if (known !== undefined) return statusError(code, known[0], known[1] ?? said);
  if (code < 500) {
    const message = `the server responded with the status code ${code} but did not return more information`;
    return statusError(code, "", message);
  }
  const message = `an error on the server (${goQuote(said)}) has prevented the request from succeeding`;
  return statusError(code, "InternalError", message);
}

/** Without a message: the answer's own. */
const MESSAGES: Readonly<Record<number, [reason: string, message?: string]>> = {
  400: ["BadRequest", "the server rejected our request for an unknown reason"],
  401: ["Unauthorized", "the server has asked for the client to provide credentials"],
  403: ["Forbidden"],
  404: ["NotFound", "the server could not find the requested resource"],
  405: ["MethodNotAllowed", "the server does not allow this method on the requested resource"],
  406: ["NotAcceptable"],
  409: ["AlreadyExists", "the server reported a conflict"],
  415: ["UnsupportedMediaType"],
  422: ["Invalid", "the server rejected our request due to an error in our request"],
  429: ["TooManyRequests", "the server has received too many requests and has asked us to try again later"],
  503: ["ServiceUnavailable", "the server is currently unable to handle the request"],
  504: [
    "Timeout",
    "the server was unable to return a response in the time allotted, but may still be processing the request",
  ],
};
