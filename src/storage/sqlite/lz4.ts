// LZ4 blocks with a dictionary (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md): values are small and much
// alike, so that nearly all of what repeats in them is in the dictionary and not in the value itself.

const MIN_MATCH = 4;
/** The last bytes of a block are literals, and the last match begins well before them (end of block conditions). */
const LAST_LITERALS = 5, MATCH_LIMIT = 12;
const MAX_OFFSET = 65_535;
const HASH_BITS = 13;
/** Bytes that are worth a call to copy. */
const LONG = 32;
/** With more of them the whole table is cleared. */
const MOST_TOUCHED = 1024;

function hash(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS);
}

/** Compresses and decompresses with one dictionary. Keeps its buffers, so the bytes it gives out are valid until the next call. */
export class Lz4 {
  readonly #dictionary: Uint8Array;
  /** Where words of the dictionary are. */
  readonly #known: Int32Array;
  readonly #table: Int32Array;
  /** Slots of the table that the input has taken: fewer than there are in all. */
  readonly #touched = new Uint16Array(MOST_TOUCHED);
  /** The dictionary with the input, or the output, behind it. */
  #window: Uint8Array;
  #words: DataView;
  #out: Uint8Array;

  constructor(dictionary: Uint8Array) {
    this.#dictionary = dictionary;
    this.#known = new Int32Array(1 << HASH_BITS).fill(-1);
    this.#table = new Int32Array(1 << HASH_BITS);
    this.#window = new Uint8Array(0);
    this.#words = new DataView(this.#window.buffer);
    this.#out = new Uint8Array(0);
    this.#reserve(16_384);
    for (let at = 0; at + MIN_MATCH <= dictionary.length; at++) {
      this.#known[hash(this.#words.getInt32(at, true))] = at;
    }
    this.#table.set(this.#known);
  }

  /** A buffer for the input of {@link compress}, at least so many bytes long. */
  input(length: number): Uint8Array {
    this.#reserve(length);
    return this.#window.subarray(this.#dictionary.length);
  }

  /** Compresses the first `length` bytes of {@link input}. `headroom` bytes in front are left to the caller. */
  compress(length: number, headroom: number): Uint8Array {
    const bytes = this.#window, words = this.#words, table = this.#table, touched = this.#touched;
    const start = this.#dictionary.length, end = start + length, lastMatch = end - MATCH_LIMIT;
    let to = headroom, literals = start, at = start;
    // Steps grow while nothing matches, so that what cannot be compressed is passed quickly.
    let misses = 0, slots = 0;
    while (at < lastMatch) {
      const word = words.getInt32(at, true), slot = hash(word), found = table[slot];
      table[slot] = at;
      if (slots < MOST_TOUCHED) touched[slots++] = slot;
      if (found < 0 || at - found > MAX_OFFSET || words.getInt32(found, true) !== word) {
        at += 1 + (misses++ >> 5);
        continue;
      }
      misses = 0;
      let match = found;
      while (at > literals && match > 0 && bytes[at - 1] === bytes[match - 1]) at--, match--;
      let matched = MIN_MATCH;
      const limit = end - LAST_LITERALS - at;
      while (matched + 4 <= limit && words.getInt32(match + matched, true) === words.getInt32(at + matched, true)) {
        matched += 4;
      }
      while (matched < limit && bytes[match + matched] === bytes[at + matched]) matched++;
      to = this.#sequence(to, literals, at, { offset: at - match, matched });
      at += matched;
      literals = at;
    }
    to = this.#sequence(to, literals, end, undefined);
    this.#clear(slots);
    return this.#out.subarray(0, to);
  }

  /** Leaves the words of the dictionary alone in the table. */
  #clear(slots: number): void {
    const table = this.#table, known = this.#known, touched = this.#touched;
    if (slots === MOST_TOUCHED) table.set(known);
    else for (let i = 0; i < slots; i++) table[touched[i]] = known[touched[i]];
  }

  /** @param length bytes of the original */
  decompress(block: Uint8Array, length: number): Uint8Array {
    this.#reserve(length);
    const out = this.#window, start = this.#dictionary.length, end = start + length;
    let from = 0, to = start;
    while (from < block.length) {
      const token = block[from++];
      let literals = token >> 4;
      if (literals === 15) {
        let more: number;
        do literals += more = block[from++]; while (more === 255);
      }
      if (from + literals > block.length || to + literals > end) break;
      for (const stop = from + literals; from < stop;) out[to++] = block[from++];
      if (from >= block.length) break;
      const offset = block[from] | (block[from + 1] << 8);
      from += 2;
      let matched = (token & 15) + MIN_MATCH;
      if (matched === 15 + MIN_MATCH) {
        let more: number;
        do matched += more = block[from++]; while (more === 255);
      }
      const match = to - offset;
      if (offset === 0 || match < 0 || to + matched > end) break;
      // A match may reach into what it makes.
      if (matched > LONG && offset >= matched) out.copyWithin(to, match, match + matched);
      else for (let i = 0; i < matched; i++) out[to + i] = out[match + i];
      to += matched;
    }
    if (to !== end || from !== block.length) throw new RangeError("a compressed value is damaged");
    return out.subarray(start, end);
  }

  /** Writes literals and the match behind them; returns where it ends. */
  #sequence(
    to: number,
    literals: number,
    end: number,
    match: { offset: number; matched: number } | undefined,
  ): number {
    const out = this.#out, bytes = this.#window;
    const count = end - literals, length = match === undefined ? 0 : match.matched - MIN_MATCH;
    out[to++] = (Math.min(count, 15) << 4) | Math.min(length, 15);
    if (count >= 15) to = extraLength(out, to, count - 15);
    for (let i = literals; i < end; i++) out[to++] = bytes[i];
    if (match === undefined) return to;
    out[to++] = match.offset & 255;
    out[to++] = match.offset >> 8;
    return length >= 15 ? extraLength(out, to, length - 15) : to;
  }

  #reserve(length: number): void {
    const needed = this.#dictionary.length + length;
    if (this.#window.length >= needed) return;
    const size = Math.max(needed, 2 * this.#window.length);
    this.#window = new Uint8Array(size);
    this.#window.set(this.#dictionary);
    this.#words = new DataView(this.#window.buffer);
    // The worst case of LZ4, and room in front.
    this.#out = new Uint8Array(size + Math.ceil(size / 255) + 64);
  }
}

function extraLength(out: Uint8Array, at: number, length: number): number {
  for (; length >= 255; length -= 255) out[at++] = 255;
  out[at++] = length;
  return at;
}
