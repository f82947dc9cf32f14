// Reads: the present state through the pointers, the past by undoing what the log says came after.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Change, CompactedError, type KeyValue } from "../interface.ts";

interface ChangeRow {
  revision: number;
  key: string;
  deleted: number;
  prev_revision: number;
  value: string | null;
  prev_value: string | null;
}

export class Reader {
  readonly #database: DatabaseSync;
  readonly #get: StatementSync;
  readonly #range: StatementSync;
  readonly #count: StatementSync;
  readonly #changes: StatementSync;
  readonly #value: StatementSync;
  readonly #revision: StatementSync;
  readonly #compacted: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    const current = "SELECT o.key, o.revision, c.value FROM objects o JOIN changes c ON c.revision = o.revision";
    this.#get = database.prepare(`${current} WHERE o.key = ?`);
    this.#range = database.prepare(`${current} WHERE o.key >= ? AND o.key < ? ORDER BY o.key LIMIT ?`);
    this.#count = database.prepare("SELECT count(*) AS n FROM objects WHERE key >= ? AND key < ?");
    this.#changes = database.prepare(
      `SELECT c.*, p.value AS prev_value FROM changes c LEFT JOIN changes p ON p.revision = c.prev_revision
       WHERE c.revision > ? AND c.revision <= ? AND c.key >= ? AND c.key < ? ORDER BY c.revision`,
    );
    this.#value = database.prepare("SELECT value FROM changes WHERE revision = ?");
    this.#revision = database.prepare("SELECT coalesce(max(revision), 0) AS r FROM changes");
    this.#compacted = database.prepare("SELECT value FROM meta WHERE name = 'compacted'");
  }

  currentRevision(): number {
    return this.#revision.get()!.r as number;
  }

  compactRevision(): number {
    return this.#compacted.get()!.value as number;
  }

  get(key: string): KeyValue | undefined {
    return this.#get.get(key) as unknown as KeyValue | undefined;
  }

  count(start: string, end: string): number {
    return this.#count.get(start, end)!.n as number;
  }

  range(start: string, end: string, limit: number): KeyValue[] {
    return this.#range.all(start, end, limit > 0 ? limit : -1) as unknown as KeyValue[];
  }

  /** Changes in (after, upTo], oldest first. Throws CompactedError. */
  changes(after: number, upTo: number, start: string, end: string): Change[] {
    this.#mustHave(after);
    return (this.#changes.all(after, upTo, start, end) as unknown as ChangeRow[]).map((row) => ({
      type: row.deleted ? "delete" : "put",
      key: row.key,
      value: (row.deleted ? row.prev_value : row.value) ?? "",
      revision: row.revision,
      prevRevision: row.prev_revision,
      prevValue: row.prev_value ?? undefined,
    }));
  }

  /** The state as of a revision: the present one with every later change undone. Throws CompactedError. */
  rangeAt(revision: number, start: string, end: string): KeyValue[] {
    this.#mustHave(revision);
    const undo = new Map<string, number>();
    const later = this.#changes.all(revision, Number.MAX_SAFE_INTEGER, start, end) as unknown as ChangeRow[];
    for (const change of later) if (!undo.has(change.key)) undo.set(change.key, change.prev_revision);
    const state = this.range(start, end, 0).filter((kv) => !undo.has(kv.key));
    for (const [key, before] of undo) {
      if (before > 0) state.push({ key, revision: before, value: this.#value.get(before)!.value as string });
    }
    return state.sort((a, b) => a.key < b.key ? -1 : 1);
  }

  /** Keys that will expire, with their times in milliseconds since 1970. */
  expiring(): { key: string; revision: number; expires: number }[] {
    const statement = this.#database.prepare("SELECT key, revision, expires FROM objects WHERE expires IS NOT NULL");
    return statement.all() as unknown as { key: string; revision: number; expires: number }[];
  }

  close(): void {
    this.#database.close();
  }

  #mustHave(revision: number): void {
    const compacted = this.compactRevision();
    if (revision < compacted) throw new CompactedError(compacted);
  }
}
