// IP addresses and networks.
import ipaddr from "ipaddr.js";
import { type Range, range, scale } from "../cost/range.ts";
import { TRAVERSAL } from "../cost/factors.ts";
import { sizeOf } from "../cost/estimate.ts";
import { declare, type Library, type Overload } from "../environment.ts";
import { BOOL, type CelType, INT, opaqueOf, STRING } from "../types.ts";
import { EvalError, noSuchOverload } from "../values/errors.ts";
import { costSize } from "../values/operations.ts";
import { OpaqueValue, type Value } from "../values/value.ts";
import { form, method, NOMINAL, text, traverses } from "./define.ts";
import { type Address, parseAddress, parsePrefix } from "./ip_address.ts";

const IP = opaqueOf("net.IP"), CIDR = opaqueOf("net.CIDR");

class IpValue extends OpaqueValue {
  readonly type: CelType = IP;

  constructor(readonly address: Address) {
    super();
  }

  override get size(): number {
    return this.address.bytes.length;
  }

  equals(other: Value): boolean {
    if (!(other instanceof IpValue)) throw noSuchOverload();
    return other.address.text === this.address.text;
  }
}

class CidrValue extends OpaqueValue {
  readonly type: CelType = CIDR;

  constructor(readonly address: Address, readonly bits: number) {
    super();
  }

  override get size(): number {
    return Math.ceil(this.bits / 8);
  }

  equals(other: Value): boolean {
    if (!(other instanceof CidrValue)) throw noSuchOverload();
    return other.address.text === this.address.text && other.bits === this.bits;
  }

  /** Whether an address begins with the first bits of this one. */
  contains({ bytes }: Address): boolean {
    const own = this.address.bytes;
    if (bytes.length !== own.length) return false;
    return own.every((byte, i) => {
      const mask = 0xff << Math.max(0, Math.min(8, 8 * (i + 1) - this.bits)) & 0xff;
      return (byte & mask) === (bytes[i] & mask);
    });
  }
}

function ip(value: Value): Address {
  if (!(value instanceof IpValue)) throw noSuchOverload();
  return value.address;
}

function cidr(value: Value): CidrValue {
  if (!(value instanceof CidrValue)) throw noSuchOverload();
  return value;
}

function isValid(parse: (text: string) => unknown): (value: Value) => boolean {
  return (value) => {
    try {
      parse(text(value));
      return true;
    } catch (e) {
      if (e instanceof EvalError) return false;
      throw e;
    }
  };
}

function parseCidr(value: string): CidrValue {
  const { address, bits } = parsePrefix(value);
  return new CidrValue(address, bits);
}

function toCidr(value: Value): CidrValue {
  try {
    return parseCidr(text(value));
  } catch (e) {
    if (!(e instanceof EvalError)) throw e;
    throw new EvalError(`network address parse error during conversion from string: ${e.message}`);
  }
}

function masked(value: Value): Value {
  const { address, bits } = cidr(value);
  const bytes = address.bytes.map((byte, i) => byte & (0xff << Math.max(0, Math.min(8, 8 * (i + 1) - bits))) & 0xff);
  return new CidrValue(parseAddress(ipaddr.fromByteArray(bytes).toString()), bits);
}

/** Text that is no address is like a value of another type here, as with the real server. */
function containsText(network: Value, other: Value): Value {
  try {
    return cidr(network).contains(parseAddress(text(other)));
  } catch (e) {
    throw e instanceof EvalError ? noSuchOverload() : e;
  }
}

function containsCidr(outer: CidrValue, inner: CidrValue): boolean {
  return outer.bits <= inner.bits && outer.contains(inner.address);
}

type AddressTest = (bytes: readonly number[], isV4: boolean) => boolean;

const isUnspecified: AddressTest = (bytes) => bytes.every((byte) => byte === 0);
const isLoopback: AddressTest = (bytes, isV4) =>
  isV4 ? bytes[0] === 127 : bytes.every((byte, i) => byte === (i === 15 ? 1 : 0));
const isLinkLocalMulticast: AddressTest = (bytes, isV4) =>
  isV4 ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0 : bytes[0] === 0xff && (bytes[1] & 0x0f) === 2;
const isLinkLocalUnicast: AddressTest = (bytes, isV4) =>
  isV4 ? bytes[0] === 169 && bytes[1] === 254 : bytes[0] === 0xfe && (bytes[1] & 0xc0) === 0x80;
const isMulticast: AddressTest = (bytes, isV4) => isV4 ? (bytes[0] & 0xf0) === 0xe0 : bytes[0] === 0xff;
const isGlobalUnicast: AddressTest = (bytes, isV4) =>
  !(isV4 && (isUnspecified(bytes, isV4) || bytes.every((byte) => byte === 255))) && !isUnspecified(bytes, isV4) &&
  !isLoopback(bytes, isV4) && !isMulticast(bytes, isV4) && !isLinkLocalUnicast(bytes, isV4);

function addressTest(name: string, id: string, test: AddressTest) {
  const call = (value: Value) => {
    const { bytes } = ip(value);
    return test(bytes, bytes.length === 4);
  };
  return declare(name, method(id, [IP], BOOL, call, NOMINAL));
}

/** Comparing two addresses of 4 or 16 bytes, going through text first where that is given. */
function containment(withText: boolean, extra: Range | undefined): Pick<Overload, "cost" | "estimate"> {
  const compared = scale(range(8, 32), TRAVERSAL);
  return {
    cost: ([network, other]) => {
      const size = costSize(network);
      let cost = Math.ceil(2 * size * TRAVERSAL);
      if (extra !== undefined) cost += Math.ceil(size * TRAVERSAL) + 1;
      return withText ? cost + Math.ceil(costSize(other) * TRAVERSAL) : cost;
    },
    estimate: (estimator, _target, args) => {
      const textCost = withText ? scale(sizeOf(estimator, args[0]), TRAVERSAL) : range(0);
      const base = extra ?? range(0);
      return {
        cost: range(compared.min + base.min + textCost.min, compared.max + base.max + textCost.max),
      };
    },
  };
}

/** Masking a network costs one more pass over its bytes, and one. */
const MASKING = range(Math.ceil(4 * TRAVERSAL) + 1, Math.ceil(16 * TRAVERSAL) + 1);

export const NET: Library = {
  types: [IP, CIDR],
  functions: [
    declare(
      "ip",
      form("string_to_ip", [STRING], IP, (value) => new IpValue(parseAddress(text(value))), traverses()),
      method("cidr_ip", [CIDR], IP, (value) => new IpValue(cidr(value).address), NOMINAL),
    ),
    declare("family", method("ip_family", [IP], INT, (value) => ip(value).bytes.length === 4 ? 4 : 6, NOMINAL)),
    declare(
      "ip.isCanonical",
      form("ip_is_canonical", [STRING], BOOL, (value) => parseAddress(text(value)).text === value, traverses(2)),
    ),
    addressTest("isUnspecified", "ip_is_unspecified", isUnspecified),
    addressTest("isLoopback", "ip_is_loopback", isLoopback),
    addressTest("isLinkLocalMulticast", "ip_is_link_local_multicast", isLinkLocalMulticast),
    addressTest("isLinkLocalUnicast", "ip_is_link_local_unicast", isLinkLocalUnicast),
    addressTest("isGlobalUnicast", "ip_is_global_unicast", isGlobalUnicast),
    declare("isIP", form("is_ip", [STRING], BOOL, isValid(parseAddress), traverses())),
    declare(
      "string",
      form("ip_to_string", [IP], STRING, (value) => ip(value).text),
      form("cidr_to_string", [CIDR], STRING, (value) => `${cidr(value).address.text}/${cidr(value).bits}`),
    ),
    declare("cidr", form("string_to_cidr", [STRING], CIDR, toCidr, traverses())),
    declare("isCIDR", form("is_cidr", [STRING], BOOL, isValid(parseCidr), traverses())),
    declare(
      "containsIP",
      method(
        "cidr_contains_ip_string",
        [CIDR, STRING],
        BOOL,
        containsText,
        containment(true, undefined),
      ),
      method(
        "cidr_contains_ip_ip",
        [CIDR, IP],
        BOOL,
        (network, other) => cidr(network).contains(ip(other)),
        containment(false, undefined),
      ),
    ),
    declare(
      "containsCIDR",
      method(
        "cidr_contains_cidr_string",
        [CIDR, STRING],
        BOOL,
        (network, other) => containsCidr(cidr(network), toCidr(other)),
        containment(true, MASKING),
      ),
      method(
        "cidr_contains_cidr",
        [CIDR, CIDR],
        BOOL,
        (network, other) => containsCidr(cidr(network), cidr(other)),
        containment(false, MASKING),
      ),
    ),
    declare("prefixLength", method("cidr_prefix_length", [CIDR], INT, (value) => cidr(value).bits, NOMINAL)),
    declare("masked", method("cidr_masked", [CIDR], CIDR, masked, NOMINAL)),
  ],
};
