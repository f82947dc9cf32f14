// Kill -9 under full load, again and again: what was acknowledged is there, nothing is half there, revisions only rise
// and a watch that resumes sees every change once. KUBELITH_CRASH_ROUNDS says how often (a few unless set).
import assert from "node:assert/strict";
import { createStorage } from "../../src/storage/mod.ts";

const ROUNDS = Number(Deno.env.get("KUBELITH_CRASH_ROUNDS") ?? 4);
const PREFIX = "/registry/widgets/";

/** What the children said, over all rounds. */
class Ledger {
  /** The last acknowledged value of each key, and those that were sent after it. */
  readonly acknowledged = new Map<string, number>();
  readonly sent = new Map<string, number[]>();
  readonly acknowledgedRevisions = new Map<number, string>();
  readonly events = new Map<number, string>();
  lastEvent = 1;
  lastRevision = 1;

  read(output: string): void {
    const before = this.lastRevision;
    // The last line may have been cut off.
    for (const line of output.slice(0, output.lastIndexOf("\n") + 1).split("\n")) {
      const [what, ...words] = line.split(" ");
      if (what === "W") this.sent.set(words[0], [...this.sent.get(words[0]) ?? [], Number(words[1])]);
      if (what === "A") this.#acknowledge(words[0], Number(words[1]), Number(words[2]), before);
      if (what === "E") this.#event(Number(words[0]), `${words[1]} ${words[2]}`);
    }
  }

  #acknowledge(key: string, revision: number, n: number, before: number): void {
    assert.ok(revision > before, `revision ${revision} was given again, ${before} was known`);
    assert.ok(!this.acknowledgedRevisions.has(revision), `revision ${revision} was given twice`);
    this.acknowledgedRevisions.set(revision, `${key} ${n}`);
    this.acknowledged.set(key, n);
    this.sent.set(key, []);
    this.lastRevision = Math.max(this.lastRevision, revision);
  }

  #event(revision: number, change: string): void {
    assert.ok(revision > this.lastEvent, `event ${revision} after ${this.lastEvent}`);
    this.events.set(revision, change);
    this.lastEvent = revision;
    this.lastRevision = Math.max(this.lastRevision, revision);
  }
}

async function runUntilKilled(path: string, after: number): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", new URL("crash_child.ts", import.meta.url).href, path, String(after)],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let output = "", killer: ReturnType<typeof setTimeout> | undefined;
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += text;
    // From its first answer on, so that every round has something to lose.
    killer ??= setTimeout(() => child.kill("SIGKILL"), 30 + Math.random() * 400);
  }
  clearTimeout(killer);
  const { signal } = await child.status;
  assert.equal(signal, "SIGKILL", "the writing process failed by itself");
  return output;
}

/** Opens what is left and compares it with the ledger; catches up with the events that nobody has printed. */
async function check(path: string, ledger: Ledger): Promise<void> {
  const workerUrl = new URL("../../src/storage/sqlite/writer_entry.ts", import.meta.url);
  const factory = await createStorage({ backend: "sqlite", path, workerUrl });
  try {
    const { storage } = factory.forResource({ prefix: PREFIX, attributesOf: () => ({ labels: {}, fields: {} }) });
    const list = await storage.list(PREFIX);
    const found = new Map(list.items.map((item) => [item.key.slice(PREFIX.length), item.object().spec.n as number]));
    for (const [key, sent] of ledger.sent) {
      const n = found.get(key) ?? -1, allowed = [ledger.acknowledged.get(key) ?? -1, ...sent];
      assert.ok(allowed.includes(n), `${key} holds ${n}, one of ${allowed} was expected`);
      ledger.sent.set(key, []);
      ledger.acknowledged.set(key, n);
    }
    for (const key of found.keys()) assert.ok(ledger.sent.has(key), `${key} was never written`);
    assert.ok(list.revision >= ledger.lastRevision, `revision ${list.revision} is below ${ledger.lastRevision}`);
  } finally {
    await factory.close();
  }
}

Deno.test(`nothing is lost when the process is killed ${ROUNDS} times`, async () => {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/state.db`, ledger = new Ledger();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      ledger.read(await runUntilKilled(path, ledger.lastEvent));
      // Every other time the next process finds the file just as it was left.
      if (round % 2 === 1 || round === ROUNDS - 1) await check(path, ledger);
    }
    // Everything acknowledged up to the last event was seen, and as it was acknowledged.
    for (const [revision, change] of ledger.acknowledgedRevisions) {
      if (revision <= ledger.lastEvent) assert.equal(ledger.events.get(revision), change, `event of ${revision}`);
    }
    assert.ok(ledger.acknowledgedRevisions.size > 100, "too little was written to mean anything");
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
