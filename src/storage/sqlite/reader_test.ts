import assert from "node:assert/strict";
import { withDatabasePath } from "../../../tests/support/temp_dir.ts";
import { CompactedError } from "../interface.ts";
import { Engine } from "./engine.ts";
import { Reader } from "./reader.ts";
import { openReader } from "./schema.ts";

const START = "/registry/a/", END = "/registry/a0";

/** A writer, and a reader beside it that hears of what is written when the test says so. */
async function withReader(body: (engine: Engine, reader: Reader) => void): Promise<void> {
  await withDatabasePath(async (path) => {
    await Deno.writeFile(path, new Uint8Array());
    const engine = new Engine(path, 100), db = openReader(path);
    try {
      body(engine, new Reader(db, new Map()));
    } finally {
      db.close();
      engine.close();
    }
  });
}

function create(engine: Engine, name: string, relaxed = false): number {
  const batch = { keys: [START + name], values: ["{}"], expected: [0], ttls: [undefined], relaxed: [relaxed] };
  return engine.apply(batch).revisions[0];
}

/** Tells the reader of a create. */
function note(reader: Reader, engine: Engine, name: string, revision: number): void {
  reader.note({ type: "put", key: START + name, value: "{}", revision, prevRevision: 0 }, engine.logged);
}

function growth(reader: Reader, after: number, upTo: number): number {
  let by = 0;
  for (let at = after; at < upTo;) {
    const part = reader.growth(START, END, { after: at, upTo });
    assert.ok(part.upTo > at, "it does not go on");
    by += part.by;
    at = part.upTo;
  }
  return by;
}

Deno.test("history that is being taken away is an error, also before the writer has said so", () =>
  withReader((engine, reader) => {
    for (let i = 0; i < 10; i++) note(reader, engine, `x${i}`, create(engine, `x${i}`));
    const known = engine.revision, from = 5;
    const log = () => reader.log(START, END, { after: from, upTo: known, limit: 100, previous: false });
    const part = () => reader.pastPart(START, END, known, { revision: from, limit: 100, turns: { over: false } });
    assert.equal(log().length, known - from);
    assert.equal(part().items.length, from - 1);
    engine.maintenance.compact(from + 1);
    while (engine.maintenance.step());
    for (const read of [log, part, () => growth(reader, from, known)]) assert.throws(read, CompactedError);
    assert.equal(growth(reader, from + 1, known), known - from - 1);
  }));

Deno.test("growth is counted over what is in the file, what is not yet, and what nobody was told of", () =>
  withReader((engine, reader) => {
    note(reader, engine, "a", create(engine, "a"));
    const before = engine.revision;
    note(reader, engine, "b", create(engine, "b"));
    note(reader, engine, "c", create(engine, "c", true));
    note(reader, engine, "d", create(engine, "d", true));
    assert.equal(growth(reader, before, engine.revision), 3);
    // Brings what was relaxed into the file, with one more; the reader hears nothing of it.
    create(engine, "e");
    assert.equal(growth(reader, before, engine.revision), 4);
    assert.deepEqual(reader.countNow(START, END, engine.revision - 1), { count: 5, revision: engine.revision });
    reader.noteLogged(engine.logged);
    assert.equal(growth(reader, before, engine.revision), 4);
  }));
