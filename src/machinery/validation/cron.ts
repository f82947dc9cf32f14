// Rules of cron schedules (the five fields of crontab(5) and `@daily` and its like) and of time zones.
import type { Field } from "./field.ts";
import { goQuote } from "../go_text.ts";

interface Bounds {
  min: number;
  max: number;
  /** Months and days by their first three letters; the first is `min`. */
  names?: readonly string[];
}

const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] },
  { min: 0, max: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

const DESCRIPTORS = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);

function numberProblem(text: string): string | undefined {
  if (!/^[+-]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`;
  }
  if (!Number.isSafeInteger(Number(text))) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: value out of range`;
  }
  return Number(text) < 0 ? `negative number (${Number(text)}) not allowed: ${text}` : undefined;
}

/** A number or name of a field; a string says what is wrong with it. */
function parseValue(text: string, bounds: Bounds): number | string {
  const named = bounds.names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return bounds.min + named;
  return numberProblem(text) ?? Number(text);
}

/** `*`, `5`, `1-5`, each with or without `/step`. */
function rangeProblem(text: string, bounds: Bounds): string | undefined {
  const [range, ...steps] = text.split("/");
  const ends = range.split("-");
  let first: number | string = bounds.min, last: number | string = bounds.max;
  if (ends[0] !== "*" && ends[0] !== "?") {
    first = parseValue(ends[0], bounds);
    if (typeof first === "string") return first;
    if (ends.length > 2) return `too many hyphens: ${text}`;
    last = ends.length === 1 ? first : parseValue(ends[1], bounds);
    if (typeof last === "string") return last;
  }
  if (steps.length > 1) return `too many slashes: ${text}`;
  if (steps.length === 1) {
    const problem = numberProblem(steps[0]);
    if (problem) return problem;
    if (ends.length === 1) last = bounds.max;
  }
  if (first < bounds.min) return `beginning of range (${first}) below minimum (${bounds.min}): ${text}`;
  if (last > bounds.max) return `end of range (${last}) above maximum (${bounds.max}): ${text}`;
  if (first > last) return `beginning of range (${first}) beyond end of range (${last}): ${text}`;
  return steps.length === 1 && Number(steps[0]) === 0
    ? `step of range should be a positive number: ${text}`
    : undefined;
}

const DURATION = /^[+-]?(0|(\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/;

function descriptorProblem(text: string): string | undefined {
  if (DESCRIPTORS.has(text)) return undefined;
  if (!text.startsWith("@every ")) return `unrecognized descriptor: ${text}`;
  const duration = text.slice("@every ".length);
  if (DURATION.test(duration)) return undefined;
  return `failed to parse duration ${text}: ${durationProblem(duration)}`;
}

function durationProblem(text: string): string {
  const quoted = goQuote(text);
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text)) return `time: missing unit in duration ${quoted}`;
  const unit = /^[+-]?(?:[\d.]+(?:ns|us|µs|μs|ms|s|m|h))*[\d.]*\d\.?([^\d.]+)/.exec(text)?.[1];
  if (unit) return `time: unknown unit ${goQuote(unit)} in duration ${quoted}`;
  return `time: invalid duration ${quoted}`;
}

/** What is wrong with a schedule; undefined when there is nothing. A zone in front (`TZ=Asia/Tokyo `) is taken. */
export function cronProblem(given: string): string | undefined {
  if (given === "") return "empty spec string";
  let spec = given;
  const zone = /^(?:CRON_)?TZ=([^ ]*)( ?)/.exec(spec);
  if (zone) {
    // Nothing follows the zone: the real parser falls over its own feet here and says so.
    if (zone[2] === "") return "invalid schedule format: runtime error: slice bounds out of range [:-1]";
    if (!isTimeZone(zone[1])) return `provided bad location ${zone[1]}: unknown time zone ${zone[1]}`;
    spec = spec.slice(zone[0].length - 1).trim();
  }
  if (spec.startsWith("@")) return descriptorProblem(spec);
  const fields = spec.split(/\s+/).filter((f) => f !== "");
  if (fields.length !== FIELDS.length) {
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`;
  }
  for (const [i, field] of fields.entries()) {
    for (const range of field.split(",")) {
      const problem = range === "" ? undefined : rangeProblem(range, FIELDS[i]);
      if (problem) return problem;
    }
  }
}

let canonicalZones: Map<string, string> | undefined;

/** Whether `name` is in the time zone database; unlike for Intl, case counts. */
export function isTimeZone(name: string): boolean {
  if (name === "" || name === "UTC" || name === "Local") return true;
  if (!/^[A-Z]/.test(name)) return false;
  canonicalZones ??= new Map(Intl.supportedValuesOf("timeZone").map((zone) => [zone.toLowerCase(), zone]));
  const canonical = canonicalZones.get(name.toLowerCase());
  if (canonical !== undefined) return canonical === name;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true; // an older name that is kept as an alias
  } catch {
    return false;
  }
}

/** A name of the time zone database (theory.html, "naming"); `Local` is not one. */
export function validateTimeZone(zone: string | undefined, at: Field): void {
  if (zone === undefined) return;
  if (zone === "") return at.invalid(zone, "timeZone must be nil or non-empty string");
  const parts = zone.split("/");
  if (parts.some((p) => p === "." || p === ".." || p.startsWith("-") || !/^[A-Za-z.\-_0-9+]{1,14}$/.test(p))) {
    return at.invalid(zone, `unknown time zone ${zone}`);
  }
  if (zone.toLowerCase() === "local") {
    at.invalid(zone, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
  }
  if (!isTimeZone(zone)) at.invalid(zone, `unknown time zone ${zone}`);
}
