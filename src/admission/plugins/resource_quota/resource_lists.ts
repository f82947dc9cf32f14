// Arithmetic of lists of resources, each name for itself.
import type { ResourceList } from "../../../apis/core/resource_names.ts";
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  subtractQuantities,
} from "../../../machinery/quantity.ts";

const NANO = 10n ** 9n;

/** The sum of both. */
export function addLists(a: ResourceList, b: ResourceList): ResourceList {
  const sum = { ...a };
  for (const name in b) sum[name] = sum[name] === undefined ? b[name] : addQuantities(sum[name], b[name]);
  return sum;
}

/** What `a` has more than `b`; nothing where it has less. */
export function excess(a: ResourceList, b: ResourceList): ResourceList {
  const more: ResourceList = {};
  for (const name in a) {
    const difference = b[name] === undefined ? a[name] : subtractQuantities(a[name], b[name]);
    if (compareQuantities(difference, "0") > 0) more[name] = difference;
  }
  return more;
}

/** The greatest of each name. */
export function greatest(...lists: readonly (ResourceList | undefined)[]): ResourceList {
  const most: ResourceList = {};
  for (const list of lists) {
    for (const name in list) {
      if (most[name] === undefined || compareQuantities(list[name], most[name]) > 0) most[name] = list[name];
    }
  }
  return most;
}

/** Only those with these names. */
export function only(list: ResourceList, names: readonly string[]): ResourceList {
  return Object.fromEntries(names.filter((name) => list[name] !== undefined).map((name) => [name, list[name]]));
}

/** Without those of which there is none. */
export function withoutZeros(list: ResourceList): ResourceList {
  return Object.fromEntries(Object.entries(list).filter(([, quantity]) => compareQuantities(quantity, "0") !== 0));
}

export function areEqual(a: ResourceList, b: ResourceList): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length &&
    names.every((name) => b[name] !== undefined && compareQuantities(a[name], b[name]) === 0);
}

/** `cpu=1,pods=2` */
export function describeList(list: ResourceList): string {
  return Object.keys(list).sort().map((name) => `${name}=${list[name]}`).join(",");
}

/** Whole units: fractions are rounded up. */
export function roundUp(quantity: string): string {
  const parsed = parseQuantity(quantity);
  if (parsed === undefined || parsed.nano % NANO === 0n) return quantity;
  return formatQuantity({ ...parsed, nano: (parsed.nano / NANO + 1n) * NANO });
}
