// Rules of IP addresses and CIDRs, with the strictness and the canonical text of Go's net and netip.
import ipaddr from "ipaddr.js";
import type { Field } from "./field.ts";
import { goQuote } from "../go_text.ts";

const BAD_IP = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const BAD_CIDR = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

export interface Address {
  family: 4 | 6;
  /** Canonical text (RFC 5952); an address of IPv4 mapped into IPv6 shows as IPv4. */
  text: string;
  bytes: number[];
  mapped: boolean;
  /** Numbers with zeros in front, which are octal to some software. */
  leadingZeros: boolean;
}

export interface Network {
  family: 4 | 6;
  address: Address;
  prefix: number;
  /** Canonical text of the network: bits beyond the prefix are zero. */
  text: string;
  /** The prefix length has zeros in front. */
  leadingZeros: boolean;
  /** Bits beyond the prefix are set. */
  hostBits: boolean;
}

function parseIPv4(text: string): { bytes: number[]; leadingZeros: boolean } | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((p) => /^\d+$/.test(p) && Number(p) <= 255)) return undefined;
  return { bytes: parts.map(Number), leadingZeros: parts.some((p) => p.length > 1 && p[0] === "0") };
}

function parseIPv6(text: string): Address | undefined {
  // The library takes zones and numbers of other bases in the dotted end; those have no place here.
  if (!/^[0-9a-fA-F:]*:[0-9a-fA-F:.]*$/.test(text)) return undefined;
  const dotted = text.slice(text.lastIndexOf(":") + 1);
  const end = dotted.includes(".") ? parseIPv4(dotted) : undefined;
  if (dotted.includes(".") && !end) return undefined;
  const plain = end ? text.slice(0, -dotted.length) + hexPair(end.bytes) : text;
  if (!ipaddr.IPv6.isValid(plain)) return undefined;
  const address = ipaddr.IPv6.parse(plain);
  const mapped = address.isIPv4MappedAddress();
  const leadingZeros = (end?.leadingZeros ?? false) || plain.split(":").some((part) => part.length > 4);
  const shown = mapped ? address.toIPv4Address().toString() : address.toRFC5952String();
  return { family: mapped ? 4 : 6, text: shown, bytes: address.toByteArray(), mapped, leadingZeros };
}

function hexPair([a, b, c, d]: number[]): string {
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

/** An address in any form that was ever taken: zeros in front of IPv4's numbers are ignored. Undefined for anything else. */
export function parseIP(text: string): Address | undefined {
  if (text.includes(":")) return parseIPv6(text);
  const parsed = parseIPv4(text);
  if (!parsed) return undefined;
  const { bytes, leadingZeros } = parsed;
  return { family: 4, text: bytes.join("."), bytes, mapped: false, leadingZeros };
}

/** A network or an address with its prefix length, in any form that was ever taken. */
export function parseCIDR(text: string): Network | undefined {
  const slash = text.indexOf("/");
  if (slash < 0) return undefined;
  const address = parseIP(text.slice(0, slash)), length = text.slice(slash + 1);
  if (!address || !/^\d+$/.test(length)) return undefined;
  const bits = text.slice(0, slash).includes(":") ? 128 : 32;
  const prefix = Number(length);
  if (prefix > bits) return undefined;
  const masked = maskedBytes(address.bytes, prefix);
  const hostBits = masked.some((byte, i) => byte !== address.bytes[i]);
  const shown = parseIP(ipaddr.fromByteArray(masked).toString())!.text;
  return {
    family: address.family,
    address,
    prefix,
    text: `${shown}/${address.mapped && prefix >= 96 ? prefix - 96 : prefix}`,
    leadingZeros: length.length > 1 && length[0] === "0",
    hostBits,
  };
}

function maskedBytes(bytes: readonly number[], prefix: number): number[] {
  return bytes.map((byte, i) => byte & (0xff << Math.max(0, Math.min(8, 8 * (i + 1) - prefix))));
}

function strictIP(value: string, at: Field): Address | undefined {
  const address = parseIP(value);
  if (!address) at.invalid(value, BAD_IP);
  else if (address.leadingZeros) at.invalid(value, "must not have leading 0s");
  else if (address.mapped) at.invalid(value, "must not be an IPv4-mapped IPv6 address");
  else return address;
}

/** A field that must be canonical: no zeros in front, IPv6 as RFC 5952 has it. */
export function validateIP(value: string, at: Field): void {
  const address = strictIP(value, at);
  if (address && address.text !== value) at.invalid(value, `must be in canonical form (${goQuote(address.text)})`);
}

/** A field that predates strict rules; `old` are values of the stored object, which stay good whatever they are. */
export function validateLegacyIP(value: string, at: Field, options: { old?: readonly string[] } = {}): void {
  if (!options.old?.includes(value)) strictIP(value, at);
}

function strictCIDR(value: string, at: Field): Network | undefined {
  const network = parseCIDR(value);
  if (!network) at.invalid(value, BAD_CIDR);
  else if (network.address.leadingZeros || network.leadingZeros) {
    at.invalid(value, "must not have leading 0s in IP or prefix length");
  } else if (network.address.mapped) at.invalid(value, "must not have an IPv4-mapped IPv6 address");
  else if (network.hostBits) at.invalid(value, "must not have bits set beyond the prefix length");
  else return network;
}

export function validateCIDR(value: string, at: Field): void {
  const network = strictCIDR(value, at);
  if (network && network.text !== value) at.invalid(value, `must be in canonical form (${goQuote(network.text)})`);
}

export function validateLegacyCIDR(value: string, at: Field, options: { old?: readonly string[] } = {}): void {
  if (!options.old?.includes(value)) strictCIDR(value, at);
}

/** An address with the prefix length of its network, `192.168.1.5/24`, in canonical form. */
export function validateInterfaceAddress(value: string, at: Field): void {
  const network = parseCIDR(value);
  if (!network) return at.invalid(value, "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)");
  const prefix = network.address.mapped && network.prefix > 32 ? network.prefix - 96 : network.prefix;
  const canonical = `${network.address.text}/${prefix}`;
  if (value !== canonical) at.invalid(value, `must be in canonical form (${goQuote(canonical)})`);
}

/** Warnings about an address in a form that is not the usual one; `at` is the text of its path. */
export function warningsForIP(value: string, at: string): string[] {
  const address = parseIP(value);
  if (!address) return [];
  if (address.leadingZeros || address.mapped) {
    return [`${at}: non-standard IP address ${goQuote(value)} is invalid: use ${goQuote(address.text)}`];
  }
  if (address.family === 6 && address.text !== value) {
    return [
      `${at}: IPv6 address ${goQuote(value)} should be in RFC 5952 canonical format (${goQuote(address.text)})`,
    ];
  }
  return [];
}

/** Warnings about a CIDR in a form that is not the usual one; `at` is the text of its path. */
export function warningsForCIDR(value: string, at: string): string[] {
  const network = parseCIDR(value);
  if (!network) return [];
  const warnings: string[] = [];
  const shown = goQuote(network.text);
  if (network.hostBits) {
    const single = goQuote(`${network.address.text}/${network.address.mapped || network.family === 6 ? 128 : 32}`);
    warnings.push(
      `${at}: CIDR value ${goQuote(value)} is ambiguous in this context (should be ${shown} or ${single}?)`,
    );
  }
  if (network.address.leadingZeros || network.leadingZeros || network.address.mapped) {
    warnings.push(`${at}: non-standard CIDR value ${goQuote(value)} is invalid: use ${shown}`);
  }
  if (warnings.length === 0 && network.family === 6 && network.text !== value) {
    warnings.push(`${at}: IPv6 CIDR value ${goQuote(value)} should be in RFC 5952 canonical format (${shown})`);
  }
  return warnings;
}
