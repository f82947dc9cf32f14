// kubectl's exec, attach, port-forward and cp through the server to Kubernetes' own streaming servers: those of a kubelet
// before 1.36, where kubectl has to fall back to SPDY, and of one since, which speaks the newer protocols over WebSockets.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { join } from "node:path";
import { issueCertificate } from "../../src/server/serving/issue.ts";
import { clientsOf, type CommandResult, freePort, run, startServer, type TestServer } from "../support/server.ts";
import { buildGoProgram, missingGo } from "./go_program.ts";

const missing = await missingGo();

for (const translates of [false, true]) {
  const since = translates ? "since" : "before";
  Deno.test({
    name: `kubectl streams to a kubelet ${since} 1.36${missing === undefined ? "" : ` (not tried: ${missing})`}`,
    ignore: missing !== undefined,
    fn: (t) => streams(t, translates),
  });
}

interface Stage {
  server: TestServer;
  kubectl(...args: string[]): Promise<CommandResult>;
  /** The same with something to read. */
  fed(stdin: string, ...args: string[]): Promise<CommandResult>;
  /** The same in a terminal of 33 rows and 91 columns. */
  inTerminal(...args: string[]): Promise<CommandResult>;
  /** Starts kubectl; it ends with the stage. */
  start(...args: string[]): Deno.ChildProcess;
}

async function streams(t: Deno.TestContext, translates: boolean): Promise<void> {
  const program = await buildGoProgram("kubelet");
  const server = await startServer();
  const kubelet = await startKubelet(program, server, translates);
  try {
    await createPods(server, kubelet.port);
    const stage = await stageOf(server);
    await t.step("exec: output, errors and the exit code", () => exec(stage));
    await t.step("exec: what is read from standard input", () => input(stage));
    await t.step("exec: much in both directions", () => much(stage));
    await t.step("exec in a terminal: its size", () => terminal(stage));
    await t.step("attach", () => attach(stage));
    await t.step("cp: files there and back", () => copy(stage));
    await t.step("port-forward: several connections", () => forward(stage));
    await t.step("what cannot be is said in the server's words", () => refusals(stage));
  } finally {
    await kubelet.stop();
    await server.stop();
  }
}

async function startKubelet(program: string, { dir }: TestServer, translates: boolean) {
  const lifetime = 3_600_000;
  const { cert, key } = issueCertificate({ commonName: "node-a", names: ["127.0.0.1"], usage: "server", lifetime });
  const files = { cert: join(dir, "kubelet.crt"), key: join(dir, "kubelet.key") };
  await Deno.writeTextFile(files.cert, cert);
  await Deno.writeTextFile(files.key, key);
  const args = [`-cert=${files.cert}`, `-key=${files.key}`, `-translate=${translates}`];
  const child = new Deno.Command(program, { args, stdout: "piped", stderr: "null" }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  return {
    port: Number(new TextDecoder().decode(value)),
    stop: async () => {
      child.kill();
      await child.status;
      await reader.cancel();
    },
  };
}

async function createPods(server: TestServer, port: number): Promise<void> {
  const addresses = [{ type: "InternalIP", address: "127.0.0.1" }];
  const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: port } } };
  await server.json("POST", "/api/v1/nodes", { metadata: { name: "node-a" }, status });
  const containers = [{ name: "c", image: "i", stdin: true, tty: true }];
  for (const [name, spec] of Object.entries({ pod: { nodeName: "node-a", containers }, nowhere: { containers } })) {
    const path = "/api/v1/namespaces/default/pods";
    await server.json("POST", path, { metadata: { name }, spec });
    const response = await server.fetch(`${path}/${name}/status`, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: JSON.stringify({ status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } }),
    });
    assert.equal(response.status, 200, await response.text());
  }
}

async function stageOf(server: TestServer): Promise<Stage> {
  const { kubectl, env, paths } = await clientsOf(server);
  return {
    server,
    kubectl: (...args) => kubectl(args),
    fed: (stdin, ...args) => kubectl(args, stdin),
    inTerminal: (...args) => {
      const line = ["stty rows 33 cols 91;", paths.kubectl, ...args].join(" ");
      return run("script", ["-qec", line, "/dev/null"], { env });
    },
    start: (...args) => new Deno.Command(paths.kubectl, { args, env, stdout: "piped", stderr: "piped" }).spawn(),
  };
}

async function exec({ kubectl }: Stage): Promise<void> {
  const said = await kubectl("exec", "pod", "--", "sh", "-c", "echo out; echo err >&2; exit 42");
  assert.equal(said.stdout, "out\n", said.stderr);
  assert.equal(said.stderr, "err\ncommand terminated with exit code 42\n");
  assert.equal(said.code, 42);
  assert.deepEqual(await kubectl("exec", "pod", "--", "true"), { code: 0, stdout: "", stderr: "" });
}

async function input({ fed }: Stage): Promise<void> {
  assert.deepEqual(await fed("one\ntwo\n", "exec", "-i", "pod", "--", "sort", "-r"), {
    code: 0,
    stdout: "two\none\n",
    stderr: "",
  });
}

async function much({ fed }: Stage): Promise<void> {
  const text = "0123456789abcdef\n".repeat(500_000);
  const { code, stdout, stderr } = await fed(text, "exec", "-i", "pod", "--", "cat");
  assert.equal(code, 0, stderr);
  assert.ok(stdout === text, `${stdout.length} of ${text.length} characters`);
}

async function terminal({ inTerminal }: Stage): Promise<void> {
  const { code, stdout } = await inTerminal("exec", "-it", "pod", "--", "size");
  assert.match(stdout, /33 rows, 91 columns/);
  assert.equal(code, 0);
}

async function attach({ fed, inTerminal }: Stage): Promise<void> {
  const { code, stdout, stderr } = await fed("hello\n", "attach", "-i", "pod");
  assert.match(stdout, /attached\nhello\n$/, stderr);
  assert.equal(code, 0);
  // kubectl tells one more of each, for whatever runs there to draw its screen anew.
  assert.match((await inTerminal("attach", "-it", "pod")).stdout, /34 rows, 92 columns/);
}

async function copy({ server, kubectl }: Stage): Promise<void> {
  const there = join(server.dir, "there"), [from, to] = [join(server.dir, "from"), join(server.dir, "to")];
  await Deno.mkdir(there);
  const bytes = crypto.getRandomValues(new Uint8Array(60_000));
  await Deno.writeFile(from, bytes);
  const up = await kubectl("cp", from, `pod:${there}/file`);
  assert.equal(up.code, 0, up.stderr);
  assert.deepEqual(await Deno.readFile(join(there, "file")), bytes);
  const down = await kubectl("cp", `pod:${there}/file`, to);
  assert.equal(down.code, 0, down.stderr);
  assert.deepEqual(await Deno.readFile(to), bytes);
}

async function forward({ start }: Stage): Promise<void> {
  const echo = createServer((socket) => void socket.pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  const { port } = echo.address() as { port: number }, local = await freePort();
  const child = start("port-forward", "pod", `${local}:${port}`), reader = child.stdout.getReader();
  try {
    const { value } = await reader.read();
    assert.match(new TextDecoder().decode(value), /^Forwarding from 127\.0\.0\.1/);
    await Promise.all(["a", "b", "c"].map(async (letter) => {
      const text = letter.repeat(300_000), connection = await Deno.connect({ hostname: "127.0.0.1", port: local });
      const heard = new Response(connection.readable).text();
      const writer = connection.writable.getWriter();
      await writer.write(new TextEncoder().encode(text));
      await connection.closeWrite();
      assert.ok(await heard === text, letter);
    }));
  } finally {
    child.kill();
    await child.status;
    await Promise.all([reader.cancel(), child.stderr.cancel()]);
    await new Promise<void>((resolve) => void echo.close(() => resolve()));
  }
}

async function refusals({ kubectl }: Stage): Promise<void> {
  for (const command of [["exec", "nowhere", "--", "true"], ["port-forward", "nowhere", "80"]]) {
    const { code, stderr } = await kubectl(...command);
    assert.equal(code, 1);
    assert.match(stderr, /pod nowhere does not have a host assigned/);
  }
  const unknown = await kubectl("exec", "pod", "-c", "d", "--", "true");
  assert.match(unknown.stderr, /container d is not valid for pod pod|container d not found in pod pod/);
  const failed = await kubectl("exec", "pod", "--", "/no/such/program");
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /no such file or directory/);
}
