// Posts reviews to a webhook and reads its answers, trying again when the trouble may pass.
import type { Agent } from "node:https";
import type { RequestOptions } from "node:http";
import { type Answer, parseReview, refusal, typedReview } from "./answer.ts";
import { dialProblem } from "./dial.ts";
import type { ClientConfig } from "./kubeconfig.ts";

export interface WebhookOptions {
  /** Milliseconds that one attempt may take. */
  timeout: number;
  /** Milliseconds before the second attempt; each later wait is half as long again. */
  backoff?: number;
  attempts?: number;
  observe?: WebhookObserver;
}

/** What came of one attempt, and how long it took. */
export type WebhookObserver = (result: "success" | "timeout" | "error", seconds: number) => void;

/** Sends a review and gives back the one of its kind that was answered. Throws a WebhookError. */
export type Webhook = (review: Review) => Promise<Record<string, unknown>>;

export interface Review {
  kind: string;
  apiVersion: string;
  [member: string]: unknown;
}

/** No usable answer. */
export class WebhookError extends Error {
  /** @param code of the HTTP answer; 0 when there was none */
  constructor(message: string, readonly code: number, readonly retry: boolean) {
    super(message);
    this.name = "WebhookError";
  }

  get timeout(): boolean {
    return this.code === TIMEOUT_CODE || this.message.endsWith(LATE);
  }
}

const DEFAULT_PORT = 443;
const BACKOFF_MS = 500, ATTEMPTS = 5, FACTOR = 1.5, JITTER = 0.2;
const TIMEOUT_CODE = 504;
const PASSING = new Set([429, 500, TIMEOUT_CODE]);
const LATE = "context deadline exceeded";
/** Longest answer, bytes. */
const MAX_ANSWER = 3 * 1024 * 1024;

export function webhook(config: ClientConfig, options: WebhookOptions): Webhook {
  const { backoff = BACKOFF_MS, attempts = ATTEMPTS, observe } = options;
  const agents = agentSource(config);
  return async (review) => {
    const text = JSON.stringify(review);
    for (let attempt = 1, wait = backoff;; attempt++, wait *= FACTOR) {
      const started = performance.now();
      try {
        const answer = await post(config, { agent: await agents(), text, timeout: options.timeout });
        const accepted = accept(answer, review);
        observe?.("success", (performance.now() - started) / 1000);
        return accepted;
      } catch (e) {
        observe?.(resultOf(e), (performance.now() - started) / 1000);
        if (attempt === attempts || !(e instanceof WebhookError) || !e.retry) throw e;
        await new Promise((resolve) => setTimeout(resolve, wait * (1 + Math.random() * JITTER)));
      }
    }
  };
}

/** What came of a call that threw. */
export function resultOf(e: unknown): "timeout" | "error" {
  return e instanceof WebhookError && e.timeout ? "timeout" : "error";
}

/** Connections are kept and shared by all calls. */
function agentSource({ url, ca, insecure, serverName, certificate }: ClientConfig): () => Promise<Agent> {
  let agent: Agent | undefined;
  return async () => {
    if (agent !== undefined) return agent;
    const { Agent } = url.protocol === "http:" ? await import("node:http") : await import("node:https");
    return agent = new Agent({
      keepAlive: true,
      ca,
      rejectUnauthorized: !insecure,
      servername: serverName,
      cert: certificate?.cert,
      key: certificate?.key,
    }) as Agent;
  };
}

interface Call {
  agent: Agent;
  text: string;
  timeout: number;
}

async function post(
  { url, authorization, address, shownUrl = url.href }: ClientConfig,
  { agent, text, timeout }: Call,
): Promise<Answer> {
  const { request } = url.protocol === "http:" ? await import("node:http") : await import("node:https");
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": "kube-apiserver",
    "content-length": String(new TextEncoder().encode(text).length),
  };
  if (authorization !== undefined) headers.authorization = authorization;
  const at = await address?.().catch((e) => {
    throw new WebhookError(`Post "${shownUrl}": ${e.message}`, 0, false);
  });
  // The request is for the URL's host, wherever it goes.
  if (at !== undefined) headers.host = url.host;
  const target = at && { host: at.host, hostname: at.host, port: at.port };
  return await send(request, url, { method: "POST", agent, headers, ...target }, {
    text,
    timeout,
    shownUrl,
  });
}

function accept(answer: Answer, review: Review): Record<string, unknown> {
  const { code } = answer;
  if (code < 200 || code > 206) throw new WebhookError(refusal(answer).message, code, PASSING.has(code));
  try {
    return typedReview(parseReview(answer, review), review);
  } catch (e) {
    throw new WebhookError((e as Error).message, code, false);
  }
}

function send(
  request: typeof import("node:https").request,
  url: URL,
  options: RequestOptions,
  { text, timeout, shownUrl }: Pick<Call, "text" | "timeout"> & { shownUrl: string },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(url, options, (response) => {
      const chunks: Uint8Array[] = [];
      let size = 0;
      response.on("data", (chunk: Uint8Array) => {
        size += chunk.length;
        if (size > MAX_ANSWER) giveUp("the webhook's answer is too long");
        else chunks.push(chunk);
      });
      response.on("error", fail);
      response.on("end", () => {
        clearTimeout(timer);
        resolve({
          code: response.statusCode ?? 0,
          contentType: response.headers["content-type"] ?? "",
          text: new TextDecoder().decode(Buffer.concat(chunks)),
        });
      });
    });
    const timer = setTimeout(() => giveUp(`no answer within ${timeout / 1000}s: ${LATE}`), timeout);
    call.on("error", fail);
    call.end(text);

    // A request over a kept connection does not always tell that it was destroyed.
    function giveUp(why: string) {
      fail(new WebhookError(why, 0, false));
      call.destroy();
    }

    function fail(e: WebhookError | Error & { code?: string }) {
      clearTimeout(timer);
      if (e instanceof WebhookError) return reject(e);
      const { hostname = url.hostname, port = url.port || DEFAULT_PORT } = options;
      const why = dialProblem(e, hostname ?? "", Number(port));
      reject(new WebhookError(`Post "${shownUrl}": ${why}`, 0, e.code === "ECONNRESET"));
    }
  });
}
