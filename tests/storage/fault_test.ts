// Disks that are full or cannot be written, and files that are damaged.
import assert from "node:assert/strict";
import { createStorage, DatabaseFileError, type Interface } from "../../src/storage/mod.ts";
import { PREFIX, WIDGETS } from "./resources.ts";
import { hasProgram, IGNORING_LIMITS, limitFiles } from "../support/faults.ts";
import { withDatabasePath } from "../support/temp_dir.ts";

const SCRIPT = new URL("fault_child.ts", import.meta.url).href;
const WORKER = new URL("../../src/storage/sqlite/writer_entry.ts", import.meta.url);

/** fault_child.ts: what is asked of it goes in as a line and comes back as one. */
class Child {
  readonly process: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: AsyncIterator<string>;

  /** @param through a program that runs the rest of its arguments */
  constructor(path: string, through: readonly string[] = []) {
    const [program, ...args] = [...IGNORING_LIMITS, ...through, Deno.execPath(), "run", "-A", "--quiet", SCRIPT, path];
    this.process = new Deno.Command(program, {
      args,
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#input = this.process.stdin.getWriter();
    this.#lines = linesOf(this.process.stdout);
  }

  async line(): Promise<string> {
    return (await this.#lines.next()).value ?? "";
  }

  async ask(command: string): Promise<string> {
    await this.#input.write(new TextEncoder().encode(command + "\n"));
    return await this.line();
  }

  async end(): Promise<void> {
    assert.equal(await this.ask("close"), "ok undefined");
    await this.#input.close();
    for (let line = await this.line(); line !== ""; line = await this.line());
    await this.process.status;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = "";
  for await (const more of stream.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)) {
    text += more;
    const lines = text.split("\n");
    text = lines.pop()!;
    yield* lines;
  }
}

/** SQLite tells a full disk from a file that may not grow. */
const REFUSED =
  /^error Internal error occurred: the (disk .* is full, nothing was written|database could not be written)/;

Deno.test({
  name: "a full disk refuses writes, answers reads, and writes go on when there is room again",
  ignore: !hasProgram("prlimit"),
  fn: () =>
    withDatabasePath(async (path) => {
      const child = new Child(path);
      assert.equal(await child.line(), "ready");
      assert.match(await child.ask("create first 1000"), /^ok /);
      await limitFiles(child.process.pid, "600000:unlimited");
      let created = 1, answer = "";
      for (; created < 100; created++) {
        answer = await child.ask(`create w${created} 50000`);
        if (!answer.startsWith("ok")) break;
      }
      assert.match(answer, REFUSED);
      assert.ok(created > 3);
      assert.equal(await child.ask("get first"), "ok 1000");
      assert.equal(await child.ask("count"), `ok ${created}`);
      assert.match(await child.ask("create again 50000"), REFUSED);
      await limitFiles(child.process.pid, "unlimited:unlimited");
      assert.match(await child.ask("create again 50000"), /^ok /);
      await child.end();
      const after = new Child(path);
      assert.equal(await after.line(), "ready");
      assert.equal(await after.ask("count"), `ok ${created + 1}`);
      await after.end();
    }),
});

/** What some calls of the system answer for a while, counted from the process's start. */
const SYSTEM_FAULTS = [
  { name: "a file system that turns read-only", calls: "pwrite64:error=EROFS:when=120..160" },
  { name: "a disk that fails to sync", calls: "fsync,fdatasync:error=EIO:when=25..32" },
];

for (const { name, calls } of SYSTEM_FAULTS) {
  Deno.test({
    name: `${name} refuses writes, answers reads, and nothing acknowledged is lost`,
    ignore: !hasProgram("strace"),
    fn: () =>
      withDatabasePath(async (path) => {
        const [traced] = calls.split(":");
        // deno-fmt-ignore
        const strace = ["strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "-e", `trace=${traced}`, "-e", `inject=${calls}`];
        const child = new Child(path, strace);
        assert.equal(await child.line(), "ready");
        const acknowledged: string[] = [];
        let refused = 0;
        for (let i = 0; i < 80; i++) {
          const answer = await child.ask(`create w${i} 1500`);
          if (answer.startsWith("ok")) acknowledged.push(`w${i}`);
          else {
            assert.match(
              answer,
              /^error Internal error occurred: the database could not be written \(disk I\/O error\)/,
            );
            refused++;
            assert.equal(await child.ask("get w0"), "ok 1500");
          }
        }
        assert.ok(refused > 2, `${refused} writes were refused: too few to mean anything`);
        assert.equal(acknowledged.at(-1), "w79", "writes did not go on");
        assert.equal(await child.ask("count"), `ok ${acknowledged.length}`);
        await child.end();
        const after = new Child(path);
        assert.equal(await after.line(), "ready");
        assert.equal(await after.ask("count"), `ok ${acknowledged.length}`);
        for (const one of acknowledged) assert.equal(await after.ask(`get ${one}`), "ok 1500");
        await after.end();
      }),
  });
}

async function withStorage(path: string, body: (storage: Interface) => Promise<void>): Promise<void> {
  const factory = await createStorage({ engine: { backend: "sqlite", path, workerUrl: WORKER } });
  try {
    await body(
      factory.forResource({ ...WIDGETS, noCache: true }).storage,
    );
  } finally {
    await factory.close();
  }
}

async function fill(storage: Interface, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, i) => {
    const noise = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(300 + i))));
    const metadata = { name: `w${i}`, uid: `uid-${i}` };
    return storage.create(`${PREFIX}w${i}`, { kind: "Widget", apiVersion: "v1", metadata, spec: { noise } });
  }));
}

Deno.test("whatever byte of the file is damaged, an object is either as it was or an error", () =>
  withDatabasePath(async (path) => {
    const texts = new Map<string, string>();
    await withStorage(path, async (storage) => {
      await fill(storage, 200);
      for (const item of (await storage.list(PREFIX)).items) texts.set(item.key, item.text);
    });
    const good = await Deno.readFile(path);
    let refused = 0, damaged = 0;
    for (let round = 0; round < 60; round++) {
      const bad = good.slice();
      const at = Math.floor(Math.random() * bad.length);
      bad[at] ^= 1 << Math.floor(Math.random() * 8);
      await Deno.writeFile(path, bad);
      try {
        await withStorage(path, async (storage) => {
          for (const [key, text] of texts) {
            const found = await storage.get(key).then((item) => item.text, (error: Error) => error);
            if (typeof found === "string") assert.equal(found, text, `byte ${at}`);
            else damaged++;
          }
        });
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        assert.ok(error instanceof DatabaseFileError, `byte ${at}: ${error}`);
        assert.match(error.message, /restore a backup|another program|schema version/);
        assert.deepEqual(await Deno.readFile(path), bad, "a refused file was changed");
        refused++;
      }
    }
    assert.ok(refused + damaged > 10, `${refused} refused, ${damaged} damaged: the checks saw too little`);
  }));

Deno.test("a damaged write-ahead log gives back a whole beginning of what was written", () =>
  withDatabasePath(async (path) => {
    const dir = path.slice(0, path.lastIndexOf("/"));
    await withStorage(path, async (storage) => {
      await storage.create(`${PREFIX}first`, { kind: "Widget", apiVersion: "v1", metadata: { name: "first" } });
    });
    const copy = `${dir}/copy.db`;
    await withStorage(path, async (storage) => {
      for (let i = 0; i < 30; i++) {
        const metadata = { name: `w${i}`, uid: `uid-${i}` };
        await storage.create(`${PREFIX}w${String(i).padStart(2, "0")}`, { kind: "Widget", apiVersion: "v1", metadata });
      }
      await Deno.copyFile(path, copy);
      await Deno.copyFile(`${path}-wal`, `${dir}/log`);
    });
    const main = await Deno.readFile(copy), log = await Deno.readFile(`${dir}/log`);
    for (let round = 0; round < 20; round++) {
      const bad = log.slice();
      bad[Math.floor(Math.random() * bad.length)] ^= 0x10;
      await Deno.writeFile(copy, main);
      await Deno.writeFile(`${copy}-wal`, bad);
      await withStorage(copy, async (storage) => {
        const names = (await storage.list(PREFIX)).items.map((item) => item.key.slice(PREFIX.length));
        assert.equal(names[0], "first");
        assert.deepEqual(names.slice(1), names.slice(1).map((_, i) => `w${String(i).padStart(2, "0")}`));
      });
    }
  }));
