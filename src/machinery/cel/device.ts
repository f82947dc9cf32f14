// What selectors of devices see (KEP-4381): `device`, of which the sizes are known beforehand.
import { baseEnvironment } from "./base.ts";
import type { Checked } from "./checker/checker.ts";
import { estimateCost } from "./cost/estimate.ts";
import { type Range, range } from "./cost/range.ts";
import type { Environment, StructDeclaration } from "./environment.ts";
import { QUANTITY } from "./libraries/quantity.ts";
import { ANY, BOOL, type CelType, mapOf, STRING, structOf } from "./types.ts";

const MAX_DRIVER = 63;
const MAX_DOMAIN = 63;
const MAX_ID = 32;
const MAX_VALUE = 64;
const MAX_ENTRIES = 32;

const DEVICE = structOf("kubernetes.DRADevice");
const FIELDS = new Map<string, CelType>([
  ["driver", STRING],
  ["attributes", mapOf(STRING, mapOf(STRING, ANY))],
  ["capacity", mapOf(STRING, mapOf(STRING, QUANTITY))],
  ["allowMultipleAllocations", BOOL],
]);
const DECLARATION: StructDeclaration = { type: DEVICE, fieldType: (name) => FIELDS.get(name) };

let environment: Environment | undefined;

export function deviceEnvironment(): Environment {
  return environment ??= baseEnvironment().withBindings().extend(
    { device: DEVICE },
    (name) => name === DEVICE.name ? DECLARATION : undefined,
  );
}

/** Data of a device with the most elements, entries or characters. */
interface Sized {
  max: number;
  fields?: Record<string, Sized>;
  keys?: Sized;
  values?: Sized;
}

function domainsOf(value: Sized): Sized {
  const names = { max: MAX_ENTRIES, keys: { max: MAX_ID }, values: value };
  return { max: MAX_ENTRIES, keys: { max: MAX_DOMAIN }, values: names };
}

const ATTRIBUTE: Sized = { max: MAX_VALUE };
const SIZES: Sized = {
  max: 0,
  fields: {
    driver: { max: MAX_DRIVER },
    attributes: domainsOf(ATTRIBUTE),
    capacity: domainsOf({ max: 0 }),
    allowMultipleAllocations: { max: 1 },
  },
};

function sizeAt([variable, ...path]: readonly string[]): Range | undefined {
  if (variable !== "device") return undefined;
  let at: Sized | undefined = SIZES;
  for (const step of path) {
    if (step === "@items" || step === "@values") at = at.values;
    else if (step === "@keys") at = at.keys;
    // Attributes are written as fields, too: all of them are of one size.
    else at = at.fields?.[step] ?? (at.values === ATTRIBUTE ? ATTRIBUTE : undefined);
    if (at === undefined) return undefined;
  }
  return range(0, at.max);
}

/** What a selector costs at most. */
export function deviceCost(checked: Checked): number {
  return estimateCost(checked, { sizeAt }).max;
}
