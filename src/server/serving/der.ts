// As much of DER (X.690) as certificates need.

/** One element: where its content starts and where it ends. */
export interface DerElement {
  tag: number;
  start: number;
  end: number;
}

/** The element at an offset; undefined when there is none that is whole. */
export function derElement(bytes: Uint8Array, offset: number): DerElement | undefined {
  const tag = bytes[offset];
  const first = bytes[offset + 1];
  if (first === undefined) return undefined;
  let length = first;
  let start = offset + 2;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4) return undefined;
    length = 0;
    for (let i = 0; i < count; i++) length = length * 256 + bytes[start + i];
    start += count;
  }
  const end = start + length;
  return end <= bytes.length ? { tag, start, end } : undefined;
}

/** The elements in the element that `bytes` are, each with its header. */
export function derChildren(bytes: Uint8Array): Uint8Array[] {
  const children: Uint8Array[] = [];
  const outer = derElement(bytes, 0);
  for (let at = outer?.start ?? bytes.length; at < (outer?.end ?? 0);) {
    const child = derElement(bytes, at);
    if (child === undefined) break;
    children.push(bytes.subarray(at, child.end));
    at = child.end;
  }
  return children;
}

function element(tag: number, ...contents: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = contents.reduce((sum, content) => sum + content.length, 0);
  const header = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 255];
  const bytes = new Uint8Array(1 + header.length + length);
  bytes.set([tag, ...header]);
  let at = 1 + header.length;
  for (const content of contents) {
    bytes.set(content, at);
    at += content.length;
  }
  return bytes;
}

/** Builders of elements, up to 64 KiB each. */
export const der = {
  boolean: (value: boolean) => element(0x01, Uint8Array.of(value ? 0xff : 0)),
  /** Big endian, two's complement. */
  integer: (bytes: Uint8Array) => element(0x02, bytes),
  bitString: (bytes: Uint8Array, unusedBits = 0) => element(0x03, Uint8Array.of(unusedBits), bytes),
  octetString: (bytes: Uint8Array) => element(0x04, bytes),
  utf8: (text: string) => element(0x0c, new TextEncoder().encode(text)),
  sequence: (...items: Uint8Array[]) => element(0x30, ...items),
  set: (...items: Uint8Array[]) => element(0x31, ...items),
  explicit: (n: number, item: Uint8Array) => element(0xa0 | n, item),
  implicit: (n: number, bytes: Uint8Array) => element(0x80 | n, bytes),
  /** UTCTime up to 2049, GeneralizedTime from then on (RFC 5280, 4.1.2.5). */
  time(date: Date) {
    const digits = date.toISOString().replace(/[-:T]|\.\d+/g, "");
    const short = date.getUTCFullYear() < 2050;
    return element(short ? 0x17 : 0x18, new TextEncoder().encode(short ? digits.slice(2) : digits));
  },
};

/** An object identifier from its dotted form. */
export function oid(dotted: string): Uint8Array<ArrayBuffer> {
  const [first, second, ...rest] = dotted.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const groups = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift(left & 0x7f | 0x80);
    bytes.push(...groups);
  }
  return element(0x06, Uint8Array.from(bytes));
}
