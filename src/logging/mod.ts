// Structured logging to standard error in klog's words: info, warning, error and verbosity, as text or as JSON lines.
import { formatJson, formatText } from "./format.ts";

export type LogFields = Record<string, unknown>;
export type LoggingFormat = "text" | "json";

export interface LoggingOptions {
  /** Messages of this level and below are written (`--v`). */
  verbosity: number;
  format: LoggingFormat;
  /** Where lines go; standard error unless given. */
  write?: (line: string) => void;
}

export type Severity = "I" | "W" | "E";

/** One message on its way out. */
export interface LogRecord {
  severity: Severity;
  time: Date;
  level: number;
  message: string;
  fields: LogFields;
}

const encoder = new TextEncoder();

function writeToStderr(line: string): void {
  const bytes = encoder.encode(line);
  for (let written = 0; written < bytes.length;) written += Deno.stderr.writeSync(bytes.subarray(written));
}

let level = 0;
let format: (record: LogRecord) => string = formatText;
let write: (line: string) => void = writeToStderr;

export function configureLogging(options: LoggingOptions): void {
  level = options.verbosity;
  format = options.format === "json" ? formatJson : formatText;
  write = options.write ?? writeToStderr;
}

/** Whether messages of this level are written: ask before building an expensive one. */
export function verbosity(wanted: number): boolean {
  return wanted <= level;
}

function log(severity: Severity, wanted: number, message: string, fields: LogFields): void {
  try {
    write(format({ severity, time: new Date(), level: wanted, message, fields }));
  } catch {
    // Nobody reads standard error any more; there is no other place to say so.
  }
}

/** What an operator wants to know. With `level` above 0 only when that verbosity is on. */
export function logInfo(message: string, fields: LogFields = {}, wanted = 0): void {
  if (wanted <= level) log("I", wanted, message, fields);
}

export function logWarning(message: string, fields: LogFields = {}): void {
  log("W", 0, message, fields);
}

/** What went wrong; the stack is added from `-v=4` on. */
export function logError(message: string, error: unknown, fields: LogFields = {}): void {
  const err = error instanceof Error ? (level >= 4 && error.stack) || error.message : String(error);
  log("E", 0, message, { err, ...fields });
}
