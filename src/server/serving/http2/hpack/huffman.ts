// Strings in HPACK's Huffman code (RFC 7541, section 5.2). Reading goes four bits at a time through a table that is made
// on first use; the server writes its own strings plainly, which every client takes.
import { CODE_LENGTHS } from "./code_lengths.ts";

const END_OF_STRING = 256;
const MAX_BITS = 30;

/** A step of four bits: the node after it, a symbol that ended on the way, and whether there is such a step at all. */
const SYMBOL = 1 << 16, IMPOSSIBLE = 1 << 17;

interface Decoding {
  /** By node * 16 + four bits: next node | symbol << 8 | flags. */
  steps: Uint32Array;
  /** By node: whether a string may end there, which is after at most seven bits that begin the end's own code. */
  mayEnd: Uint8Array;
}

let decoding: Decoding | undefined;

/** Where most strings are put together. */
const scratch = new Uint8Array(4096);

/** Throws a RangeError when the bytes are no string in this code. */
export function huffmanDecode(bytes: Uint8Array, start: number, end: number): string {
  const { steps, mayEnd } = decoding ??= makeDecoding();
  // The shortest code has five bits.
  const most = Math.ceil((end - start) * 8 / 5), characters = most <= scratch.length ? scratch : new Uint8Array(most);
  let length = 0, node = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    for (let shift = 4; shift >= 0; shift -= 4) {
      const step = steps[node << 4 | (byte >> shift & 15)];
      if (step & IMPOSSIBLE) throw new RangeError("a Huffman code that stands for nothing");
      if (step & SYMBOL) characters[length++] = step >> 8;
      node = step & 255;
    }
  }
  if (mayEnd[node] === 0) throw new RangeError("a Huffman code that is cut off");
  return latin1(characters, 0, length);
}

/** Bytes as the characters with their numbers, as headers are in JavaScript. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= 1024) return String.fromCharCode.apply(null, bytes.subarray(start, end) as unknown as number[]);
  let text = "";
  for (let at = start; at < end; at += 1024) text += latin1(bytes, at, Math.min(end, at + 1024));
  return text;
}

function makeDecoding(): Decoding {
  const tree = codeTree();
  const steps = new Uint32Array(tree.length * 16), mayEnd = new Uint8Array(tree.length);
  for (let node = 0; node < tree.length; node++) {
    for (let bits = 0; bits < 16; bits++) steps[node << 4 | bits] = stepFrom(tree, node, bits);
  }
  // The padding is the beginning of the end's code: only ones.
  for (let node = 0, bits = 0; bits < 8; node = tree[node][1], bits++) mayEnd[node] = 1;
  return { steps, mayEnd };
}

function stepFrom(tree: CodeTree, from: number, bits: number): number {
  let node = from, found = 0;
  for (let mask = 8; mask > 0; mask >>= 1) {
    const next = tree[node][bits & mask ? 1 : 0];
    if (next >= 0) {
      node = next;
    } else {
      const symbol = ~next;
      if (symbol === END_OF_STRING) return IMPOSSIBLE;
      found = SYMBOL | symbol << 8;
      node = 0;
    }
  }
  return node | found;
}

/** Nodes as what follows a 0 and a 1: another node, or the complement of a symbol. */
type CodeTree = [number, number][];

function codeTree(): CodeTree {
  const tree: CodeTree = [[0, 0]];
  let code = 0;
  for (let bits = 1; bits <= MAX_BITS; bits++, code <<= 1) {
    for (let symbol = 0; symbol <= END_OF_STRING; symbol++) {
      if (CODE_LENGTHS[symbol] === bits) plant(tree, symbol, code++, bits);
    }
  }
  return tree;
}

function plant(tree: CodeTree, symbol: number, code: number, bits: number): void {
  let node = 0;
  for (let bit = bits - 1; bit > 0; bit--) {
    const side = code >> bit & 1;
    if (tree[node][side] === 0) tree[node][side] = tree.push([0, 0]) - 1;
    node = tree[node][side];
  }
  tree[node][code & 1] = ~symbol;
}
