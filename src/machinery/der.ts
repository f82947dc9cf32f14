// Reads DER (X.690), as much as certificates need: tags, lengths, object identifiers, strings and names.

export interface DerValue {
  tag: number;
  /** The value without tag and length. */
  bytes: Uint8Array;
  /** All of it. */
  encoded: Uint8Array;
}

export const TAG = { bitString: 3, octetString: 4, oid: 6, utf8String: 12, sequence: 0x30, set: 0x31, bmpString: 30 };

const LONG_FORM = 0x80, MULTI_BYTE_TAG = 0x1f;

/** The value at the start of `bytes` and what is behind it. Throws an Error when there is none. */
export function readDer(bytes: Uint8Array): { value: DerValue; rest: Uint8Array } {
  if (bytes.length < 2 || (bytes[0] & MULTI_BYTE_TAG) === MULTI_BYTE_TAG) throw new Error("malformed DER");
  let length = bytes[1], start = 2;
  if (length & LONG_FORM) {
    const octets = length & ~LONG_FORM;
    if (octets === 0 || octets > 4) throw new Error("malformed DER length");
    length = 0;
    for (let i = 0; i < octets; i++) length = length * 256 + (bytes[start++] ?? 0);
  }
  const end = start + length;
  if (end > bytes.length) throw new Error("truncated DER");
  const value = { tag: bytes[0], bytes: bytes.subarray(start, end), encoded: bytes.subarray(0, end) };
  return { value, rest: bytes.subarray(end) };
}

/** The values inside of a SEQUENCE or SET. */
export function derChildren({ bytes }: DerValue): DerValue[] {
  const children: DerValue[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const next = readDer(rest);
    children.push(next.value);
    rest = next.rest;
  }
  return children;
}

/** `2.5.4.3` */
export function derOid({ bytes }: DerValue): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const octet of bytes) {
    arc = arc * 128 + (octet & 0x7f);
    if (octet & 0x80) continue;
    if (arcs.length === 0) {
      const first = Math.min(2, Math.floor(arc / 40));
      arcs.push(first, arc - first * 40);
    } else {
      arcs.push(arc);
    }
    arc = 0;
  }
  return arcs.join(".");
}

const UTF8 = new TextDecoder("utf-8", { fatal: true }), UTF16 = new TextDecoder("utf-16be", { fatal: true });
/** PrintableString, T61String, IA5String: bytes that are characters. */
const LATIN = new Set([19, 20, 22, 18, 26]);

/** Undefined when it is no string. Throws when its bytes are no characters. */
function derString({ tag, bytes }: DerValue): string | undefined {
  if (tag === TAG.utf8String) return UTF8.decode(bytes);
  if (tag === TAG.bmpString) return UTF16.decode(bytes);
  return LATIN.has(tag) ? String.fromCharCode(...bytes) : undefined;
}

/** A Name (RFC 5280): object identifier → values in order. */
export function derName(name: DerValue): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const relative of derChildren(name)) {
    for (const attribute of derChildren(relative)) {
      const [type, value] = derChildren(attribute);
      const text = derString(value);
      if (text === undefined) continue;
      const oid = derOid(type);
      const known = values.get(oid);
      if (known === undefined) values.set(oid, [text]);
      else known.push(text);
    }
  }
  return values;
}
