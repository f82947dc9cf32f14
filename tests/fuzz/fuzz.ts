// Sends random requests and looks for what no request may do: make the server fail, hang or end.
//   deno task fuzz [--requests N] [--seed N]
import { parseArgs } from "node:util";
import { startServer, type TestServer } from "../support/server.ts";
import { DEFINITIONS } from "../peers/patch_subjects.ts";
import { CUSTOM_TYPES } from "./custom.ts";
import { Random } from "../support/random.ts";
import { type FuzzRequest, RequestMaker, type Resource } from "./requests.ts";

/** The server's answer to a defect of its own; refusals of the API are a Status. */
const DEFECT = "This request caused apiserver to panic";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const WORKERS = 8;
const HANG_MS = 20_000;

export interface Finding {
  request: FuzzRequest;
  what: string;
}

export interface Outcome {
  sent: number;
  /** How often each code was answered. */
  codes: Map<number, number>;
  /** Answers of 500 and more that kube-apiserver gives, too. */
  expected: number;
  /** The other answers of 500 and more, by message. */
  failures: Map<string, { count: number; request: FuzzRequest }>;
  findings: Finding[];
}

/** The server is the caller's. */
async function fuzz(server: TestServer, options: { requests: number; seed: number }): Promise<Outcome> {
  await server.json("POST", "/api/v1/namespaces", { metadata: { name: "fuzz" } });
  for (const definition of DEFINITIONS) await server.json("POST", CRDS, definition);
  await served(server, CUSTOM_TYPES.size);
  const maker = new RequestMaker(await resourcesOf(server), new Random(options.seed));
  const outcome: Outcome = { sent: 0, codes: new Map(), expected: 0, failures: new Map(), findings: [] };
  const work = async () => {
    while (outcome.sent < options.requests) {
      outcome.sent++;
      await sendOne(server, maker.next(), outcome);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return outcome;
}

async function sendOne(server: TestServer, request: FuzzRequest, outcome: Outcome): Promise<void> {
  const { method, path, headers, body, leaves } = request;
  const leaving = AbortSignal.timeout(leaves ?? HANG_MS);
  try {
    const response = await server.fetch(path, { method, headers, body, signal: leaving });
    outcome.codes.set(response.status, (outcome.codes.get(response.status) ?? 0) + 1);
    const text = await response.text();
    if (text.includes(DEFECT)) outcome.findings.push({ request, what: `${response.status} ${text}` });
    else if (response.status >= 500) noteFailure(outcome, request, `${response.status} ${text}`);
  } catch (error) {
    if (leaves !== undefined && leaving.aborted || isUnsendable(error)) return;
    outcome.findings.push({ request, what: String(error) });
  }
}

/** fetch itself takes no such request. */
function isUnsendable(error: unknown): boolean {
  return error instanceof TypeError && /header|Invalid URL|method|body/i.test(error.message);
}

/** What kube-apiserver answers so, too. */
const EXPECTED: readonly RegExp[] = [
  /resourceVersion: Invalid value/,
  /strconv\.ParseUint: parsing/,
  /invalid key: \\?"/,
  /target\.(name: Required|kind: Unsupported) value/,
  // An answer to HEAD says nothing of why.
  /^50[03] $/,
  /no (preferred addresses found|endpoints available)/,
  /request did not complete within requested timeout/,
  /does not contain declared merge key/,
  /unable to find api field in struct/,
  /failed to create typed patch object/,
  /the spec replicas field/,
];

function noteFailure(outcome: Outcome, request: FuzzRequest, answer: string): void {
  if (EXPECTED.some((pattern) => pattern.test(answer))) {
    outcome.expected++;
    return;
  }
  const message = (/"message": ?"((?:[^"\\]|\\.)*)"/.exec(answer)?.[1] ?? answer).slice(0, 160)
    .replace(/\\"[^"]*\\"/g, "X").replace(/\d+/g, "N");
  const known = outcome.failures.get(message);
  if (known === undefined) outcome.failures.set(message, { count: 1, request });
  else known.count++;
}

/** Until so many custom resources are served. */
async function served(server: TestServer, count: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const { items } = await server.json<{ items: { status: { conditions?: { type: string; status: string }[] } }[] }>(
      "GET",
      CRDS,
    );
    const established = items.filter(({ status: { conditions } }) =>
      conditions?.some(({ type, status }) => type === "Established" && status === "True")
    );
    if (established.length >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Discovered {
  items: {
    metadata: { name?: string };
    versions: {
      version: string;
      resources: {
        resource: string;
        scope: string;
        responseKind: { kind: string };
        subresources?: { subresource: string; responseKind: { group: string; version: string; kind: string } }[];
      }[];
    }[];
  }[];
}

async function resourcesOf(server: TestServer): Promise<Resource[]> {
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const resources: Resource[] = [];
  for (const root of ["/api", "/apis"]) {
    const { items } = await (await server.fetch(root, { headers: { accept } })).json() as Discovered;
    for (const { metadata: { name: group = "" }, versions } of items) {
      for (const { version, resources: found } of versions) {
        for (const { resource, scope, responseKind, subresources = [] } of found) {
          resources.push({
            group,
            version,
            resource,
            kind: responseKind.kind,
            namespaced: scope === "Namespaced",
            subresources: subresources.map(({ subresource, responseKind }) => ({
              name: subresource,
              kind: responseKind.kind,
              group: responseKind.group || group,
              version: responseKind.version || version,
            })),
          });
        }
      }
    }
  }
  return resources;
}

function shown({ body, ...request }: FuzzRequest): string {
  return JSON.stringify({ ...request, body: typeof body === "object" ? `base64 ${encodeBase64(body)}` : body })
    .slice(0, 3000);
}

function encodeBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** In MB, of Linux alone. */
function memoryOf(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(Deno.readTextFileSync(`/proc/${pid}/status`)) ?? [];
    return Math.round(Number(kilobytes ?? 0) / 1024);
  } catch {
    return 0;
  }
}

/** The least of what the server takes in the half minute that it is left alone. */
async function settled(pid: number): Promise<number> {
  const seen: number[] = [];
  for (let i = 0; i < 30; i++) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    seen.push(memoryOf(pid));
  }
  return Math.min(...seen);
}

/** Throws a RangeError for what is no number. */
function readArguments(): { requests: number; seed: number } {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      requests: { type: "string", default: "5000" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
    },
  });
  const requests = Number(values.requests), seed = Number(values.seed);
  if (!Number.isInteger(requests) || !Number.isInteger(seed)) throw new RangeError("--requests and --seed are numbers");
  return { requests, seed };
}

async function main(): Promise<number> {
  const { requests, seed } = readArguments();
  const server = await startServer();
  try {
    const started = Date.now(), before = memoryOf(server.pid);
    const { sent, codes, expected, failures, findings } = await fuzz(server, { requests, seed });
    const seconds = (Date.now() - started) / 1000;
    const counts = [...codes].sort(([a], [b]) => a - b).map(([code, count]) => `${code}: ${count}`).join(", ");
    console.log(`seed ${seed}: ${sent} requests in ${seconds.toFixed(1)} s; ${counts}`);
    for (const { request, what } of findings) console.log(`${what}\n  ${shown(request)}`);
    for (const [message, { count, request }] of failures) console.log(`${count} × ${message}\n  ${shown(request)}`);
    const defects = server.log().split("\n").filter((line) => line.includes("A request made the server fail"));
    for (const line of defects) console.log(line);
    console.log(`${expected} answers of 500 and more are those that kube-apiserver gives to such requests, too`);
    console.log("waiting half a minute for memory that is not needed any more");
    console.log(`memory: ${before} MB at first, ${await settled(server.pid)} MB at last`);
    const wrong = findings.length + failures.size + defects.length;
    console.log(wrong === 0 ? "no request made the server fail" : `${wrong} findings, see above`);
    return wrong === 0 ? 0 : 1;
  } finally {
    await server.stop();
  }
}

if (import.meta.main) Deno.exit(await main());
