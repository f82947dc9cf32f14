// What the command line refuses, with one line that names the flag, the value and what is wrong; and what the server
// answers to bodies that make no sense.
import assert from "node:assert/strict";
import { join } from "node:path";
import { freePort, startServer } from "./support/server.ts";

const MAIN = join(import.meta.dirname!, "..", "main.ts");

interface Refusal {
  args: string[];
  /** A line of standard error. */
  says: RegExp;
}

Deno.test("the command line refuses what makes no sense, in one line, with exit code 1", async () => {
  const dir = await Deno.makeTempDir({ prefix: "kubelith-test-" });
  const file = (name: string) => join(dir, name);
  await Deno.writeTextFile(file("junk"), "junk\n");
  await Deno.writeTextFile(file("cut.jsonc"), '{ // Cut off.\n  "secure-port": 1,');
  await Deno.writeTextFile(file("unknown.jsonc"), '\ufeff{"nosuch": 1}');
  const up = ["up", `--data-dir=${file("data")}`];
  const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr as Deno.NetAddr;
  const refusals: Refusal[] = [
    { args: ["--nosuch=1"], says: /^Error: unknown flag: --nosuch$/m },
    {
      args: ["--secure-port=abc"],
      says: /^Error: invalid argument "abc" for "--secure-port" flag: .*invalid syntax$/m,
    },
    { args: ["--secure-port=99999"], says: /^Error: --secure-port=99999: must be between 1 and 65535, inclusive$/m },
    {
      args: [...up, "--storage-initialization-timeout=-1s"],
      says: /^Error: --storage-initialization-timeout=-1000: must not be negative$/m,
    },
    { args: ["--storage-backend=etcd2"], says: /^Error: --storage-backend=etcd2: etcd2 is no longer a supported/m },
    { args: ["export-etcd"], says: /^Error: --etcd-servers must be specified$/m },
    { args: ["import-etcd", "--etcd-servers=a:1", "x"], says: /^Error: "kubelith import-etcd" does not take any arg/m },
    { args: ["import-kine", "x", "--replace=maybe"], says: /^Error: invalid argument "maybe" for "--replace" flag: / },
    { args: ["backup", "x", "--replace"], says: /^Error: unknown flag: --replace$/m },
    { args: ["export-etcd", "--secure-port=1"], says: /^Error: "kubelith export-etcd" does not take --secure-port$/m },
    { args: ["frobnicate"], says: /^Error: unknown command "frobnicate": "kubelith --help" lists/m },
    { args: ["up", "extra"], says: /^Error: "kubelith up" does not take any arguments, got \["extra"\]$/m },
    { args: [...up, "--authorization-mode=Bogus"], says: /^Error: --authorization-mode=Bogus: is not a valid mode$/m },
    { args: ["--runtime-config=a/v1=maybe"], says: /^Error: --runtime-config=a\/v1=maybe: .*invalid syntax$/m },
    { args: ["--feature-gates=Foo=true"], says: /^Error: --feature-gates=Foo=true: unrecognized feature gate: Foo$/m },
    { args: [`--config=${file("none")}`], says: /^Error: --config=.*none: no such file or directory$/m },
    {
      args: [`--config=${file("cut.jsonc")}`],
      says: /^Error: --config=.*cut\.jsonc: line 2, column 20: property name expected$/m,
    },
    {
      args: ["backup", "x", `--config=${file("junk")}`],
      says: /^Error: --config=.*junk: line 1, column 1: invalid symbol$/m,
    },
    {
      args: [`--config=${file("unknown.jsonc")}`],
      says: /^Error: --config=.*unknown\.jsonc: unknown flag: "nosuch"$/m,
    },
    {
      args: [...up, `--tls-cert-file=${file("junk")}`, `--tls-private-key-file=${file("junk")}`],
      says: /^Error: --tls-cert-file=.*junk: .*is not a PEM certificate$/m,
    },
    {
      args: [...up, `--client-ca-file=${file("junk")}`],
      says: /^Error: --client-ca-file=.*: holds no PEM certificate$/m,
    },
    { args: [...up, `--client-ca-file=${file("none")}`], says: /^Error: --client-ca-file=.*none: no such file/m },
    {
      args: [...up, `--token-auth-file=${file("junk")}`],
      says: /^Error: --token-auth-file=.*junk: must have at least 3 columns .*, found 1$/m,
    },
    { args: ["up", `--data-dir=${file("junk")}/x`], says: /^Error: --data-dir=.*junk\/x: cannot keep files there: /m },
    { args: [...up, `--secure-port=${port}`], says: /^Error: --secure-port=\d+: failed to listen .*already in use$/m },
  ];
  try {
    for (const { args, says } of refusals) {
      const { code, text } = await run(args);
      assert.match(text, says, args.join(" "));
      assert.equal(code, 1, args.join(" "));
      assert.doesNotMatch(text, /^\s+at /m, `a stack trace of ${args.join(" ")}`);
    }
  } finally {
    taken.close();
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("a database that is none is refused and left as it is; so is one that another process has open", async () => {
  const server = await startServer();
  const junk = crypto.getRandomValues(new Uint8Array(20_000)), path = join(server.dir, "junk.db");
  try {
    await Deno.writeFile(path, junk);
    const args = ["up", `--data-dir=${server.dir}`, `--secure-port=${await freePort()}`];
    const damaged = await run([...args, `--sqlite-path=${path}`]);
    assert.match(damaged.text, /^Error: .*junk\.db is damaged or not a database .*restore a backup/m);
    assert.equal(damaged.code, 1);
    assert.deepEqual(await Deno.readFile(path), junk);
    const kubeconfig = await Deno.readTextFile(join(server.dir, "kubeconfig"));
    const second = await run(args);
    // It is the running server's.
    assert.equal(await Deno.readTextFile(join(server.dir, "kubeconfig")), kubeconfig);
    assert.match(second.text, /^Error: .*in use by another process/m);
    assert.equal(second.code, 1);
    assert.equal((await server.json("GET", "/api/v1/namespaces/default")).kind, "Namespace");
  } finally {
    await server.stop();
  }
});

Deno.test("bodies and paths that make no sense get a Status", async () => {
  const server = await startServer();
  const collection = "/api/v1/namespaces/default/configmaps";
  const post = async (body: string, type: string, path = collection) => {
    const answer = await server.fetch(path, { method: "POST", headers: { "content-type": type }, body });
    const { kind, code, reason } = await answer.json();
    assert.equal(code, answer.status);
    return { kind, code, reason };
  };
  try {
    const bad = { kind: "Status", code: 400, reason: "BadRequest" };
    for (const body of ["", "{", "[]", "1", '{"metadata":{"name":1}}', '{"kind":"Pod","apiVersion":"v1"}', "\0"]) {
      assert.deepEqual(await post(body, "application/json"), bad, JSON.stringify(body));
    }
    for (const body of ["a: [", "a: b: c", "&a [*a]", "- 1"]) {
      assert.deepEqual(await post(body, "application/yaml"), bad, JSON.stringify(body));
    }
    const huge = JSON.stringify({ metadata: { name: "huge" }, data: { x: "x".repeat(3 * 1024 * 1024) } });
    assert.deepEqual(await post(huge, "application/json"), {
      kind: "Status",
      code: 413,
      reason: "RequestEntityTooLarge",
    });
    assert.deepEqual(await post("{}", "text/plain"), { kind: "Status", code: 415, reason: "UnsupportedMediaType" });
    assert.deepEqual(await post("{}", "application/json", "/api/v1/nosuch"), {
      kind: "Status",
      code: 404,
      reason: "NotFound",
    });
    const unknown = await server.fetch("/nosuch");
    assert.equal(unknown.status, 404);
    await unknown.body?.cancel();
  } finally {
    await server.stop();
  }
});

async function run(args: readonly string[]): Promise<{ code: number; text: string }> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", MAIN, ...args],
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(20_000),
  });
  const { code, stdout, stderr } = await command.output();
  return { code, text: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}
