// Rules of numbers, ports, percentages and values that are either a number or a string.
import type { Field } from "./field.ts";
import { isPercent, isPortName, type Messages, rangeMessage } from "./names.ts";

/** A number, or a string such as a percentage or the name of a port. */
export type IntOrString = number | string;

const NEGATIVE = "must be greater than or equal to 0";
const NOT_POSITIVE = "must be greater than zero";
const MAX_ID = 2 ** 31 - 1;

export function isInRange(value: number, min: number, max: number): Messages {
  return value >= min && value <= max ? [] : [rangeMessage(min, max)];
}

/** 1 to 65535. */
export function isPortNumber(port: number): Messages {
  return isInRange(port, 1, 65535);
}

export function isUserID(id: number): Messages {
  return isInRange(id, 0, MAX_ID);
}

export function isGroupID(id: number): Messages {
  return isInRange(id, 0, MAX_ID);
}

export function validateNonnegative(value: number | undefined, at: Field): void {
  if (value !== undefined && value < 0) at.invalid(value, NEGATIVE);
}

export function validatePositive(value: number, at: Field): void {
  if (!(value > 0)) at.invalid(value, NOT_POSITIVE);
}

/** The number or name of a port. */
export function validatePortNumberOrName(port: IntOrString, at: Field): void {
  at.invalidEach(port, typeof port === "number" ? isPortNumber(port) : isPortName(port));
}

/** A number of at least zero or a percentage. */
export function validateNonnegativeIntOrPercent(value: IntOrString, at: Field): void {
  if (typeof value === "string") at.invalidEach(value, isPercent(value));
  else validateNonnegative(value, at);
}

/** The number of `42%`; undefined when it is not a percentage. */
function percentOf(value: IntOrString | undefined): number | undefined {
  if (typeof value !== "string" || isPercent(value).length > 0) return undefined;
  return Number(value.slice(0, -1));
}

/** Goes with {@link validateNonnegativeIntOrPercent}: a percentage is at most 100. */
export function validateNotMoreThan100Percent(value: IntOrString | undefined, at: Field): void {
  const percent = percentOf(value);
  if (percent !== undefined && percent > 100) at.invalid(value, "must not be greater than 100%");
}

/** The number itself or that of a percentage; other strings count as 0. */
export function intOrPercentValue(value: IntOrString): number {
  return typeof value === "number" ? value : percentOf(value) ?? (/^[+-]?\d+$/.test(value) ? Number(value) : 0);
}
