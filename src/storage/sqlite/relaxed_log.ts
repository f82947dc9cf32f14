// Relaxed changes that are on the disk and not in the log's table yet. A lease is renewed every few seconds and nobody
// asks for the renewals before: those of one commit are kept packed, in rows of one page each that are used again and
// again, so that a commit writes little more than the bytes in which they differ. Compaction drops what is superseded;
// only what has to outlive that, or finds no room, moves to the table.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { messageOf } from "./errors.ts";
import { meta } from "./offline.ts";
import { decodePack, encodePack, type LogRow, type PackedRow } from "./pack_codec.ts";
import { PACKS_SINCE, pragma } from "./schema.ts";

/** With its slot and the other columns a part fills a page of 1 KiB; a slot keeps its size whatever it holds. */
const PART_BYTES = 968;
/**
 * Slots that are made at first, for the renewals of ten minutes, and that are made at once later on: making one within
 * a commit writes three other pages, too.
 */
const FIRST_SLOTS = 48, SLOTS_AT_ONCE = 8;
const MOST_SLOTS = 128;
/** Changes of a pack, and all characters of their values; more go to the table, where they cost no more. */
const MOST_ROWS = 500, MOST_CHARACTERS = 500_000;
/** Changes in all packs: they are in memory, and join the next write to the table. */
const MOST_PACKED = 1500;

interface Pack {
  /** In the order of revisions; those that are still needed. */
  rows: PackedRow[];
  slots: readonly number[];
}

/** What is to be done for a pack. */
export interface PackPlan {
  pack: Pack;
  bytes: Uint8Array;
  /** Slots that there are then. */
  slots: number;
  free: number[];
  /** How many of the oldest packs make room, and their changes, which have to go to the table. */
  evicted: number;
  displaced: LogRow[];
}

export class RelaxedLog {
  readonly #put: StatementSync;
  /** The oldest first. */
  #packs: Pack[];
  #slots: number;
  #free: number[];
  /** What is wrong with packs that were found; they are lost. */
  readonly problems: readonly string[];

  /** Goes on where the last process ended. */
  constructor(db: DatabaseSync) {
    this.#put = db.prepare("INSERT OR REPLACE INTO relaxed VALUES (?, ?, ?, ?, ?)");
    this.#slots = db.prepare("SELECT coalesce(max(slot) + 1, 0) AS n FROM relaxed").get()!.n as number;
    const { packs, problems } = readPacks(db), taken = new Set(packs.flatMap(({ slots }) => slots));
    this.#packs = packs;
    this.#free = Array.from({ length: this.#slots }, (_, slot) => slot).filter((slot) => !taken.has(slot));
    this.problems = problems;
  }

  /** In the order of revisions. */
  rows(): PackedRow[] {
    return this.#packs.flatMap(({ rows }) => rows);
  }

  /** The oldest revision; undefined: there is none. */
  get first(): number | undefined {
    return this.#packs[0]?.rows[0].revision;
  }

  get(revision: number): PackedRow | undefined {
    const pack = this.#packs.findLast(({ rows }) => rows[0].revision <= revision);
    return pack?.rows.find((row) => row.revision === revision);
  }

  /** Makes the first slots, if they are not there yet, as a part of a transaction. */
  makeSlots(): void {
    for (; this.#slots < FIRST_SLOTS; this.#slots++) {
      this.#put.run(this.#slots, 0, 0, 0, new Uint8Array(PART_BYTES));
      this.#free.push(this.#slots);
    }
  }

  /** How to pack changes that are newer than all before; undefined when they belong into the table. */
  plan(rows: readonly LogRow[]): PackPlan | undefined {
    if (rows.length > MOST_ROWS || !rows.every(isRenewal)) return undefined;
    if (rows.reduce((sum, { value }) => sum + value.length, 0) > MOST_CHARACTERS) return undefined;
    const bytes = encodePack(rows), parts = Math.ceil(bytes.length / PART_BYTES), free = [...this.#free];
    if (parts > MOST_SLOTS) return undefined;
    let slots = this.#slots, evicted = 0;
    const displaced: LogRow[] = [];
    const evict = () => {
      const { rows, slots } = this.#packs[evicted++];
      displaced.push(...rows);
      free.push(...slots);
    };
    const packed = this.rows().length;
    while (packed - displaced.length + rows.length > MOST_PACKED) evict();
    while (free.length < parts) {
      if (slots === MOST_SLOTS) evict();
      else for (const { length } = free; free.length < length + SLOTS_AT_ONCE;) free.push(slots++);
    }
    const pack = { rows: [...rows], slots: free.slice(0, parts) };
    return { pack, bytes, slots, free: free.slice(parts), evicted, displaced };
  }

  /** Writes a pack as a part of a transaction; what it displaces has to be in the table by its end. */
  write({ pack, bytes, slots }: PackPlan): void {
    const { length } = pack.slots, { revision } = pack.rows[pack.rows.length - 1], unused = new Uint8Array(PART_BYTES);
    for (let slot = this.#slots; slot < slots; slot++) this.#put.run(slot, 0, 0, 0, unused);
    for (const [part, slot] of pack.slots.entries()) {
      const padded = new Uint8Array(PART_BYTES);
      padded.set(bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES));
      this.#put.run(slot, revision, part, length, padded);
    }
  }

  /** The pack is on the disk. */
  written({ pack, slots, free, evicted }: PackPlan): void {
    this.#packs.splice(0, evicted);
    this.#packs.push(pack);
    this.#slots = slots;
    this.#free = free;
  }

  /** All of it is in the table. */
  clear(): void {
    for (const { slots } of this.#packs) this.#free.push(...slots);
    this.#packs = [];
  }

  /** Drops what changes up to `revision` superseded. */
  compact(revision: number): void {
    const packs = compacted(this.#packs, revision);
    const taken = new Set(packs);
    for (const pack of this.#packs) if (!taken.has(pack)) this.#free.push(...pack.slots);
    this.#packs = packs;
  }
}

/** An update, which leaves a change before it in the table for whoever looks there only. */
function isRenewal(row: LogRow): row is PackedRow {
  return typeof row.value === "string" && row.prevRevision > 0 && row.expires === undefined;
}

/**
 * The packs that are still needed when what changes up to `revision` superseded is dropped. What superseded a change
 * follows the one before that instead: when it reaches the table, compaction finds there what it has to take away.
 */
function compacted(packs: readonly Pack[], revision: number): Pack[] {
  const newest = new Map<string, PackedRow>(), superseded = new Set<PackedRow>();
  for (const row of packs.flatMap(({ rows }) => rows)) {
    if (row.revision > revision) break;
    const before = newest.get(row.key);
    if (before !== undefined) {
      superseded.add(before);
      row.prevRevision = before.prevRevision;
    }
    newest.set(row.key, row);
  }
  for (const pack of packs) pack.rows = pack.rows.filter((row) => !superseded.has(row));
  return packs.filter(({ rows }) => rows.length > 0);
}

/** What the packs of a database hold. */
export interface Unlogged {
  /**
   * Changes that are not in the log's table and still needed, in the order of revisions. What the first one of a key
   * follows may have been dropped: then it follows the newest one in the table.
   */
  rows: PackedRow[];
  /** What is wrong with packs that cannot be read. */
  problems: string[];
}

/** Reads beside the server that writes. */
export function unloggedRows(db: DatabaseSync): Unlogged {
  const { packs, problems } = readPacks(db);
  return { rows: packs.flatMap(({ rows }) => rows), problems };
}

function readPacks(db: DatabaseSync): { packs: Pack[]; problems: string[] } {
  const packs: Pack[] = [], problems: string[] = [];
  if (pragma(db, "user_version") < PACKS_SINCE) return { packs, problems };
  // What is in the table by now may still be in its slots. Compaction takes changes only up to `flushed`.
  const logged = Math.max(
    meta(db, "flushed"),
    db.prepare("SELECT max(revision) AS last FROM changes").get()!.last as number | null ?? 0,
  );
  for (const { bytes, slots } of wholePacks(db, logged)) {
    try {
      packs.push({ rows: decodePack(bytes).filter(({ revision }) => revision > logged), slots });
    } catch (error) {
      problems.push(messageOf(error));
    }
  }
  return { packs: compacted(packs, meta(db, "compacted")), problems };
}

interface Part {
  slot: number;
  pack: number;
  part: number;
  parts: number;
  data: Uint8Array;
}

/** In the order of revisions. A pack some of whose slots have been written anew was not needed any more. */
function* wholePacks(db: DatabaseSync, after: number): Generator<{ bytes: Uint8Array; slots: number[] }> {
  const parts = db.prepare("SELECT slot, pack, part, parts, data FROM relaxed WHERE pack > ? ORDER BY pack, part")
    .all(after);
  for (const found of Map.groupBy(parts as unknown as Part[], ({ pack }) => pack).values()) {
    if (found.length < found[0].parts) continue;
    const bytes = new Uint8Array(found.length * PART_BYTES);
    for (const { data, part } of found) bytes.set(data, part * PART_BYTES);
    yield { bytes, slots: found.map(({ slot }) => slot) };
  }
}
