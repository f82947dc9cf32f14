import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { Random } from "../../../tests/support/random.ts";
import { inTempDir, withDatabasePath } from "../../../tests/support/temp_dir.ts";
import { checkDatabaseFile } from "./check.ts";
import { Engine } from "./engine.ts";
import { newestObjects } from "./newest_objects.ts";
import { Reader } from "./reader.ts";
import { openReader } from "./schema.ts";
import { databaseStats } from "./stats.ts";

/** Frames of the write-ahead log. */
function frames(engine: Engine): number {
  return engine.db.prepare("PRAGMA wal_checkpoint(NOOP)").get()!.log as number;
}

const START = "/registry/leases/", END = "/registry/leases0";

/** A change as the test knows it; deletes have no value. */
interface Change {
  revision: number;
  key: string;
  value: string | undefined;
}

/** What a backend does with a writer and a reader, at the pace of the test. */
class Database {
  readonly engine: Engine;
  readonly reader: Reader;
  readonly #db: DatabaseSync;
  #compacted: number;

  constructor(readonly path: string) {
    this.engine = new Engine(path, 50);
    const { tail, unlogged, compacted } = this.engine.opened();
    this.#db = openReader(path);
    this.reader = new Reader(this.#db, tail);
    for (const change of unlogged) this.reader.note(change, 0);
    this.#compacted = compacted;
  }

  write(key: string, value: string | undefined, relaxed: boolean): number {
    const expected = this.reader.get(key, this.engine.revision)?.revision ?? 0;
    const batch = { keys: [key], values: [value], expected: [expected], ttls: [undefined], relaxed: [relaxed] };
    const { revisions: [revision], logged } = this.engine.apply(batch);
    assert.ok(revision > 0);
    this.reader.noteLogged(logged);
    const type = value === undefined ? "delete" : "put";
    this.reader.note({ type, key, value: value ?? "", revision, prevRevision: expected }, logged);
    return revision;
  }

  /** Upkeep, at most so many steps; what came of it is told in the order of the writer. */
  upkeep(steps: number): void {
    for (let i = 0; i < steps && this.engine.maintenance.step(); i++);
    const { logged, maintenance: { flushed, compacted } } = this.engine;
    this.reader.noteLogged(logged);
    this.reader.settle(flushed);
    if (compacted !== this.#compacted) this.reader.noteCompacted(this.#compacted = compacted);
  }

  close(): void {
    this.#db.close();
    this.engine.close();
  }
}

/** A value that differs little from others, but for what cannot be compressed. */
function lease(name: string, renewTime: number, noise = ""): string {
  return JSON.stringify({ kind: "Lease", name, holder: "somebody who holds it ".repeat(5), renewTime, noise });
}

/** Does what it likes with a database, and knows what has to be in it. */
class Play {
  #history: Change[] = [];
  #settled = 1;
  #compacted = 0;
  #copies = 0;

  constructor(private database: Database, private readonly random: Random) {}

  step(): void {
    const dice = this.random.below(100);
    if (dice < 75) this.#write(true);
    else if (dice < 77) this.#write(false);
    else if (dice < 90) this.#settle();
    else if (dice < 95) this.#compact();
    else if (dice < 98) this.#crash();
    else this.#reopen();
  }

  #write(relaxed: boolean): void {
    const key = `${START}${this.random.below(4)}`, there = this.#at(Infinity).get(key);
    const value = there?.value !== undefined && this.random.below(40) === 0
      ? undefined
      : lease(key, this.random.below(1000), this.#noise());
    const revision = this.database.write(key, value, relaxed);
    this.#history.push({ revision, key, value });
    if (!relaxed) this.#settled = revision;
  }

  /** Now and then so much that packs displace others. */
  #noise(): string {
    const length = this.random.chance(0.2) ? this.random.below(8000) : 0;
    return Array.from({ length }, () => String.fromCharCode(40 + this.random.below(80))).join("");
  }

  #settle(): void {
    this.database.engine.settle(Infinity);
    this.#settled = this.database.engine.revision;
    this.database.upkeep(1);
  }

  #compact(): void {
    const { revision } = this.database.engine;
    this.#compacted = Math.max(this.#compacted, revision - this.random.below(30));
    this.database.engine.maintenance.compact(this.#compacted);
    this.database.upkeep(this.random.below(2) === 0 ? 1 : 1000);
    // Nothing is compacted that is not on the disk.
    const unsettled = this.#history.find((change) => change.revision > this.#settled);
    if (unsettled !== undefined && unsettled.revision <= this.#compacted) this.#settled = revision;
  }

  /** Goes on with the files as they are on the disk. */
  #crash(): void {
    const { path } = this.database, copy = `${path}.${++this.#copies}`;
    for (const end of ["", "-wal"]) Deno.copyFileSync(path + end, copy + end);
    this.database.close();
    this.database = new Database(copy);
    this.#history = this.#history.filter(({ revision }) => revision <= this.#settled);
    this.#compacted = this.database.engine.maintenance.compacted;
  }

  #reopen(): void {
    this.database.close();
    this.database = new Database(this.database.path);
    this.#settled = this.database.engine.revision;
    this.#compacted = this.database.engine.maintenance.compacted;
  }

  /** The newest change of each key at a revision. */
  #at(revision: number): Map<string, Change> {
    return new Map(this.#history.filter((change) => change.revision <= revision).map((change) => [change.key, change]));
  }

  #present(revision: number): [string, number][] {
    return [...this.#at(revision).values()].filter(({ value }) => value !== undefined)
      .map(({ key, revision }): [string, number] => [key, revision]).sort(([a], [b]) => a < b ? -1 : 1);
  }

  async verify(): Promise<void> {
    const { engine, reader, path } = this.database, { revision } = engine, { compacted } = engine.maintenance;
    const { items } = reader.range(START, END, revision, Infinity);
    assert.deepEqual(items.map(({ key, revision }) => [key, revision]), this.#present(Infinity));
    for (const { key, value, revision } of items) assert.ok(value === this.#at(revision).get(key)!.value, key);
    const log = reader.log(START, END, { after: compacted, upTo: revision, limit: 10_000, previous: true });
    const after = this.#history.filter((change) => change.revision > compacted);
    assert.deepEqual(
      log.map(({ revision, key }) => [revision, key]),
      after.map(({ revision, key }) => [revision, key]),
    );
    for (const change of log) {
      const before = this.#at(change.revision - 1).get(change.key)?.value;
      assert.ok(change.prevValue === before, `before ${change.revision}`);
      assert.ok(change.value === (this.#at(change.revision).get(change.key)!.value ?? before), `${change.revision}`);
    }
    if (revision > compacted) {
      const at = compacted + this.random.below(revision - compacted);
      const past = reader.pastPart(START, END, revision, { revision: at, limit: 100, turns: { over: false } }).items;
      assert.deepEqual(past.map(({ key, revision }) => [key, revision]), this.#present(at));
      for (const { key, value } of past) assert.ok(value === this.#at(at).get(key)!.value, key);
      const { by } = reader.growth(START, END, { after: at, upTo: revision });
      if (at >= engine.logged) assert.equal(by, this.#present(Infinity).length - this.#present(at).length);
    }
    assert.deepEqual((await checkDatabaseFile(path, () => {})).problems, []);
    using db = new DatabaseSync(path, { readOnly: true });
    const stored = [...newestObjects(db, { except: () => false })].map(({ key, revision }) => [key, revision]);
    assert.deepEqual(stored, this.#present(this.#settled));
  }

  /** When all history is gone there is nothing left of it. */
  async end(): Promise<void> {
    const { engine, path } = this.database;
    engine.maintenance.compact(engine.revision);
    this.database.upkeep(1000);
    // What was still packed is in the table now, and compaction goes through that once more.
    this.#reopen();
    this.database.upkeep(1000);
    this.database.close();
    const { changes, objects } = await databaseStats(path);
    assert.deepEqual([changes, objects], [this.#present(Infinity).length, this.#present(Infinity).length]);
  }
}

for (const seed of [1, 2]) {
  Deno.test(`packed changes outlive crashes, compaction and restarts, and history is whole: seed ${seed}`, () =>
    inTempDir(async (dir) => {
      const path = `${dir}/state.db`, random = new Random(seed);
      await Deno.writeFile(path, new Uint8Array());
      const play = new Play(new Database(path), random);
      for (let i = 0; i < 600; i++) {
        play.step();
        if (i % 5 === 0) await play.verify();
      }
      await play.end();
    }));
}

/** An engine with a lease in its table. */
function withLease(body: (engine: Engine, renew: (times: number) => void, path: string) => Promise<void> | void) {
  return withDatabasePath(async (path) => {
    await Deno.writeFile(path, new Uint8Array());
    const engine = new Engine(path, 10_000), key = `${START}x`;
    let revision = 0;
    const write = (relaxed: boolean) => {
      const batch = { keys: [key], values: [lease(key, revision)], expected: [revision], ttls: [undefined] };
      [revision] = engine.apply({ ...batch, relaxed: [relaxed] }).revisions;
    };
    write(false);
    await body(engine, (times) => Array.from({ length: times }, () => write(true)), path);
    engine.close();
  });
}

Deno.test("the renewals of a commit are written as one page, and its slot is used again", () =>
  withLease((engine, renew) => {
    const written: number[] = [];
    for (let round = 0; round < 40; round++) {
      renew(15);
      const before = frames(engine);
      engine.settle(Infinity);
      written.push(frames(engine) - before);
      engine.maintenance.compact(engine.revision - 60);
      while (engine.maintenance.step());
    }
    assert.deepEqual(new Set(written.slice(10)), new Set([1]));
  }));

Deno.test("a durable write brings all that is packed into the log", () =>
  withLease((engine, renew) => {
    renew(15);
    engine.settle(Infinity);
    const { logged, revision } = engine;
    assert.equal(logged, 2);
    engine.apply({ keys: ["/registry/a"], values: ["{}"], expected: [0], ttls: [undefined], relaxed: [false] });
    assert.equal(engine.logged, revision + 1);
    assert.equal(engine.db.prepare("SELECT count(*) AS n FROM changes").get()!.n, 17);
  }));

Deno.test("a pack that was damaged is told of and left out", () =>
  withLease(async (engine, renew, path) => {
    for (let i = 0; i < 2; i++) {
      renew(5);
      engine.settle(Infinity);
    }
    engine.db.exec(
      "UPDATE relaxed SET data = zeroblob(length(data)) WHERE pack = (SELECT min(pack) FROM relaxed WHERE parts > 0)",
    );
    const { problems } = await checkDatabaseFile(path, () => {});
    assert.match(problems[0], /wrong checksum of packed changes/);
    const copy = `${path}.copy`;
    for (const end of ["", "-wal"]) Deno.copyFileSync(path + end, copy + end);
    const reopened = new Engine(copy, 1000);
    assert.deepEqual(reopened.problems, [problems[0]]);
    assert.equal(reopened.opened().tail.get(`${START}x`), engine.revision);
    reopened.close();
    assert.deepEqual((await checkDatabaseFile(copy, () => {})).problems, []);
  }));
