// resourceVersions as clients send them.
import { unknownError } from "../machinery/errors.ts";

/** The number in an object's resourceVersion; 0 when it has none. Throws a 500 as the real server does. */
export function parseResourceVersion(text: string | undefined): number {
  if (text === undefined || text === "") return 0;
  if (!/^\d+$/.test(text)) throw unknownError(`strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = Number(text);
  if (value > 2 ** 64) throw unknownError(`strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range`);
  return value;
}
