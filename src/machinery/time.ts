// Times of the API: RFC 3339 in UTC, in whole seconds or (MicroTime) with six digits of fraction.

const SYNTAX = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})$/;

/** `2026-01-02T03:04:05Z`; undefined when the text is no RFC 3339 time. */
export function canonicalTime(text: string): string | undefined {
  // What the API writes itself needs no work.
  if (text.length === 20 && text.charCodeAt(19) === 90 && isDate(text)) return text;
  const ms = parseTime(text);
  return ms === undefined ? undefined : formatTime(ms);
}

/** `2026-01-02T03:04:05.000006Z`; a fraction must be given. */
export function canonicalMicroTime(text: string): string | undefined {
  const match = SYNTAX.exec(text);
  const ms = parseTime(text);
  if (ms === undefined || match?.[7] === undefined) return undefined;
  return formatTime(ms).slice(0, -1) + "." + match[7].padEnd(6, "0").slice(0, 6) + "Z";
}

/** Milliseconds since 1970, fractions of a second cut off. */
export function parseTime(text: string): number | undefined {
  const match = SYNTAX.exec(text);
  if (match === null || !isDate(text)) return undefined;
  const [, year, month, day, hour, minute, second, , zone] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  if (zone === "Z") return date.getTime();
  const [hours, minutes] = zone.slice(1).split(":").map(Number);
  if (hours > 23 || minutes > 59) return undefined;
  const offset = (hours * 60 + minutes) * 60_000;
  return date.getTime() - (zone[0] === "-" ? -offset : offset);
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether the first 19 characters are a date and time that exist. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/.test(text)) return false;
  const year = Number(text.slice(0, 4)), month = Number(text.slice(5, 7)), day = Number(text.slice(8, 10));
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = month === 2 && (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0));
  if (day > DAYS[month - 1] + (leap ? 1 : 0)) return false;
  return Number(text.slice(11, 13)) < 24 && Number(text.slice(14, 16)) < 60 && Number(text.slice(17, 19)) < 60;
}

/** A time in whole seconds. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19) + "Z";
}

/** Now, in whole seconds. */
export function now(): string {
  return formatTime(Date.now());
}

/** Now, in microseconds. */
export function nowMicro(): string {
  return new Date().toISOString().slice(0, -1) + "000Z";
}
