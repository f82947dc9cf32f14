// Attributes of devices: exactly one value of one type, or one list.
import { byteLength, type Field } from "../../machinery/validation/mod.ts";
import type { DeviceAttribute } from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";

const MAX_VALUE = 64;
const NUMBER = "(0|[1-9]\\d*)";
const PRERELEASE = "(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
const BUILD = "[0-9a-zA-Z-]+";
/** semver.org 2.0.0 */
const VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(-${PRERELEASE}(\\.${PRERELEASE})*)?(\\+${BUILD}(\\.${BUILD})*)?$`,
);

function checkString(value: string, at: Field): void {
  if (byteLength(value) > MAX_VALUE) at.tooLong(MAX_VALUE);
}

function checkVersion(value: string, at: Field): void {
  if (!VERSION.test(value)) at.invalid(value, "must be a string compatible with semver.org spec 2.0.0");
  checkString(value, at);
}

/** In the order in which they are checked. */
const MEMBERS = ["bool", "int", "string", "version", "bools", "ints", "strings", "versions"] as const;

export function checkAttribute(attribute: DeviceAttribute, at: Field): void {
  const set = MEMBERS.filter((member) => attribute[member] !== undefined);
  for (const member of set) {
    const value = attribute[member], field = at.child(member);
    const check = member.startsWith("string") ? checkString : member.startsWith("version") ? checkVersion : undefined;
    if (Array.isArray(value)) {
      if (value.length === 0) field.invalid(value, "must not be empty if specified");
      value.forEach((item, i) => check?.(String(item), field.index(i)));
    } else check?.(String(value), field);
  }
  if (set.length === 1) return;
  const shown = set.length === 0 ? "" : internalForm("DeviceAttribute", attribute);
  at.invalid(shown, "exactly one value must be specified");
}
