// How log records are written: klog's text lines and component-base's JSON lines.
import type { LogRecord } from "./mod.ts";

function pad(n: number, width: number): string {
  return String(n).padStart(width, "0");
}

/** `I1130 05:27:05.230907 8015] "message" key="value"`, in local time as klog does. */
export function formatText(record: LogRecord): string {
  const t = record.time;
  const day = `${pad(t.getMonth() + 1, 2)}${pad(t.getDate(), 2)}`;
  const clock = `${pad(t.getHours(), 2)}:${pad(t.getMinutes(), 2)}:${pad(t.getSeconds(), 2)}`;
  let line = `${record.severity}${day} ${clock}.${pad(t.getMilliseconds(), 3)}000 ${String(Deno.pid).padStart(7)}] ${
    JSON.stringify(record.message)
  }`;
  for (const key in record.fields) {
    const value = record.fields[key];
    if (value !== undefined) line += ` ${key}=${formatValue(value)}`;
  }
  return line + "\n";
}

function formatValue(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (value instanceof Error) return JSON.stringify(value.message);
  return JSON.stringify(value) ?? String(value);
}

/** `{"ts":1796016451000.898,"msg":"…","v":0,"key":"value"}`; an error has no level. */
export function formatJson(record: LogRecord): string {
  const line: Record<string, unknown> = { ts: record.time.getTime(), msg: record.message };
  if (record.severity !== "E") line.v = record.level;
  for (const key in record.fields) {
    const value = record.fields[key];
    line[key] = value instanceof Error ? value.message : value;
  }
  return JSON.stringify(line) + "\n";
}
