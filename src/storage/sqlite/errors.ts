// Errors of SQLite in words that say what to do.
import { internalError } from "../../machinery/errors.ts";

/** The file cannot be used; the message says why and what to do. */
export class DatabaseFileError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DatabaseFileError";
  }
}

export type Fault = "full" | "damaged" | "readonly" | "busy" | "cantopen" | "io" | "other";

/** node:sqlite gives SQLite's result code for some errors only, its message for all. */
const FAULTS: readonly { fault: Fault; code: number; message: string }[] = [
  { fault: "busy", code: 5, message: "database is locked" },
  { fault: "readonly", code: 8, message: "attempt to write a readonly database" },
  { fault: "io", code: 10, message: "disk I/O error" },
  { fault: "damaged", code: 11, message: "malformed" },
  { fault: "full", code: 13, message: "database or disk is full" },
  { fault: "cantopen", code: 14, message: "unable to open database file" },
  { fault: "damaged", code: 26, message: "file is not a database" },
  // The names of tables and columns are in the file, too.
  { fault: "damaged", code: -1, message: "no such table" },
  { fault: "damaged", code: -1, message: "no such column" },
  { fault: "damaged", code: -1, message: "a value in the database is damaged" },
];

/** What kind of fault an error of SQLite is. */
export function faultOf(error: unknown): Fault {
  const code = Number((error as { errcode?: unknown } | null)?.errcode) & 0xff;
  const message = messageOf(error);
  return FAULTS.find((f) => f.code === code || message.includes(f.message))?.fault ?? "other";
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why a file could not be opened. */
export function openError(error: unknown, path: string): DatabaseFileError {
  if (error instanceof DatabaseFileError) return error;
  return new DatabaseFileError(openMessage(faultOf(error), path, messageOf(error)), { cause: error });
}

function openMessage(fault: Fault, path: string, detail: string): string {
  switch (fault) {
    case "damaged":
      return `${path} is damaged or not a database (${detail}); it was left as it is: ` +
        "restore a backup to this path, or move the file away to start empty";
    case "cantopen":
      return `cannot open ${path}: check that its folder exists and can be written`;
    case "readonly":
      return `${path} cannot be written`;
    case "busy":
      return `${path} is in use by another process`;
    case "full":
      return `cannot open ${path}: the disk is full`;
    default:
      return `cannot open ${path}: ${detail}`;
  }
}

/** What a reader is told; errors that are not about the file stay as they are. */
export function readError(error: unknown): unknown {
  switch (faultOf(error)) {
    case "damaged":
      return internalError(`the database is damaged (${messageOf(error)}): stop the server and restore a backup`);
    case "io":
      return internalError(`the database cannot be read (${messageOf(error)})`);
    default:
      return error;
  }
}

/** Why a write was not done, for the client. */
export function writeMessage(fault: Fault, detail: string): string {
  switch (fault) {
    case "full":
      return "the disk that holds the database is full, nothing was written";
    case "readonly":
      return "the database cannot be written, nothing was written";
    case "damaged":
      return `the database is damaged (${detail}), nothing was written: stop the server and restore a backup`;
    default:
      return `the database could not be written (${detail})`;
  }
}
