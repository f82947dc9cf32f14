// The formats that a schema may name. Names are compared without their dashes; unknown formats are ignored.
import { parseRequestUri } from "../go_url.ts";
import { parseDuration } from "../duration.ts";
import { isDNS1123Label, isDNS1123Subdomain, parseCIDR, parseIP } from "../validation/mod.ts";

type Test = (text: string) => boolean;

const UUID = (version = "[0-9a-f]", variant = "[0-9a-f]") => {
  const pattern = `^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`;
  return matching(new RegExp(pattern, "i"));
};

function matching(pattern: RegExp): Test {
  return (text) => pattern.test(text);
}

const COLOR_PART = "\\s*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*";

const FORMATS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ["bsonobjectid", matching(/^[0-9a-fA-F]{24}$/)],
  ["uri", isRequestUri],
  ["email", isEmail],
  ["hostname", isHostname],
  ["ipv4", (text) => text.includes(".") && parseIP(text) !== undefined],
  ["ipv6", (text) => text.includes(":") && parseIP(text) !== undefined],
  ["cidr", (text) => parseCIDR(text) !== undefined],
  ["mac", isMac],
  ["uuid", UUID()],
  ["uuid3", UUID("3")],
  ["uuid4", UUID("4", "[89ab]")],
  ["uuid5", UUID("5", "[89ab]")],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", matching(/^\d{3}[- ]\d{2}[- ]\d{4}$/)],
  ["hexcolor", matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ["rgbcolor", matching(new RegExp(`^rgb\\(${COLOR_PART},${COLOR_PART},${COLOR_PART}\\)$`))],
  ["byte", isBase64],
  ["password", () => true],
  ["date", isDate],
  ["duration", isDuration],
  ["datetime", isDateTime],
  ["k8sshortname", (text) => isDNS1123Label(text).length === 0],
  ["k8slongname", (text) => isDNS1123Subdomain(text).length === 0],
]);

const NUMBER_FORMATS: Readonly<Record<string, readonly string[]>> = {
  integer: ["int32", "int64"],
  number: ["float", "double"],
};

function normalized(format: string): string {
  return format.replaceAll("-", "");
}

/** Whether a format means something for a type; `type` is "" where there is none or more than one. */
export function formatIsKnown(type: string, format: string): boolean {
  if (type === "" || type === "string") return FORMATS.has(normalized(format));
  return NUMBER_FORMATS[type]?.includes(format) ?? false;
}

/** The test of a format of texts; undefined when there is none. */
export function isOfFormat(format: string): Test | undefined {
  return FORMATS.get(normalized(format));
}

/** An absolute URI or path, as the request line of HTTP takes it. */
function isRequestUri(text: string): boolean {
  try {
    return parseRequestUri(text) !== undefined;
  } catch {
    return false;
  }
}

const ATOM = "[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~\\u0080-\\u{10ffff}]+";
const DOT_ATOM = `${ATOM}(?:\\.${ATOM})*`;
const QUOTED = '"(?:[^"\\\\\\r\\n]|\\\\[^\\r\\n])*"';
const ADDRESS = `(?:${DOT_ATOM}|${QUOTED})@(?:${DOT_ATOM}|\\[[^\\[\\]\\\\]*\\])`;
const PHRASE = new RegExp(`^(?:(?:${ATOM}|\\.|${QUOTED})\\s*)*$`, "u");
const ADDRESS_ALONE = new RegExp(`^${ADDRESS}$`, "u");

/** An address, alone or in angle brackets behind a name (RFC 5322). */
function isEmail(text: string): boolean {
  const trimmed = text.trim();
  if (ADDRESS_ALONE.test(trimmed)) return true;
  const open = trimmed.lastIndexOf("<");
  if (open < 0 || !trimmed.endsWith(">")) return false;
  const name = trimmed.slice(0, open);
  return name.length <= 1000 && ADDRESS_ALONE.test(trimmed.slice(open + 1, -1).trim()) && PHRASE.test(name);
}

const HOSTNAME =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

function isHostname(text: string): boolean {
  const encoder = new TextEncoder();
  if (text.length > 255 || encoder.encode(text).length > 255) return false;
  return text.split(".").every((label) => encoder.encode(label).length <= 63) && HOSTNAME.test(text);
}

/** 6, 8 or 20 bytes in groups of one byte, or of two with dots between them. */
function isMac(text: string): boolean {
  const groups = /^[0-9a-fA-F]{2}(?:([:-])[0-9a-fA-F]{2})(?:\1[0-9a-fA-F]{2})*$/.test(text)
    ? (text.length + 1) / 3
    : /^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4})+$/.test(text)
    ? (text.length + 1) / 5 * 2
    : 0;
  return groups === 6 || groups === 8 || groups === 20;
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, "");
  if (!/^[0-9]{9}[0-9X]$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (i + 1) * (digits[i] === "X" ? 10 : Number(digits[i]));
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, "");
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (i % 2 === 0 ? 1 : 3) * Number(digits[i]);
  return Number(digits[12]) === (10 - sum % 10) % 10;
}

const CREDIT_CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, "");
  if (!CREDIT_CARD.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]), doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number);
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month >= 1 && month <= 12 && day >= 1 &&
    day <= [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
}

function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split("t");
  const parts = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/.exec(time ?? "");
  return parts !== null && isDate(date) && parts[1] <= "23" && parts[2] <= "59" && parts[3] <= "59";
}

const UNITS = /^(ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$/;

/** As Go writes durations, or in words: `3 days`. */
function isDuration(text: string): boolean {
  if (parseDuration(text) !== undefined) return true;
  let known = false;
  for (const [, factor, unit] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    if (BigInt(factor) >= 2n ** 63n) return false;
    known ||= UNITS.test(unit.toLowerCase());
  }
  return known;
}
