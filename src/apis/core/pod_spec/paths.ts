// Rules of paths inside volumes and of file modes.
import type { Field } from "../../../machinery/validation/field.ts";

export function validateNoBacksteps(path: string, at: Field): void {
  if (path.includes("..") && path.split("/").includes("..")) at.invalid(path, "must not contain '..'");
}

/** A relative path that stays inside. */
export function validateDescendingPath(path: string, at: Field): void {
  if (path.startsWith("/")) at.invalid(path, "must be a relative path");
  validateNoBacksteps(path, at);
}

/** A relative path that stays inside and does not take names that atomic updates of the volume use. */
export function validateNonReservedPath(path: string, at: Field): void {
  validateDescendingPath(path, at);
  if (path.startsWith("..") && !path.startsWith("../")) at.invalid(path, "must not start with '..'");
}

/** Permission bits, 0 to 0777. */
export function validateFileMode(mode: number | undefined, at: Field): void {
  if (mode !== undefined && (mode < 0 || mode > 0o777)) {
    at.invalid(mode, "must be a number between 0 and 0777 (octal), both inclusive");
  }
}
