// Quantities: numbers with decimal or binary suffixes, exact (resource.Quantity of Kubernetes' API).

/** How a quantity is written: `100m`, `64Mi` or `1e3`. */
type Format = "decimal" | "binary" | "exponent";

/** An exact value. */
export interface Quantity {
  /** In billionths: nothing finer exists. */
  readonly nano: bigint;
  readonly format: Format;
}

/** Text that is no quantity; the message is the API's. */
export class QuantityError extends Error {}

const WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SYNTAX = /^([+-]?)0*([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;

/** By power of ten, from billionths on. */
const DECIMAL: readonly string[] = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
/** By power of 1024. */
const BINARY: readonly string[] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

const SCALE = 9;
const NANO = 10n ** 9n;
const MAX_INT64 = 2n ** 63n - 1n;
/** Decimal digits that are sure to fit 64 bits. */
const SURE_DIGITS = 18;

interface Unit {
  format: Format;
  /** A power of ten, or of two for binary units. */
  exponent: number;
}

const UNITS = new Map<string, Unit>([
  ...DECIMAL.map((suffix, i): [string, Unit] => [suffix, { format: "decimal", exponent: 3 * i - SCALE }]),
  ...BINARY.slice(1).map((suffix, i): [string, Unit] => [suffix, { format: "binary", exponent: 10 * (i + 1) }]),
]);

function unitOf(suffix: string): Unit | undefined {
  const unit = UNITS.get(suffix);
  if (unit !== undefined || !/^[eE][+-]?[0-9]+$/.test(suffix)) return unit;
  const exponent = BigInt.asIntN(64, BigInt(suffix.slice(suffix[1] === "+" ? 2 : 1)));
  return { format: "exponent", exponent: Number(BigInt.asIntN(32, exponent)) };
}

interface Parsed extends Quantity {
  /** The text is canonical as it is. */
  canonical: boolean;
}

/** Throws QuantityError. */
function parse(text: string): Parsed {
  const match = text === "" ? null : SYNTAX.exec(text);
  if (match === null) throw new QuantityError(WRONG_FORMAT);
  const [, sign, whole, fraction = "", suffix] = match;
  const unit = unitOf(suffix);
  if (unit === undefined) throw new QuantityError("unable to parse quantity's suffix");
  const { format, exponent } = unit;
  // Small units do without a number.
  if (exponent >= 50 && format === "binary" && !/^[+-]?\.?[0-9]/.test(text)) {
    throw new QuantityError("unable to parse numeric part of quantity");
  }
  const digits = (whole === "" ? "0" : whole) + fraction;
  const magnitude = format === "binary"
    ? nanoOfBinary(digits, fraction.length, exponent)
    : shift10(BigInt(digits), exponent - fraction.length + SCALE);
  return {
    nano: sign === "-" ? -magnitude : magnitude,
    format: format === "binary" && magnitude > 0n && magnitude < NANO ? "decimal" : format,
    canonical: isCanonical(digits, fraction.length, unit),
  };
}

function nanoOfBinary(digits: string, decimals: number, exponent: number): bigint {
  const nano = shift10(BigInt(digits) << BigInt(exponent), SCALE - decimals);
  return nano > MAX_INT64 * NANO ? MAX_INT64 * NANO : nano;
}

/** Powers of ten beyond this make numbers that no machine wants to hold. */
const MAX_EXPONENT = 10_000;

/** `value * 10^exponent`, rounded up. */
function shift10(value: bigint, exponent: number): bigint {
  if (value === 0n) return 0n;
  if (exponent > MAX_EXPONENT) throw new QuantityError("unable to parse numeric part of quantity");
  if (exponent >= 0) return value * 10n ** BigInt(exponent);
  if (exponent < -MAX_EXPONENT) return 1n;
  return divideUp(value, 10n ** BigInt(-exponent));
}

/** Whether the text is kept as it was given: a number of moderate size whose unit is the largest that fits. */
function isCanonical(digits: string, decimals: number, { format, exponent }: Unit): boolean {
  if (format !== "binary") {
    const scale = exponent - decimals;
    return digits.length <= SURE_DIGITS && scale >= -SCALE && scale % 3 === 0 && digits[0] !== "0" &&
      !digits.endsWith("000");
  }
  // About three decimal digits for every ten binary ones.
  if (decimals > 0 || 15 - digits.length - Math.trunc(exponent * 3 / 10) - 1 < 0) return false;
  const value = BigInt(digits);
  return value << BigInt(exponent) <= MAX_INT64 && (value & 7n) !== 0n;
}

/** Undefined when the text is no quantity. What is finer than a billionth is rounded up. */
export function parseQuantity(text: string): Quantity | undefined {
  try {
    return parse(text);
  } catch (e) {
    if (e instanceof QuantityError) return undefined;
    throw e;
  }
}

/** The way in which this value is written in its notation. */
export function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return "0";
  const sign = nano < 0n ? "-" : "", size = nano < 0n ? -nano : nano;
  // A binary quantity below 1024 or with a fraction is written as a decimal one.
  if (format === "binary" && size >= 1024n * NANO && size % NANO === 0n) return sign + binaryText(size / NANO);
  return sign + decimalText(size, format === "exponent");
}

function binaryText(value: bigint): string {
  let power = 0;
  for (; value % 1024n === 0n; power++) value /= 1024n;
  return value + (BINARY[power] ?? "");
}

function decimalText(nano: bigint, exponent: boolean): string {
  let power = 0;
  for (; nano % 1000n === 0n; power++) nano /= 1000n;
  if (power === SCALE / 3) return String(nano);
  return exponent ? `${nano}e${3 * power - SCALE}` : nano + (DECIMAL[power] ?? "");
}

const canonical = new Map<string, string>();
const REMEMBERED = 2048;

/** The text as the API writes it: `1000m` → `1`, `0.5` → `500m`. Throws QuantityError. */
export function canonicalQuantity(text: string): string {
  const known = canonical.get(text);
  if (known !== undefined) return known;
  const quantity = parse(text);
  const result = quantity.canonical ? text : formatQuantity(quantity);
  // The same few values come over and over.
  if (canonical.size >= REMEMBERED) canonical.clear();
  canonical.set(text, result);
  return result;
}

/** Negative, zero or positive as `a` is below, equal to or above `b`. Throws QuantityError. */
export function compareQuantities(a: string, b: string): number {
  const difference = parse(a).nano - parse(b).nano;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The sum, in the notation of the first unless that is zero. Throws QuantityError. */
export function addQuantities(a: string, b: string): string {
  return combine(a, b, (x, y) => x + y);
}

/** The difference, in the notation of the first unless that is zero. Throws QuantityError. */
export function subtractQuantities(a: string, b: string): string {
  return combine(a, b, (x, y) => x - y);
}

function combine(a: string, b: string, operation: (x: bigint, y: bigint) => bigint): string {
  const x = parse(a), y = parse(b);
  return formatQuantity({ nano: operation(x.nano, y.nano), format: x.nano === 0n ? y.format : x.format });
}

/** The value as a whole number, rounded up. Throws QuantityError. */
export function quantityValue(text: string): bigint {
  return divideUp(parse(text).nano, NANO);
}

/** The value in thousandths, rounded up. Throws QuantityError. */
export function quantityMilliValue(text: string): bigint {
  return divideUp(parse(text).nano, NANO / 1000n);
}

/** Away from zero. */
function divideUp(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by === 0n ? quotient : value > 0n ? quotient + 1n : quotient - 1n;
}
