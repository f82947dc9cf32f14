// Quantities: numbers with decimal or binary suffixes, exact (resource.Quantity of Kubernetes' API).

const SYNTAX = /^([+-]?)(\d*)(?:\.(\d*))?([a-zA-Z]*[+-]?\d*)$/;
const BINARY: readonly string[] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
/** Decimal suffixes by their power of ten. */
const DECIMAL: readonly (readonly [suffix: string, exponent: number])[] = [
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
];
const POWERS = new Map(DECIMAL);

/** Values are held in billionths: nothing finer exists. */
const SCALE = 9;
const NANO = 10n ** BigInt(SCALE);

type Format = "decimal" | "binary" | "exponent";

/** An exact value: `nano` billionths, and the notation it was written in. */
export interface Quantity {
  readonly nano: bigint;
  readonly format: Format;
}

/** Undefined when the text is no quantity. What is finer than a billionth is rounded away from zero. */
export function parseQuantity(text: string): Quantity | undefined {
  const match = SYNTAX.exec(text);
  if (match === null || (match[2] === "" && (match[3] ?? "") === "")) return undefined;
  const [, sign, whole, fraction = "", suffix] = match;
  const unit = unitOf(suffix);
  if (unit === undefined) return undefined;
  const digits = BigInt(whole + fraction);
  let nano = scale10(digits * unit.factor, SCALE + unit.exponent - fraction.length);
  if (sign === "-") nano = -nano;
  return { nano, format: unit.format };
}

function unitOf(suffix: string): { factor: bigint; exponent: number; format: Format } | undefined {
  const binary = suffix === "" ? -1 : BINARY.indexOf(suffix);
  if (binary > 0) return { factor: 1024n ** BigInt(binary), exponent: 0, format: "binary" };
  const decimal = POWERS.get(suffix);
  if (decimal !== undefined) return { factor: 1n, exponent: decimal, format: "decimal" };
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix);
  if (exponent === null || exponent[1].length > 4) return undefined;
  return { factor: 1n, exponent: Number(exponent[1]), format: "exponent" };
}

/** `value * 10^exponent`, rounded up (away from zero). */
function scale10(value: bigint, exponent: number): bigint {
  if (exponent >= 0) return value * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  const quotient = value / divisor;
  return value % divisor === 0n ? quotient : quotient + 1n;
}

/** The one way in which this value is written in its notation. */
export function formatQuantity(quantity: Quantity): string {
  const { nano } = quantity;
  if (nano === 0n) return "0";
  const sign = nano < 0n ? "-" : "", size = nano < 0n ? -nano : nano;
  if (quantity.format === "binary") {
    // A binary quantity below 1024 or with a fraction is written as a decimal one.
    if (size % NANO === 0n && size / NANO >= 1024n) return sign + binaryText(size / NANO);
    return sign + decimalText(size, false);
  }
  return sign + decimalText(size, quantity.format === "exponent");
}

function binaryText(value: bigint): string {
  let power = 0;
  while (power < BINARY.length - 1 && value % 1024n === 0n) {
    value /= 1024n;
    power++;
  }
  return `${value}${BINARY[power]}`;
}

function decimalText(nano: bigint, exponent: boolean): string {
  let power = -SCALE;
  while (power < 18 && nano % 1000n === 0n) {
    nano /= 1000n;
    power += 3;
  }
  if (power === 0) return String(nano);
  return exponent ? `${nano}e${power}` : `${nano}${DECIMAL.find(([, p]) => p === power)![0]}`;
}

const canonical = new Map<string, string | undefined>();
const REMEMBERED = 2048;

/** The text as the API writes it: `1000m` → `1`, `0.5` → `500m`; undefined when it is no quantity. */
export function canonicalQuantity(text: string): string | undefined {
  const known = canonical.get(text);
  if (known !== undefined || canonical.has(text)) return known;
  const quantity = parseQuantity(text);
  const result = quantity && formatQuantity(quantity);
  // The same few values come over and over.
  if (canonical.size >= REMEMBERED) canonical.clear();
  canonical.set(text, result);
  return result;
}

/** Negative, zero or positive as `a` is below, equal to or above `b`. Throws on text that is no quantity. */
export function compareQuantities(a: string, b: string): number {
  const difference = mustParse(a).nano - mustParse(b).nano;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The sum in the notation of the first that is not zero. */
export function addQuantities(a: string, b: string): string {
  return combine(a, b, (x, y) => x + y);
}

export function subtractQuantities(a: string, b: string): string {
  return combine(a, b, (x, y) => x - y);
}

function combine(a: string, b: string, operation: (x: bigint, y: bigint) => bigint): string {
  const x = mustParse(a), y = mustParse(b);
  return formatQuantity({ nano: operation(x.nano, y.nano), format: x.nano === 0n ? y.format : x.format });
}

/** The value as a whole number, rounded up. */
export function quantityValue(text: string): bigint {
  return divideUp(mustParse(text).nano, NANO);
}

/** The value in thousandths, rounded up. */
export function quantityMilliValue(text: string): bigint {
  return divideUp(mustParse(text).nano, NANO / 1000n);
}

function divideUp(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by === 0n ? quotient : value > 0n ? quotient + 1n : quotient - 1n;
}

function mustParse(text: string): Quantity {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new RangeError(`not a quantity: ${JSON.stringify(text)}`);
  return quantity;
}
