// Drivers that make and change volumes, and what they are told.
import { byteLength, type Field, validateQualifiedName } from "../../machinery/validation/mod.ts";

const MAX_BYTES = 256 * 1024;
const MAX_PARAMETERS = 512;

export function checkProvisioner(name = "", at: Field): void {
  if (name === "") at.required();
  else validateQualifiedName(name.toLowerCase(), at);
}

export function checkParameters(parameters: Readonly<Record<string, string>> | undefined, at: Field): void {
  const entries = Object.entries(parameters ?? {});
  if (entries.length > MAX_PARAMETERS) return at.tooLong(MAX_PARAMETERS);
  let size = 0;
  for (const [key, value] of entries) {
    if (key === "") at.invalid(key, "field can not be empty.");
    size += byteLength(key) + byteLength(value);
  }
  if (size > MAX_BYTES) at.tooLong(MAX_BYTES);
}
