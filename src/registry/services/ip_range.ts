// A range of service addresses: which addresses it has, and in which order they are given out (KEP-3070: the lower band
// is left to addresses that are asked for by name).
import ipaddr from "ipaddr.js";

export type IPFamily = "IPv4" | "IPv6";

/** Smallest and largest size of the band at the lower end. */
const BAND_MIN = 16n, BAND_MAX = 256n;

export class IPRange {
  readonly family: IPFamily;
  /** The network's own address. */
  readonly network: string;
  /** The network's own address as a number. */
  readonly #base: bigint;
  /** Addresses that may be given out: offsets 1 … size. */
  readonly size: bigint;
  /** Offsets up to here are the static band. */
  readonly #band: bigint;

  /** Throws when `cidr` is none. */
  constructor(readonly cidr: string) {
    const [address, prefix] = ipaddr.parseCIDR(cidr);
    this.family = address.kind() === "ipv4" ? "IPv4" : "IPv6";
    const bits = BigInt((this.family === "IPv4" ? 32 : 128) - prefix);
    const all = 1n << bits;
    this.#base = toNumber(address) & ~(all - 1n);
    this.network = toText(this.#base, this.family);
    // The network's address is never given out, nor is IPv4's broadcast address.
    const usable = this.family === "IPv4" ? all - 2n : all - 1n;
    this.size = usable > 0n ? usable : 0n;
    const band = this.size / 16n;
    const clamped = band < BAND_MIN ? BAND_MIN : band > BAND_MAX ? BAND_MAX : band;
    this.#band = this.size <= BAND_MIN ? 0n : clamped;
  }

  /** Whether the address may be given out. */
  has(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.parse(address);
    if ((parsed.kind() === "ipv4") !== (this.family === "IPv4")) return false;
    const offset = toNumber(parsed) - this.#base;
    return offset >= 1n && offset <= this.size;
  }

  /** The n-th address, from 1. */
  at(offset: bigint): string {
    return toText(this.#base + offset, this.family);
  }

  /** Every address once: the upper band from a random place on, then the lower one from a random place on. */
  *candidates(random: () => number = Math.random): Generator<string> {
    yield* this.#scan(this.#band + 1n, this.size, random);
    yield* this.#scan(1n, this.#band, random);
  }

  *#scan(from: bigint, to: bigint, random: () => number): Generator<string> {
    const count = to - from + 1n;
    if (count <= 0n) return;
    // Ranges of IPv6 may have more addresses than a double tells apart: where the scan starts is still random enough.
    const start = BigInt(Math.floor(random() * Number(count))) % count;
    for (let i = 0n; i < count; i++) yield this.at(from + (start + i) % count);
  }
}

function toNumber(address: ipaddr.IPv4 | ipaddr.IPv6): bigint {
  return address.toByteArray().reduce((n, byte) => (n << 8n) | BigInt(byte), 0n);
}

function toText(value: bigint, family: IPFamily): string {
  const bytes: number[] = [];
  for (let i = family === "IPv4" ? 4 : 16; i > 0; i--) {
    bytes.unshift(Number(value & 0xffn));
    value >>= 8n;
  }
  return ipaddr.fromByteArray(bytes).toString();
}

export function familyOf(address: string): IPFamily {
  return address.includes(":") ? "IPv6" : "IPv4";
}
