// What crash_child.ts said it was told, and whether a database agrees.
import assert from "node:assert/strict";
import { createStorage, type StorageFactory } from "../../src/storage/mod.ts";
import { GADGETS, PREFIX, WIDGETS } from "./resources.ts";

/** What the processes that were killed had said, one after the other. */
export class Ledger {
  /** The last acknowledged value of each key, and those that were sent after it. */
  readonly acknowledged = new Map<string, number>();
  readonly sent = new Map<string, number[]>();
  readonly acknowledgedRevisions = new Map<number, string>();
  readonly events = new Map<number, string>();
  readonly #handedOut = new Set<number>();
  lastEvent = 1;
  lastRevision = 1;

  read(output: string): void {
    const before = this.lastRevision;
    // The last line may have been cut off.
    for (const line of output.slice(0, output.lastIndexOf("\n") + 1).split("\n")) {
      const [what, ...words] = line.split(" ");
      if (what === "W") this.sent.set(words[0], [...this.sent.get(words[0]) ?? [], Number(words[1])]);
      if (what === "A") this.#acknowledge(words[0], Number(words[1]), Number(words[2]), before);
      if (what === "R") this.#handOut(Number(words[1]), before);
      if (what === "E") this.#event(Number(words[0]), `${words[1]} ${words[2]}`);
    }
  }

  #acknowledge(key: string, revision: number, n: number, before: number): void {
    this.#handOut(revision, before);
    this.acknowledgedRevisions.set(revision, `${key} ${n}`);
    this.acknowledged.set(key, n);
    this.sent.set(key, []);
  }

  #handOut(revision: number, before: number): void {
    assert.ok(revision > before, `revision ${revision} was given again, ${before} was known`);
    assert.ok(!this.#handedOut.has(revision), `revision ${revision} was given twice`);
    this.#handedOut.add(revision);
    this.lastRevision = Math.max(this.lastRevision, revision);
  }

  #event(revision: number, change: string): void {
    assert.ok(revision > this.lastEvent, `event ${revision} after ${this.lastEvent}`);
    this.events.set(revision, change);
    this.lastEvent = revision;
    this.lastRevision = Math.max(this.lastRevision, revision);
  }
}

/** Opens what is left and compares it with the ledger, which then knows what became of writes without an answer. */
export async function checkDatabase(path: string, ledger: Ledger): Promise<void> {
  const workerUrl = new URL("../../src/storage/sqlite/writer_entry.ts", import.meta.url);
  const factory = await createStorage({ engine: { backend: "sqlite", path, workerUrl } });
  try {
    const { storage } = factory.forResource(WIDGETS);
    const list = await storage.list(PREFIX);
    const found = new Map(list.items.map((item) => [item.key.slice(PREFIX.length), item.object().spec.n as number]));
    for (const [key, sent] of ledger.sent) {
      const n = found.get(key) ?? -1, allowed = [ledger.acknowledged.get(key) ?? -1, ...sent];
      assert.ok(allowed.includes(n), `${key} holds ${n}, one of ${allowed} was expected`);
      ledger.sent.set(key, []);
      ledger.acknowledged.set(key, n);
    }
    for (const key of found.keys()) assert.ok(ledger.sent.has(key), `${key} was never written`);
    await checkRelaxed(factory);
    assert.ok(list.revision >= ledger.lastRevision, `revision ${list.revision} is below ${ledger.lastRevision}`);
  } finally {
    await factory.close();
  }
}

/** The last seconds of these may be lost, but what is there is whole. */
async function checkRelaxed(factory: StorageFactory): Promise<void> {
  const { storage } = factory.forResource(GADGETS);
  for (const item of (await storage.list(GADGETS.prefix)).items) {
    const { metadata, spec } = item.object();
    assert.equal(spec.text, `${metadata.name} ${spec.n} `.repeat(spec.n % 60), `${item.key} is torn`);
  }
}
