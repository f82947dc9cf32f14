// Starts a whole server for a test: own process, own folder, own port.
import { createServer } from "node:net";
import { join } from "node:path";
import { binaries } from "./binaries.ts";

const main = join(import.meta.dirname!, "..", "..", "main.ts");
const READY_MS = 20_000;

export interface TestServer {
  url: string;
  port: number;
  /** Everything the server keeps; removed by `stop`. */
  dir: string;
  token: string;
  pid: number;
  /** What it has written to standard output and error. */
  log(): string;
  /** Resolves with the exit code once the process has ended. */
  exited: Promise<number>;
  /** fetch with the admin token, trusting the server's own CA. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** JSON of a request that must succeed. */
  json<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
  kill(signal: Deno.Signal): void;
  /** Ends it with SIGTERM, waits, removes the folder. */
  stop(options?: { keepDir?: boolean }): Promise<void>;
}

export interface ServerOptions {
  /** `up` (the default) or the plain command. */
  command?: "up" | "plain";
  args?: string[];
  /** Start on the folder of an earlier server. */
  dir?: string;
  port?: number;
  /** A program that becomes the server: it is run with the server's command line as its last arguments. */
  through?: string[];
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close((e) => e ? reject(e) : resolve(port));
    });
  });
}

/** Resolves when the server says that it is ready. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const dir = options.dir ?? await Deno.makeTempDir({ prefix: "kubelith-test-" });
  const port = options.port ?? await freePort();
  const args = ["run", "-A", main];
  if (options.command === "plain") {
    const tokens = join(dir, "tokens.csv");
    await Deno.writeTextFile(tokens, 'test-admin,admin,uid1,"system:masters"\n');
    args.push(`--token-auth-file=${tokens}`, `--cert-dir=${join(dir, "certs")}`);
    args.push("--bind-address=127.0.0.1", "--authorization-mode=RBAC");
    if (!options.args?.some((arg) => arg.startsWith("--etcd-servers="))) {
      args.push(`--sqlite-path=${join(dir, "state.db")}`);
    }
  } else {
    args.push("up", `--data-dir=${dir}`);
  }
  args.push(`--secure-port=${port}`, ...options.args ?? []);
  const [program, ...line] = [...options.through ?? [], Deno.execPath(), ...args];
  const child = new Deno.Command(program, { args: line, stdout: "piped", stderr: "piped" }).spawn();
  const log = { text: "" };
  const drained = Promise.all([drain(child.stdout, log), drain(child.stderr, log)]);
  const exited = child.status.then((s) => s.code);
  let client: Deno.HttpClient | undefined;
  const server = { url: `https://127.0.0.1:${port}`, port, dir, pid: child.pid, exited } as TestServer;
  server.log = () => log.text;
  server.kill = (signal) => child.kill(signal);
  server.fetch = (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${server.token}`);
    client ??= Deno.createHttpClient({ caCerts: [authorityOf(dir, options.command ?? "up")] });
    return fetch(server.url + path, { ...init, headers, client });
  };
  server.json = async <T>(method: string, path: string, body?: unknown) => {
    const response = await server.fetch(path, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  };
  server.stop = async ({ keepDir = false } = {}) => {
    try {
      child.kill("SIGTERM");
    } catch { /* it has ended already */ }
    await exited;
    await drained;
    client?.close();
    if (!keepDir) await Deno.remove(dir, { recursive: true });
  };
  try {
    await waitReady(server, options.command ?? "up");
  } catch (e) {
    await server.stop();
    throw e;
  }
  return server;
}

async function waitReady(server: TestServer, command: "up" | "plain"): Promise<void> {
  let ended: number | undefined;
  server.exited.then((code) => ended = code);
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline) {
    if (ended !== undefined) throw new Error(`the server ended with ${ended}:\n${server.log()}`);
    try {
      server.token = command === "plain" ? "test-admin" : await adminToken(server.dir);
      const response = await server.fetch("/readyz");
      await response.body?.cancel();
      if (response.ok) return;
    } catch { /* not listening yet */ }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`the server was not ready in time:\n${server.log()}`);
}

/** Who signed the serving certificate; the plain command's signs itself. */
function authorityOf(dir: string, command: "up" | "plain"): string {
  return Deno.readTextFileSync(command === "up" ? join(dir, "pki", "ca.crt") : join(dir, "certs", "apiserver.crt"));
}

async function adminToken(dir: string): Promise<string> {
  const kubeconfig = JSON.parse(await Deno.readTextFile(join(dir, "kubeconfig")));
  return kubeconfig.users[0].user.token;
}

async function drain(stream: ReadableStream<Uint8Array>, log: { text: string }): Promise<void> {
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) log.text += chunk;
}

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. */
export async function run(
  command: string,
  args: string[],
  options: { env?: Record<string, string>; stdin?: string } = {},
): Promise<CommandResult> {
  const child = new Deno.Command(command, {
    args,
    env: options.env,
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  if (options.stdin !== undefined) {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(options.stdin));
    await writer.close();
  }
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** kubectl and helm bound to a server that was started with `up`. */
export async function clientsOf(server: TestServer): Promise<{
  kubectl(args: string[], stdin?: string): Promise<CommandResult>;
  helm(args: string[]): Promise<CommandResult>;
  env: Record<string, string>;
  paths: { kubectl: string; helm: string };
}> {
  const paths = await binaries();
  const env = { KUBECONFIG: join(server.dir, "kubeconfig"), HOME: server.dir };
  return {
    paths,
    env,
    kubectl: (args, stdin) => run(paths.kubectl, args, { env, stdin }),
    helm: (args) => run(paths.helm, args, { env }),
  };
}
