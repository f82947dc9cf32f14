// Values that may be absent (cel-go's optional types).
import { declare, type Library } from "../environment.ts";
import { BOOL, DYN, INT, listOf, mapOf, optionalOf, param, STRING } from "../types.ts";
import { EvalError, noSuchOverload } from "../values/errors.ts";
import { Duration, Timestamp } from "../values/time.ts";
import { ArrayList, Double, ListValue, MapValue, NONE, Optional, Uint, type Value } from "../values/value.ts";
import { form, method } from "./define.ts";

const K = param("K"), V = param("V");
const OPTIONAL_V = optionalOf(V), LIST_V = listOf(V), MAP_KV = mapOf(K, V);

function optional(value: Value): Optional {
  if (!(value instanceof Optional)) throw noSuchOverload();
  return value;
}

/** Whether a value is its type's zero or empty. */
function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === "") return true;
  if (value instanceof ListValue || value instanceof MapValue) return value.size === 0;
  if (value instanceof Double) return value.value === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Duration || value instanceof Timestamp) return value.nanos === 0n;
  return value instanceof Optional && value.value === undefined;
}

function unwrapAll(value: Value): Value {
  if (!(value instanceof ListValue)) throw noSuchOverload();
  const values: Value[] = [];
  for (const element of value) {
    if (!(element instanceof Optional)) throw new EvalError(`value ${element} is not optional`);
    if (element.value !== undefined) values.push(element.value);
  }
  return new ArrayList(values);
}

function end(index: (list: ListValue) => number): (value: Value) => Value {
  return (value) => {
    if (!(value instanceof ListValue)) throw noSuchOverload();
    return value.size === 0 ? NONE : new Optional(value.at(index(value)));
  };
}

export const OPTIONALS: Library = {
  types: [optionalOf(DYN)],
  functions: [
    declare("optional.of", form("optional_of", [V], OPTIONAL_V, (value) => new Optional(value))),
    declare(
      "optional.ofNonZeroValue",
      form("optional_ofNonZeroValue", [V], OPTIONAL_V, (value) => isZero(value) ? NONE : new Optional(value)),
    ),
    declare("optional.none", form("optional_none", [], OPTIONAL_V, () => NONE)),
    declare(
      "value",
      method("optional_value", [OPTIONAL_V], V, (value) => {
        const { value: inner } = optional(value);
        if (inner === undefined) throw new EvalError("optional.none() dereference");
        return inner;
      }),
    ),
    declare(
      "hasValue",
      method("optional_hasValue", [OPTIONAL_V], BOOL, (value) => optional(value).value !== undefined),
    ),
    declare("or", method("optional_or_optional", [OPTIONAL_V, OPTIONAL_V], OPTIONAL_V, undefined)),
    declare("orValue", method("optional_orValue_value", [OPTIONAL_V, V], V, undefined)),
    declare("_?._", form("select_optional_field", [DYN, STRING], OPTIONAL_V, undefined)),
    declare(
      "_[?_]",
      form("list_optindex_optional_int", [LIST_V, INT], OPTIONAL_V, undefined),
      form("optional_list_optindex_optional_int", [optionalOf(LIST_V), INT], OPTIONAL_V, undefined),
      form("map_optindex_optional_value", [MAP_KV, K], OPTIONAL_V, undefined),
      form("optional_map_optindex_optional_value", [optionalOf(MAP_KV), K], OPTIONAL_V, undefined),
    ),
    declare(
      "_[_]",
      form("optional_list_index_int", [optionalOf(LIST_V), INT], OPTIONAL_V, undefined),
      form("optional_map_index_value", [optionalOf(MAP_KV), K], OPTIONAL_V, undefined),
    ),
    declare("first", method("list_first", [LIST_V], OPTIONAL_V, end(() => 0))),
    declare("last", method("list_last", [LIST_V], OPTIONAL_V, end((list) => list.size - 1))),
    declare("optional.unwrap", form("optional_unwrap", [listOf(OPTIONAL_V)], LIST_V, unwrapAll)),
    declare("unwrapOpt", method("optional_unwrapOpt", [listOf(OPTIONAL_V)], LIST_V, unwrapAll)),
  ],
};
