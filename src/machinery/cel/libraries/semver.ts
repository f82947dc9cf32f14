// Semantic versions (semver.org, version 2.0.0).
import { goQuote } from "../../go_text.ts";
import { declare, type Library } from "../environment.ts";
import { BOOL, type CelType, INT, STRING, structOf } from "../types.ts";
import { EvalError, noSuchOverload } from "../values/errors.ts";
import { compareStrings } from "../values/operations.ts";
import { normalizeInt, OpaqueValue, type Value } from "../values/value.ts";
import { form, method, NOMINAL, text, traverses } from "./define.ts";

const SEMVER = structOf("kubernetes.Semver");

interface Version {
  /** Major, minor and patch. */
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];
}

class SemverValue extends OpaqueValue {
  readonly type: CelType = SEMVER;

  constructor(readonly version: Version) {
    super();
  }

  equals(other: Value): boolean {
    return compareVersions(this.version, version(other)) === 0;
  }
}

function version(value: Value): Version {
  if (!(value instanceof SemverValue)) throw noSuchOverload();
  return value.version;
}

const NAMES = ["Major", "Minor", "Patch"];

function number(digits: string, index: number): bigint {
  const name = NAMES[index];
  if (!/^\d*$/.test(digits)) {
    throw new EvalError(`Invalid character(s) found in ${name.toLowerCase()} number ${goQuote(digits)}`);
  }
  if (digits.length > 1 && digits[0] === "0") {
    throw new EvalError(`${name} number must not contain leading zeroes ${goQuote(digits)}`);
  }
  if (digits === "") throw new EvalError('strconv.ParseUint: parsing "": invalid syntax');
  const value = BigInt(digits);
  if (BigInt.asUintN(64, value) !== value) {
    throw new EvalError(`strconv.ParseUint: parsing ${goQuote(digits)}: value out of range`);
  }
  return value;
}

function cut(source: string, separator: string): [before: string, after: string | undefined] {
  const at = source.indexOf(separator);
  return at < 0 ? [source, undefined] : [source.slice(0, at), source.slice(at + 1)];
}

/** Throws EvalError. */
function parse(source: string): Version {
  if (source === "") throw new EvalError("Version string empty");
  const [major, afterMajor] = cut(source, ".");
  const [minor, rest] = afterMajor === undefined ? [""] : cut(afterMajor, ".");
  if (rest === undefined) throw new EvalError("No Major.Minor.Patch elements found");
  const first = number(major, 0), second = number(minor, 1);
  const [beforeBuild, build] = cut(rest, "+");
  const [patch, prerelease] = cut(beforeBuild, "-");
  const third = number(patch, 2);
  const parts = prerelease?.split(".") ?? [];
  parts.forEach(checkPrerelease);
  for (const part of build?.split(".") ?? []) {
    if (part === "") throw new EvalError("Build meta data is empty");
    if (!/^[0-9A-Za-z-]+$/.test(part)) {
      throw new EvalError(`Invalid character(s) found in build meta data ${goQuote(part)}`);
    }
  }
  return { numbers: [first, second, third], prerelease: parts };
}

function checkPrerelease(part: string): void {
  if (part === "") throw new EvalError("Prerelease is empty");
  if (/^0\d+$/.test(part)) {
    throw new EvalError(`Numeric PreRelease version must not contain leading zeroes ${goQuote(part)}`);
  }
  if (!/^[0-9A-Za-z-]+$/.test(part)) throw new EvalError(`Invalid character(s) found in prerelease ${goQuote(part)}`);
}

/** Without a `v` and leading zeros, with the numbers that are missing. Throws EvalError. */
function normalize(source: string): string {
  const parts: string[] = [];
  let rest: string | undefined = source.replace(/^v/, "");
  while (rest !== undefined && parts.length < 2) {
    const [part, after]: [string, string | undefined] = cut(rest, ".");
    parts.push(part);
    rest = after;
  }
  if (rest !== undefined) parts.push(rest);
  const trimmed = parts.map((part) => part.length > 1 ? part.replace(/^0+/, "").replace(/^(?!\d)/, "0") : part);
  if (trimmed.length < 3 && /[+-]/.test(trimmed.at(-1)!)) {
    throw new EvalError("short version cannot contain PreRelease/Build meta data");
  }
  while (trimmed.length < 3) trimmed.push("0");
  return trimmed.join(".");
}

function read(value: Value, tolerant: Value = false): SemverValue {
  const source = text(value);
  return new SemverValue(parse(tolerant === true ? normalize(source) : source));
}

function isSemver(value: Value, tolerant: Value = false): Value {
  try {
    read(value, tolerant);
    return true;
  } catch (e) {
    if (e instanceof EvalError) return false;
    throw e;
  }
}

function compareVersions(a: Version, b: Version): number {
  for (let i = 0; i < 3; i++) {
    if (a.numbers[i] !== b.numbers[i]) return a.numbers[i] < b.numbers[i] ? -1 : 1;
  }
  // A version without a prerelease comes after those with one.
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length - a.prerelease.length);
  }
  for (let i = 0; i < Math.min(a.prerelease.length, b.prerelease.length); i++) {
    const order = comparePrerelease(a.prerelease[i], b.prerelease[i]);
    if (order !== 0) return order;
  }
  return Math.sign(a.prerelease.length - b.prerelease.length);
}

function comparePrerelease(a: string, b: string): number {
  const isNumber = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber[0] && isNumber[1]) return Math.sign(Number(BigInt(a) - BigInt(b)));
  if (isNumber[0] !== isNumber[1]) return isNumber[0] ? -1 : 1;
  return Math.sign(compareStrings(a, b));
}

function part(name: string, index: number) {
  return declare(
    name,
    method(`semver_${name}`, [SEMVER], INT, (value) => normalizeInt(version(value).numbers[index]), NOMINAL),
  );
}

function order(a: Value, b: Value): number {
  return compareVersions(version(a), version(b));
}

const BOTH = [SEMVER, SEMVER];

export const SEMVERS: Library = {
  functions: [
    declare(
      "semver",
      form("string_to_semver", [STRING], SEMVER, read, traverses()),
      form("string_bool_to_semver", [STRING, BOOL], SEMVER, read, traverses()),
    ),
    declare(
      "isSemver",
      form("is_semver_string", [STRING], BOOL, isSemver, traverses()),
      form("is_semver_string_bool", [STRING, BOOL], BOOL, isSemver, traverses()),
    ),
    declare("isGreaterThan", method("semver_is_greater_than", BOTH, BOOL, (a, b) => order(a, b) > 0, NOMINAL)),
    declare("isLessThan", method("semver_is_less_than", BOTH, BOOL, (a, b) => order(a, b) < 0, NOMINAL)),
    declare("compareTo", method("semver_compare_to", BOTH, INT, order, NOMINAL)),
    part("major", 0),
    part("minor", 1),
    part("patch", 2),
  ],
};
