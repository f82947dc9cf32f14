// Sends random requests and looks for what no request may do: make the server fail, hang or end.
//   deno task fuzz [--requests N] [--seed N]
import { startServer, type TestServer } from "../support/server.ts";
import { Random } from "./random.ts";
import { type FuzzRequest, RequestMaker, type Resource } from "./requests.ts";

/** The server's answer to a defect of its own; refusals of the API are a Status. */
const DEFECT = "This request caused apiserver to panic";
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
  findings: Finding[];
}

/** The server is the caller's. */
export async function fuzz(server: TestServer, options: { requests: number; seed: number }): Promise<Outcome> {
  const maker = new RequestMaker(await resourcesOf(server), new Random(options.seed));
  const outcome: Outcome = { sent: 0, codes: new Map(), findings: [] };
  await server.json("POST", "/api/v1/namespaces", { metadata: { name: "fuzz" } });
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
  const { method, path, headers, body } = request;
  try {
    const signal = AbortSignal.timeout(HANG_MS);
    const response = await server.fetch(path, { method, headers, body, signal });
    outcome.codes.set(response.status, (outcome.codes.get(response.status) ?? 0) + 1);
    const text = await response.text();
    if (text.includes(DEFECT)) outcome.findings.push({ request, what: `${response.status} ${text}` });
  } catch (error) {
    outcome.findings.push({ request, what: String(error) });
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

function numberArgument(name: string, fallback: number): number {
  const at = Deno.args.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(Deno.args[at + 1]);
}

async function main(): Promise<number> {
  const seed = numberArgument("seed", Date.now() % 1_000_000);
  const server = await startServer();
  try {
    const started = Date.now();
    const { sent, codes, findings } = await fuzz(server, { requests: numberArgument("requests", 5000), seed });
    const seconds = (Date.now() - started) / 1000;
    const counts = [...codes].sort(([a], [b]) => a - b).map(([code, count]) => `${code}: ${count}`).join(", ");
    console.log(`seed ${seed}: ${sent} requests in ${seconds.toFixed(1)} s; ${counts}`);
    for (const { request, what } of findings) console.log(`${what}\n  ${JSON.stringify(request)}`);
    const failures = server.log().split("\n").filter((line) => line.includes("A request made the server fail"));
    for (const line of failures) console.log(line);
    return findings.length + failures.length === 0 ? 0 : 1;
  } finally {
    await server.stop();
  }
}

if (import.meta.main) Deno.exit(await main());
