// Capacities of devices, and what may be asked of those that several claims share (KEP-5075).
import { addQuantities, compareQuantities, quantityValue } from "../../machinery/quantity.ts";
import { type Field, isUnset } from "../../machinery/validation/mod.ts";
import type { CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity } from "../../facts/generated/types.ts";
import { checkList } from "./lists.ts";

const MAX_VALUES = 10;

/** @param shared whether the device may be allocated several times */
export function checkCapacity({ value = "0", requestPolicy }: DeviceCapacity, at: Field, shared: boolean): void {
  if (!requestPolicy) return;
  const field = at.child("requestPolicy");
  if (shared) checkPolicy(requestPolicy, value, field);
  else field.forbidden("allowMultipleAllocations must be true");
}

function checkPolicy(policy: CapacityRequestPolicy, capacity: string, at: Field): void {
  const { validValues = [], validRange, default: usual } = policy;
  if (validValues.length > 0 && validRange) {
    return at.forbidden(
      'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time',
    );
  }
  const member = validValues.length > 0 ? "validValues" : validRange ? "validRange" : undefined;
  if (member === undefined) return;
  if (isUnset(usual)) return at.child("default").required(`required when ${member} is defined`);
  if (validRange) checkRange(validRange, usual!, capacity, at.child("validRange"));
  else checkValues(validValues, usual!, capacity, at.child("validValues"));
}

function checkValues(values: readonly string[], usual: string, capacity: string, at: Field): void {
  values.slice(1).forEach((value, i) => {
    if (compareQuantities(values[i], value) > 0) {
      at.index(i + 1).invalid(value, "values must be sorted in ascending order");
    }
  });
  checkList(values, at, {
    max: MAX_VALUES,
    check(value, field) {
      if (compareQuantities(value, capacity) > 0) {
        field.invalid(value, `option is larger than capacity value: ${capacity}`);
      }
    },
    key: (value) => String(quantityValue(value)),
  });
  const known = values.length <= MAX_VALUES && values.some((value) => compareQuantities(value, usual) === 0);
  if (!known) at.invalid(usual, "default value is not valid according to the requestPolicy");
}

function checkRange(range: CapacityRequestPolicyRange, usual: string, capacity: string, at: Field): void {
  const { min, max, step } = range;
  if (min === undefined) return at.child("min").required("required when validRange is defined");
  const above = (member: "min" | "max" | "step", value: string, limit: string, message: string, shown = value) => {
    if (compareQuantities(value, limit) > 0) at.child(member).invalid(shown, `${message}: ${limit}`);
  };
  above("min", min, capacity, "min is larger than capacity value");
  if (compareQuantities(usual, min) < 0) at.child("min").invalid(usual, `default is less than min: ${min}`);
  if (max !== undefined) {
    above("max", min, max, "min is larger than max");
    above("max", max, capacity, "max is larger than capacity value");
    above("max", usual, max, "default is more than max");
  }
  if (step === undefined) return;
  const first = addQuantities(min, step);
  above("step", first, capacity, `one step ${first} is larger than capacity value`, step);
  for (const value of max === undefined ? [usual] : [usual, max]) {
    const size = quantityValue(step);
    if (size !== 0n && (quantityValue(value) - quantityValue(min)) % size !== 0n) {
      at.child("step").invalid(value, `value is not a multiple of a given step (${step}) from (${min})`);
    }
  }
}
