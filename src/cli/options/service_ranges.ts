// The ranges of service addresses: their syntax, their size, their first address.
import { isIP } from "node:net";
import { problem } from "./problems.ts";

const FLAG = "service-cluster-ip-range";
/** Fewer addresses are of no use. */
const SMALLEST = 8n;

interface Range {
  family: 4 | 6;
  /** The network's address. */
  base: bigint;
  /** How many addresses. */
  size: bigint;
}

/** undefined when the text is no CIDR. */
function parseRange(cidr: string): Range | undefined {
  const [address, length, ...rest] = cidr.split("/");
  const family = isIP(address ?? "") as 0 | 4 | 6;
  // An address of one interface is none of a network.
  if (family === 0 || address.includes("%") || rest.length > 0 || !/^\d{1,3}$/.test(length ?? "")) return undefined;
  const bits = family === 4 ? 32 : 128;
  if (Number(length) > bits) return undefined;
  const size = 1n << BigInt(bits - Number(length));
  const value = family === 4 ? ipv4Value(address) : ipv6Value(address);
  return { family, base: value / size * size, size };
}

function ipv4Value(address: string): bigint {
  return address.split(".").reduce((value, part) => value * 256n + BigInt(Number(part)), 0n);
}

function ipv6Value(address: string): bigint {
  const plain = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a, b, c, d) => `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`,
  );
  const [head, tail] = plain.split("::").map((side) => side === "" ? [] : side.split(":"));
  const groups = tail === undefined ? head : [...head, ...Array(8 - head.length - tail.length).fill("0"), ...tail];
  return groups.reduce((value, group) => value * 65536n + BigInt(`0x${group}`), 0n);
}

function formatAddress({ family }: Range, value: bigint): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".");
  const groups = Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 65535n).toString(16));
  return new URL(`http://[${groups.join(":")}]/`).hostname.slice(1, -1); // RFC 5952
}

export function validateServiceRanges(text: string): string[] {
  const cidrs = text.split(",").map((cidr) => cidr.trim());
  if (cidrs.length > 2) return [problem(FLAG, text, "must not contain more than two entries")];
  const ranges = cidrs.map(parseRange);
  const problems = cidrs.flatMap((cidr, i) => {
    const range = ranges[i];
    if (range === undefined) return [problem(FLAG, cidr, "is not a valid CIDR")];
    if (range.size < SMALLEST) return [problem(FLAG, cidr, `must hold at least ${SMALLEST} IP addresses`)];
    return [];
  });
  if (ranges.length === 2 && ranges[0] && ranges[0].family === ranges[1]?.family) {
    problems.push(problem(FLAG, text, "both ranges are of the same IP family"));
  }
  return problems;
}

/** The address of the service `kubernetes`. The range has to be valid. */
export function firstServiceAddress(cidr: string): string {
  const range = parseRange(cidr)!;
  return formatAddress(range, range.base + 1n);
}

/** 4 or 6. The range has to be valid. */
export function familyOfRange(cidr: string): 4 | 6 {
  return parseRange(cidr)!.family;
}
