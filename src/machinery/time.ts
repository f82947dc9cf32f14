// Times of the API: RFC 3339 in UTC, in whole seconds or (MicroTime) with six digits of fraction.

/** Text that is no time; the message is the API's. */
export class TimeError extends Error {}

const SECONDS = "2006-01-02T15:04:05Z07:00";
const MICRO = "2006-01-02T15:04:05.000000Z07:00";

/** When nobody set a time it is this one, which is written as null. */
const ZERO = Date.parse("0001-01-01T00:00:00Z");

/** `2026-01-02T03:04:05Z`; null for the zero time. Throws TimeError. */
export function canonicalTime(text: string): string | null {
  // What the API writes itself needs no work.
  if (isCanonical(text)) return text;
  const { ms } = parse(text, SECONDS);
  return ms === ZERO ? null : formatTime(ms);
}

/** `2026-01-02T03:04:05.000006Z`; null for the zero time. A fraction of six digits must be given. Throws TimeError. */
export function canonicalMicroTime(text: string): string | null {
  const { ms, fraction } = parse(text, MICRO);
  if (ms === ZERO && fraction === "000000") return null;
  return `${formatTime(ms).slice(0, -1)}.${fraction}Z`;
}

/** Milliseconds since 1970, fractions of a second cut off; undefined when the text is no RFC 3339 time. */
export function parseTime(text: string): number | undefined {
  try {
    return parse(text, SECONDS).ms;
  } catch (e) {
    if (e instanceof TimeError) return undefined;
    throw e;
  }
}

/** A time in whole seconds. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19) + "Z";
}

let second = NaN, textOfSecond = "";

/** Now, in whole seconds. */
export function now(): string {
  const current = Math.floor(Date.now() / 1000);
  if (current !== second) {
    second = current;
    textOfSecond = formatTime(current * 1000);
  }
  return textOfSecond;
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return DAYS[month - 1] + (leap ? 1 : 0);
}

/** Whether the text is exactly as the API writes times of our era. */
function isCanonical(text: string): boolean {
  if (text.length !== 20 || !/^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return false;
  const number = (at: number) => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
  const month = number(5), day = number(8);
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(number(0) * 100 + number(2), month) &&
    number(11) < 24 && number(14) < 60 && number(17) < 60;
}

/** One element of a layout: what it looks like, how it is named when it is out of range, its largest value. */
interface Element {
  layout: string;
  syntax: RegExp;
  /** Its smallest and largest value; others are told as `NAME out of range`. */
  range?: readonly [name: string, min: number, max: number];
}

const DATE_AND_TIME: readonly Element[] = [
  { layout: "2006", syntax: /^\d{4}/ },
  { layout: "-", syntax: /^-/ },
  { layout: "01", syntax: /^\d\d/, range: ["month", 1, 12] },
  { layout: "-", syntax: /^-/ },
  { layout: "02", syntax: /^\d\d/ },
  { layout: "T", syntax: /^T/ },
  { layout: "15", syntax: /^\d\d?/, range: ["hour", 0, 23] },
  { layout: ":", syntax: /^:/ },
  { layout: "04", syntax: /^\d\d/, range: ["minute", 0, 59] },
  { layout: ":", syntax: /^:/ },
  { layout: "05", syntax: /^\d\d/, range: ["second", 0, 59] },
];

/** Throws TimeError in Go's words. */
function parse(text: string, layout: string): { ms: number; fraction: string } {
  let rest = text;
  const fail = (element: string): never => {
    throw new TimeError(
      `parsing time ${quote(text)} as ${quote(layout)}: cannot parse ${quote(rest)} as ${quote(element)}`,
    );
  };
  const outOfRange = (name: string): never => {
    throw new TimeError(`parsing time ${quote(text)}: ${name} out of range`);
  };
  const numbers: number[] = [];
  for (const { layout: element, syntax, range } of DATE_AND_TIME) {
    const found = syntax.exec(rest)?.[0] ?? fail(element);
    const value = Number(found);
    if (range !== undefined && (value < range[1] || value > range[2])) outOfRange(range[0]);
    if (element.length > 1) numbers.push(value);
    rest = rest.slice(found.length);
  }
  let fraction = "";
  if (layout === MICRO) {
    fraction = /^[.,](\d{6})/.exec(rest)?.[1] ?? fail(".000000");
    rest = rest.slice(7);
  } else {
    rest = rest.replace(/^[.,]\d+/, "");
  }
  const zone = /^(?:Z|([+-])(\d\d):(\d\d))/.exec(rest) ?? fail("Z07:00");
  const [hours, minutes] = [Number(zone[2] ?? 0), Number(zone[3] ?? 0)];
  if (minutes > 60) outOfRange("time zone offset minute");
  if (hours > 24) outOfRange("time zone offset hour");
  rest = rest.slice(zone[0].length);
  if (rest !== "") throw new TimeError(`parsing time ${quote(text)}: extra text: ${quote(rest)}`);
  const [year, month, day, hour, minute, second] = numbers;
  if (day < 1 || day > daysIn(year, month)) outOfRange("day");
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const offset = (hours * 60 + minutes) * 60_000;
  return { ms: date.getTime() - (zone[1] === "-" ? -offset : offset), fraction };
}

/** As Go's package time quotes: plain ASCII as it is, every other byte as `\xNN`. */
function quote(text: string): string {
  return `"${
    text.replace(/["\\]/g, "\\$&").replace(
      /[^ -~]/gu,
      (c) => Array.from(new TextEncoder().encode(c), (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join(""),
    )
  }"`;
}
