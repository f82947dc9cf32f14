// Quantities: `100m`, `2Gi`.
import { formatQuantity, parseQuantity, type Quantity } from "../../quantity.ts";
import { declare, type Library } from "../environment.ts";
import { BOOL, type CelType, DOUBLE, INT, STRING, structOf } from "../types.ts";
import { EvalError, noSuchOverload } from "../values/errors.ts";
import { Double, isInt, normalizeInt, OpaqueValue, type Value } from "../values/value.ts";
import { form, method, NOMINAL, text, traverses } from "./define.ts";

export const QUANTITY = structOf("kubernetes.Quantity");
const NANO = 1_000_000_000n;
const MISFIT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

class QuantityValue extends OpaqueValue {
  readonly type: CelType = QUANTITY;

  constructor(readonly quantity: Quantity) {
    super();
  }

  equals(other: Value): boolean {
    return quantity(other).nano === this.quantity.nano;
  }

  override toString(): string {
    return formatQuantity(this.quantity);
  }
}

function quantity(value: Value): Quantity {
  if (!(value instanceof QuantityValue)) throw noSuchOverload();
  return value.quantity;
}

/** A quantity or a whole number. */
function amount(value: Value): bigint {
  return isInt(value) ? BigInt(value) * NANO : quantity(value).nano;
}

function order(a: Value, b: Value): number {
  const difference = quantity(a).nano - quantity(b).nano;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function combine(operation: (a: bigint, b: bigint) => bigint): (a: Value, b: Value) => Value {
  return (a, b) => {
    const { nano, format } = quantity(a);
    return new QuantityValue({ nano: operation(nano, amount(b)), format });
  };
}

function parse(value: Value): Value {
  const parsed = parseQuantity(text(value));
  if (parsed === undefined) throw new EvalError(MISFIT);
  return new QuantityValue(parsed);
}

function isInteger({ nano }: Quantity): boolean {
  return nano % NANO === 0n && BigInt.asIntN(64, nano / NANO) === nano / NANO;
}

function asInteger(value: Value): Value {
  const parsed = quantity(value);
  if (!isInteger(parsed)) throw new EvalError("cannot convert value to integer");
  return normalizeInt(parsed.nano / NANO);
}

const add = combine((a, b) => a + b), subtract = combine((a, b) => a - b);
const BOTH = [QUANTITY, QUANTITY];

export const QUANTITIES: Library = {
  functions: [
    declare("quantity", form("string_to_quantity", [STRING], QUANTITY, parse, traverses())),
    declare(
      "isQuantity",
      form("is_quantity_string", [STRING], BOOL, (value) => parseQuantity(text(value)) !== undefined, traverses()),
    ),
    // Declared without a target, as the real server declares it.
    declare(
      "sign",
      form("quantity_sign", [QUANTITY], INT, (value) => {
        const { nano } = quantity(value);
        return nano < 0n ? -1 : nano > 0n ? 1 : 0;
      }, NOMINAL),
    ),
    declare("isGreaterThan", method("quantity_is_greater_than", BOTH, BOOL, (a, b) => order(a, b) > 0, NOMINAL)),
    declare("isLessThan", method("quantity_is_less_than", BOTH, BOOL, (a, b) => order(a, b) < 0, NOMINAL)),
    declare("compareTo", method("quantity_compare_to", BOTH, INT, order, NOMINAL)),
    declare(
      "asApproximateFloat",
      method(
        "quantity_get_float",
        [QUANTITY],
        DOUBLE,
        (value) => new Double(Number(quantity(value).nano) / 1e9),
        NOMINAL,
      ),
    ),
    declare("asInteger", method("quantity_get_int", [QUANTITY], INT, asInteger, NOMINAL)),
    declare(
      "isInteger",
      method("quantity_is_integer", [QUANTITY], BOOL, (value) => isInteger(quantity(value)), NOMINAL),
    ),
    declare(
      "add",
      method("quantity_add", BOTH, QUANTITY, add, NOMINAL),
      method("quantity_add_int", [QUANTITY, INT], QUANTITY, add, NOMINAL),
    ),
    declare(
      "sub",
      method("quantity_sub", BOTH, QUANTITY, subtract, NOMINAL),
      method("quantity_sub_int", [QUANTITY, INT], QUANTITY, subtract, NOMINAL),
    ),
  ],
};
