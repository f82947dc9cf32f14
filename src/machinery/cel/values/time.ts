// Points in time and spans of time in nanoseconds (RFC 3339; Go's duration text), within the language's range.
import { EvalError } from "./errors.ts";

const NANOS = 1_000_000_000n;
const MAX_DURATION = 2n ** 63n - 1n;
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z in seconds. */
const MIN_SECONDS = -62_135_596_800n;
const MAX_SECONDS = 253_402_300_799n;

/** A span of time. */
export class Duration {
  constructor(readonly nanos: bigint) {}
}

/** A point in time, in nanoseconds since 1970. */
export class Timestamp {
  constructor(readonly nanos: bigint) {}
}

/** Throws EvalError when a span does not fit 64 bits of nanoseconds. */
export function durationOf(nanos: bigint): Duration {
  if (nanos > MAX_DURATION || nanos < -MAX_DURATION - 1n) throw new EvalError("integer overflow");
  return new Duration(nanos);
}

/** Throws EvalError when a time is not between the years 1 and 9999. */
export function timestampOf(nanos: bigint): Timestamp {
  const seconds = floorDivide(nanos, NANOS);
  if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) throw new EvalError("timestamp overflow");
  return new Timestamp(nanos);
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

const UNITS: Record<string, bigint> = {
  ns: 1n,
  us: 1_000n,
  "µs": 1_000n,
  "μs": 1_000n,
  ms: 1_000_000n,
  s: NANOS,
  m: 60n * NANOS,
  h: 3600n * NANOS,
};

/** Go's duration text, `1h30m`; undefined when it is none. */
export function parseGoDuration(text: string): Duration | undefined {
  const match = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/.exec(text);
  if (match === null) return undefined;
  let total = 0n;
  for (const [, number, unit] of match[2].matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const [whole, fraction = ""] = number.split(".");
    const size = UNITS[unit];
    total += BigInt(whole || "0") * size;
    if (fraction !== "") total += BigInt(fraction) * size / 10n ** BigInt(fraction.length);
  }
  if (match[1] === "-") total = -total;
  return total > MAX_DURATION || total < -MAX_DURATION - 1n ? undefined : new Duration(total);
}

/** `3600s`, `1.5s`: a duration as the language writes it. */
export function formatSeconds(duration: Duration): string {
  return `${decimalSeconds(duration.nanos)}s`;
}

function decimalSeconds(nanos: bigint): string {
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = (size % NANOS).toString().padStart(9, "0").replace(/0+$/, "");
  return `${nanos < 0n ? "-" : ""}${size / NANOS}${fraction === "" ? "" : `.${fraction}`}`;
}

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[T](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|([+-])(\d\d):(\d\d))$/;

/** An RFC 3339 time; undefined when the text is none. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  if (hour > 23 || minute > 59 || second > 59 || !isDate(year, month, day)) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  let seconds = BigInt(date.getTime() / 1000);
  if (match[9] !== undefined) {
    const offset = BigInt(Number(match[10]) * 3600 + Number(match[11]) * 60);
    seconds -= match[9] === "-" ? -offset : offset;
  }
  return new Timestamp(seconds * NANOS + BigInt((match[7] ?? "").slice(0, 9).padEnd(9, "0")));
}

/** `2024-01-31`; undefined when the text is no date. */
export function parseDate(text: string): Timestamp | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? parseTimestamp(`${text}T00:00:00Z`) : undefined;
}

function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0);
  return day <= last.getUTCDate();
}

/** RFC 3339 in UTC, with as many digits of fraction as are needed. */
export function formatTimestamp(time: Timestamp): string {
  const seconds = floorDivide(time.nanos, NANOS);
  const fraction = (time.nanos - seconds * NANOS).toString().padStart(9, "0").replace(/0+$/, "");
  const text = new Date(Number(seconds) * 1000).toISOString().replace(/\.000Z$/, "");
  return `${text}${fraction === "" ? "" : `.${fraction}`}Z`;
}

/** The parts of a time in a time zone. */
export interface CalendarTime {
  year: number;
  /** From 0 on. */
  month: number;
  /** From 1 on. */
  day: number;
  /** Sunday is 0. */
  weekDay: number;
  /** From 0 on. */
  yearDay: number;
  hours: number;
  minutes: number;
  seconds: number;
  milliseconds: number;
}

/** The calendar's view of a time; `zone` is `+02:00` or a name of the IANA database, UTC without. Throws EvalError. */
export function calendarTime(time: Timestamp, zone?: string): CalendarTime {
  const seconds = floorDivide(time.nanos, NANOS);
  const milliseconds = Number((time.nanos - seconds * NANOS) / 1_000_000n);
  const local = new Date((Number(seconds) + (zone === undefined ? 0 : zoneOffset(zone, Number(seconds)))) * 1000);
  const yearStart = new Date(local.getTime());
  yearStart.setUTCMonth(0, 1);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth(),
    day: local.getUTCDate(),
    weekDay: local.getUTCDay(),
    yearDay: Math.round((local.getTime() - yearStart.getTime()) / 86_400_000),
    hours: local.getUTCHours(),
    minutes: local.getUTCMinutes(),
    seconds: local.getUTCSeconds(),
    milliseconds,
  };
}

/** Seconds east of UTC. */
function zoneOffset(zone: string, seconds: number): number {
  const colon = zone.indexOf(":");
  if (colon === -1) return namedZoneOffset(zone, seconds);
  const hours = readNumber(zone.slice(0, colon)), minutes = readNumber(zone.slice(colon + 1));
  return zone.startsWith("-") ? hours * 3600 - minutes * 60 : hours * 3600 + minutes * 60;
}

function readNumber(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new EvalError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

function namedZoneOffset(zone: string, seconds: number): number {
  if (zone === "" || zone === "UTC") return 0;
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    const parts: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(seconds * 1000)) parts[type] = Number(value);
    const local = Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second);
    return local / 1000 - seconds;
  } catch {
    throw new EvalError(`unknown time zone ${zone}`);
  }
}
