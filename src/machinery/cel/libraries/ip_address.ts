// IP addresses and networks as the `ip` and `cidr` functions read them, with what they say about other text.
import { goQuote } from "../../go_text.ts";
import { parseIP } from "../../validation/net.ts";
import { EvalError } from "../values/errors.ts";

export interface Address {
  readonly bytes: readonly number[];
  /** Canonical (RFC 5952). */
  readonly text: string;
}

function addressError(text: string, message: string, rest?: string): EvalError {
  return new EvalError(`ParseAddr(${goQuote(text)}): ${message}${rest === undefined ? "" : ` (at ${goQuote(rest)})`}`);
}

/** What is wrong with dotted numbers; undefined when nothing is. `within` is the text that is quoted. */
function dottedError(dotted: string, within: string): EvalError | undefined {
  let numbers = 0, digits = "";
  for (let i = 0; i < dotted.length; i++) {
    const c = dotted[i];
    if (/\d/.test(c)) {
      if (digits === "0") return addressError(within, "IPv4 field has octet with leading zero");
      digits += c;
      if (Number(digits) > 255) return addressError(within, "IPv4 field has value >255");
    } else if (c === ".") {
      if (i === 0 || i === dotted.length - 1 || dotted[i - 1] === ".") {
        return addressError(within, "IPv4 field must have at least one digit", dotted.slice(i));
      }
      if (numbers === 3) return addressError(within, "IPv4 address too long");
      numbers++;
      digits = "";
    } else {
      return addressError(within, "unexpected character", dotted.slice(i));
    }
  }
  return numbers < 3 ? addressError(within, "IPv4 address too short") : undefined;
}

/** What is wrong with an IPv6 address; undefined when nothing is. */
function colonError(text: string): EvalError | undefined {
  let rest = text.startsWith("::") ? text.slice(2) : text;
  let ellipsis = rest !== text, groups = 0;
  if (rest === "" && ellipsis) return undefined;
  while (groups < 8) {
    const group = /^[0-9a-fA-F]*/.exec(rest)![0];
    if (group.length > 4) return addressError(text, "each group must have 4 or less digits", rest);
    if (group === "") return addressError(text, "each colon-separated field must have at least one digit", rest);
    if (rest[group.length] === ".") {
      if (!ellipsis && groups !== 6) {
        return addressError(text, "embedded IPv4 address must replace the final 2 fields of the address", rest);
      }
      if (groups > 6) {
        return addressError(text, "too many hex fields to fit an embedded IPv4 at the end of the address", rest);
      }
      const wrong = dottedError(rest, text);
      if (wrong !== undefined) return wrong;
      rest = "";
      groups += 2;
      break;
    }
    groups++;
    rest = rest.slice(group.length);
    if (rest === "") break;
    if (rest[0] !== ":") return addressError(text, "unexpected character, want colon", rest);
    if (rest.length === 1) return addressError(text, "colon must be followed by more characters", rest);
    rest = rest.slice(1);
    if (rest[0] === ":") {
      if (ellipsis) return addressError(text, "multiple :: in address", rest);
      ellipsis = true;
      rest = rest.slice(1);
      if (rest === "") break;
    }
  }
  if (rest !== "") return addressError(text, "trailing garbage after address", rest);
  if (groups < 8 && !ellipsis) return addressError(text, "address string too short");
  if (groups === 8 && ellipsis) return addressError(text, "the :: must expand to at least one field of zeros");
  return undefined;
}

function parseError(text: string): EvalError | undefined {
  switch (/[.:%]/.exec(text)?.[0]) {
    case ".":
      return dottedError(text, text);
    case ":": {
      const percent = text.indexOf("%");
      if (percent === text.length - 1) return addressError(text, "zone must be a non-empty string");
      return colonError(percent < 0 ? text : text.slice(0, percent));
    }
    case "%":
      return addressError(text, "missing IPv6 address");
    default:
      return addressError(text, "unable to parse IP");
  }
}

/** Throws EvalError for what is no address, has a zone or is an IPv4 address within IPv6. */
export function parseAddress(text: string): Address {
  const wrong = parseError(text);
  if (wrong !== undefined) {
    throw new EvalError(`IP Address ${goQuote(text)} parse error during conversion from string: ${wrong.message}`);
  }
  if (text.includes("%")) throw new EvalError(`IP address ${goQuote(text)} with zone value is not allowed`);
  const address = parseIP(text);
  if (address === undefined) throw new EvalError(`IP Address ${goQuote(text)} cannot be read`);
  if (address.mapped) throw new EvalError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return address;
}

/** Throws EvalError for what is no network. */
export function parsePrefix(text: string): { address: Address; bits: number } {
  const fail = (message: string) =>
    new EvalError(
      `network address parse error during conversion from string: netip.ParsePrefix(${goQuote(text)}): ${message}`,
    );
  const slash = text.lastIndexOf("/");
  if (slash < 0) throw fail("no '/'");
  const host = text.slice(0, slash), length = text.slice(slash + 1);
  const wrong = parseError(host);
  if (wrong !== undefined) throw fail(wrong.message);
  if (host.includes("%")) throw fail("IPv6 zones cannot be present in a prefix");
  if (!/^(0|[1-9]\d*)$/.test(length)) throw fail(`bad bits after slash: ${goQuote(length)}`);
  const address = parseIP(host);
  if (address === undefined) throw fail("unable to parse IP");
  if (Number(length) > (host.includes(":") ? 128 : 32)) throw fail("prefix length out of range");
  if (address.mapped) throw new EvalError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  return { address, bits: Number(length) };
}
