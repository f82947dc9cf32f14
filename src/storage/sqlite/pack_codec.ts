// How changes are packed: their values one behind the other, deflated together, because renewals of leases differ in a
// few bytes only.
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import type { Value } from "../interface.ts";
import { DamagedValueError } from "./value_codec.ts";
import { DICTIONARY_1 } from "./value_dictionary.ts";

/** Length of the deflated bytes and the checksum, four bytes each and little endian. */
const CHECKSUM = 4, HEADER = 8;

/** A change of the log. */
export interface LogRow {
  revision: number;
  key: string;
  /** Negative: the change before was a delete. */
  prevRevision: number;
  expires: number | undefined;
  /** undefined: a delete. */
  value: Value | undefined;
}

/** A change that can be packed. */
export interface PackedRow extends LogRow {
  expires: undefined;
  value: string;
}

const dictionary = new TextEncoder().encode(DICTIONARY_1);

/** What stands before the values, as a line of JSON: numbers that are the same for most changes. */
interface Index {
  /** Revision of the first change. */
  first: number;
  keys: string[];
  /** Of each change: which key, revisions since the change before in the pack, and since that of the key, UTF-16 units. */
  changes: [key: number, step: number, back: number, length: number][];
}

/** At least one change, in the order of revisions. */
export function encodePack(rows: readonly PackedRow[]): Uint8Array {
  const keys = new Map<string, number>();
  let last = rows[0].revision;
  const changes = rows.map(({ revision, key, prevRevision, value }): Index["changes"][number] => {
    if (!keys.has(key)) keys.set(key, keys.size);
    const step = revision - last;
    last = revision;
    return [keys.get(key)!, step, revision - prevRevision, value.length];
  });
  const index: Index = { first: rows[0].revision, keys: [...keys.keys()], changes };
  const text = `${JSON.stringify(index)}\n${rows.map(({ value }) => value).join("")}`;
  const deflated = deflateRawSync(text, { level: 9, dictionary }), bytes = new Uint8Array(HEADER + deflated.length);
  const header = new DataView(bytes.buffer);
  header.setUint32(0, deflated.length, true);
  bytes.set(deflated, HEADER);
  header.setUint32(CHECKSUM, checksumOf(bytes), true);
  return bytes;
}

/** There may be anything behind a pack. Throws DamagedValueError. */
export function decodePack(bytes: Uint8Array): PackedRow[] {
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), length = header.getUint32(0, true);
  const pack = bytes.subarray(0, HEADER + length), deflated = pack.subarray(HEADER);
  if (deflated.length < length || checksumOf(pack) !== header.getUint32(CHECKSUM, true)) {
    throw new DamagedValueError("wrong checksum of packed changes");
  }
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(inflateRawSync(deflated, { dictionary }));
  let at = text.indexOf("\n") + 1;
  const { first, keys, changes } = JSON.parse(text.slice(0, at)) as Index;
  let revision = first;
  return changes.map(([key, step, back, length]) => {
    revision += step;
    const value = text.slice(at, at += length);
    return { revision, key: keys[key], prevRevision: revision - back, expires: undefined, value };
  });
}

/** Of everything but itself. */
function checksumOf(pack: Uint8Array): number {
  return crc32(pack.subarray(HEADER), crc32(pack.subarray(0, CHECKSUM)));
}
