// Durations as Go writes them (`1m30s`) and ages as tables show them (`3h`).
import { parseTime } from "./time.ts";

const UNITS: Record<string, number> = { ns: 1e-6, us: 1e-3, "µs": 1e-3, "μs": 1e-3, ms: 1, s: 1e3, m: 6e4, h: 36e5 };
const SYNTAX = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;

/** Milliseconds; undefined when the text is no duration. */
export function parseDuration(text: string): number | undefined {
  if (text === "0" || text === "+0" || text === "-0") return 0;
  if (!SYNTAX.test(text)) return undefined;
  let total = 0;
  for (const [, number, unit] of text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    total += Number(number) * UNITS[unit];
  }
  return text.startsWith("-") ? -total : total;
}

/** `1h2m3.5s`, `150ms`, `0s`: as Go's Duration.String. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds === 0) return "0s";
  const sign = milliseconds < 0 ? "-" : "", ms = Math.abs(milliseconds);
  if (ms < 1e-3) return `${sign}${Math.trunc(ms * 1e6)}ns`;
  if (ms < 1) return `${sign}${trim(ms * 1e3)}µs`;
  if (ms < 1000) return `${sign}${trim(ms)}ms`;
  const hours = Math.floor(ms / 36e5), minutes = Math.floor(ms % 36e5 / 6e4), seconds = trim(ms % 6e4 / 1e3);
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${sign}${minutes}m${seconds}s` : `${sign}${seconds}s`;
}

function trim(value: number): string {
  return value.toFixed(9).replace(/\.?0+$/, "");
}

/** How long ago a time is, in at most two units; `<unknown>` without a time. `now` in milliseconds. */
export function age(time: string | null | undefined, now: number): string {
  const then = time ? parseTime(time) : undefined;
  return then === undefined ? "<unknown>" : humanDuration(now - then);
}

/** `5s`, `3m4s`, `2h`, `3d4h`, `1y20d`: two units while the larger one is small. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return two(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return two(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return two(days, "d", hours % 24, "h");
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 2920 ? two(years, "y", days % 365, "d") : `${years}y`;
}

function two(a: number, unitA: string, b: number, unitB: string): string {
  return b === 0 ? `${a}${unitA}` : `${a}${unitA}${b}${unitB}`;
}
