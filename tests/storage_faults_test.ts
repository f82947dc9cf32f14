// What a server says when its disk does not take writes, and when it is started where it may not write.
import assert from "node:assert/strict";
import { join } from "node:path";
import { SqliteBackend } from "../src/storage/sqlite/backend.ts";
import { hasProgram, IGNORING_LIMITS, limitFiles } from "./support/faults.ts";
import { freePort, run, startServer, type TestServer } from "./support/server.ts";
import { inTempDir } from "./support/temp_dir.ts";

const MAIN = join(import.meta.dirname!, "..", "main.ts");
const WORKER = "../src/storage/sqlite/writer_entry.ts";
const COLLECTION = "/api/v1/namespaces/default/configmaps";

async function create(
  server: TestServer,
  name: string,
): Promise<{ status: number; reason?: string; message?: string }> {
  const response = await server.fetch(COLLECTION, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name } }),
  });
  const { reason, message } = await response.json();
  return { status: response.status, reason, message };
}

async function names(server: TestServer, query = ""): Promise<string[]> {
  const { items } = await server.json<{ items: { metadata: { name: string } }[] }>("GET", COLLECTION + query);
  return items.map(({ metadata }) => metadata.name);
}

Deno.test({
  name: "a disk that takes no writes: writes get a Status, reads and watches go on, writes resume",
  ignore: !hasProgram("prlimit"),
  fn: async () => {
    const server = await startServer({ through: [...IGNORING_LIMITS] });
    try {
      assert.equal((await create(server, "before")).status, 201);
      const watch = await server.fetch(`${COLLECTION}?watch=true&timeoutSeconds=60`);
      const events = watch.body!.pipeThrough(new TextDecoderStream()).getReader();
      await limitFiles(server.pid, "0:unlimited");
      for (const name of ["a", "b"]) {
        const { status, reason, message } = await create(server, name);
        assert.equal(status, 500);
        assert.equal(reason, "InternalError");
        assert.match(message!, /^Internal error occurred: the database could not be written/);
      }
      assert.deepEqual(await names(server), ["before", "kube-root-ca.crt"]);
      assert.deepEqual(await names(server, "?limit=1"), ["before"]);
      assert.equal(await server.fetch("/livez").then((response) => response.text()), "ok");
      await limitFiles(server.pid, "unlimited:unlimited");
      assert.equal((await create(server, "after")).status, 201);
      assert.deepEqual(await names(server), ["after", "before", "kube-root-ca.crt"]);
      let seen = "";
      while (!seen.includes('"name":"after"')) seen += (await events.read()).value;
      assert.doesNotMatch(seen, /"name":"[ab]"/);
      await events.cancel();
      server.kill("SIGKILL");
      await server.exited;
    } finally {
      await server.stop({ keepDir: true });
    }
    const again = await startServer({ dir: server.dir });
    try {
      assert.deepEqual(await names(again), ["after", "before", "kube-root-ca.crt"]);
    } finally {
      await again.stop();
    }
  },
});

/** Makes even root subject to the permissions of files; undefined where that is not possible. */
function subjectToPermissions(): string[] | undefined {
  if (Deno.uid() !== 0) return [];
  const capabilities = "-dac_override,-dac_read_search";
  return hasProgram("setpriv")
    ? ["setpriv", `--bounding-set=${capabilities}`, `--inh-caps=${capabilities}`]
    : undefined;
}

const through = subjectToPermissions();

Deno.test({
  name: "a database, or a folder of it, that may not be written is refused in one line and left as it is",
  ignore: through === undefined,
  fn: () =>
    inTempDir(async (dir) => {
      const data = join(dir, "data"), path = join(data, "state.db");
      await Deno.mkdir(data);
      const backend = new SqliteBackend({ path, workerUrl: new URL(WORKER, import.meta.url) });
      await backend.start();
      await backend.put("/registry/configmaps/default/a", "{}", { expected: 0 });
      await backend.close();
      const before = await Deno.readFile(path);
      const refusal = async () => {
        const [program, ...args] = [...through!, Deno.execPath(), "run", "-A", MAIN, "up"];
        args.push(`--data-dir=${join(dir, "up")}`, `--sqlite-path=${path}`, `--secure-port=${await freePort()}`);
        const { code, stdout, stderr } = await run(program, args);
        const text = stdout + stderr;
        assert.equal(code, 1, text);
        assert.doesNotMatch(text, /^\s+at /m, "a stack trace");
        return text;
      };
      await Deno.chmod(path, 0o444);
      assert.match(
        await refusal(),
        /^Error: cannot open .*state\.db: .*state\.db cannot be written: Permission denied$/m,
      );
      await Deno.chmod(path, 0o600);
      for (const { name } of [...Deno.readDirSync(data)]) if (name !== "state.db") await Deno.remove(join(data, name));
      await Deno.chmod(data, 0o555);
      assert.match(await refusal(), /^Error: cannot open .*state\.db: .*state\.db-lock cannot be written: Permission/m);
      await Deno.chmod(data, 0o755);
      assert.deepEqual(await Deno.readFile(path), before);
    }),
});
