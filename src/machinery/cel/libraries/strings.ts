// Functions on text (cel-go's strings extension, version 2). Positions count code points.
import { TRAVERSAL } from "../cost/factors.ts";
import { type CallEstimate, type EstimatedNode, type Estimator, sizeOf } from "../cost/estimate.ts";
import { add, multiply, type Range, range, scale, UNBOUNDED } from "../cost/range.ts";
import { declare, type Library, type Overload } from "../environment.ts";
import { DYN, INT, listOf, STRING } from "../types.ts";
import { EvalError } from "../values/errors.ts";
import { costSize } from "../values/operations.ts";
import { ArrayList, type ListValue, type Value } from "../values/value.ts";
import { elementsOf, form, method, text, traverses } from "./define.ts";
import { formatString } from "./format_string.ts";

function points(value: string): string[] {
  return Array.from(value);
}

function outOfRange(index: Value): never {
  throw new EvalError(`index out of range: ${index}`);
}

function charAt(value: Value, index: Value): Value {
  const characters = points(text(value)), i = Number(index);
  return i < 0 || i > characters.length ? outOfRange(index) : characters[i] ?? "";
}

function indexOf(value: Value, part: Value, offset: Value = 0): Value {
  if (part === "") return offset;
  const characters = points(text(value)), searched = points(text(part)), start = Number(offset);
  if (start < 0) outOfRange(offset);
  for (let i = start; i <= characters.length - searched.length; i++) {
    if (searched.every((c, j) => characters[i + j] === c)) return i;
  }
  return -1;
}

function lastIndexOf(value: Value, part: Value, offset?: Value): Value {
  const characters = points(text(value)), searched = points(text(part));
  if (part === "") return offset ?? characters.length;
  const last = characters.length - 1;
  const start = offset === undefined ? Math.max(last, 0) : Number(offset);
  if (start < 0) outOfRange(offset!);
  if (start > last) return -1;
  for (let i = Math.min(start, characters.length - searched.length); i >= 0; i--) {
    if (searched.every((c, j) => characters[i + j] === c)) return i;
  }
  return -1;
}

function substring(value: Value, start: Value, end?: Value): Value {
  const characters = points(text(value)), from = Number(start);
  const to = end === undefined ? characters.length : Number(end);
  if (end !== undefined && from > to) {
    throw new EvalError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (from < 0 || from > characters.length) outOfRange(start);
  if (to < 0 || to > characters.length) outOfRange(end!);
  return characters.slice(from, to).join("");
}

function replace(value: Value, old: Value, replacement: Value, count: Value = -1): Value {
  const source = text(value), from = text(old), to = text(replacement), limit = Number(count);
  if (limit < 0) return replaceAll(source, from, to);
  const parts = from === "" ? ["", ...points(source)] : source.split(from);
  const times = Math.min(limit, from === "" ? parts.length : parts.length - 1);
  let result = parts[0];
  if (from === "") {
    for (let i = 0; i < parts.length; i++) result = (i === 0 ? "" : result + parts[i]) + (i < times ? to : "");
    return result;
  }
  for (let i = 1; i < parts.length; i++) result += (i <= times ? to : from) + parts[i];
  return result;
}

function replaceAll(source: string, from: string, to: string): string {
  return from === "" ? to + points(source).map((c) => c + to).join("") : source.replaceAll(from, () => to);
}

function split(value: Value, separator: Value, count: Value = -1): Value {
  const source = text(value), by = text(separator), limit = Number(count);
  if (limit === 0) return new ArrayList([]);
  const parts = by === "" ? points(source) : source.split(by);
  if (limit < 0 || parts.length <= limit) return new ArrayList(parts);
  return new ArrayList([...parts.slice(0, limit - 1), parts.slice(limit - 1).join(by)]);
}

/** White space of Unicode at both ends. */
function trim(value: Value): Value {
  return text(value).replace(/^[\s\u0085]+|[\s\u0085]+$/gu, "");
}

function join(list: ListValue, separator: string): Value {
  return list.toArray().map((element) => {
    if (typeof element !== "string") throw new EvalError(`join: invalid input: ${element}`);
    return element;
  }).join(separator);
}

const QUOTED: Record<string, string> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

function quote(value: Value): Value {
  // deno-lint-ignore no-control-regex -- the characters that are escaped are control characters
  return `"${text(value).toWellFormed().replace(/[\x07\b\f\n\r\t\v\\"]/g, (c) => QUOTED[c])}"`;
}

type Estimate = (estimator: Estimator, target: EstimatedNode | undefined, args: readonly EstimatedNode[]) =>
  | CallEstimate
  | undefined;

const estimateReplace: Estimate = (estimator, target, args) => {
  const size = sizeOf(estimator, target!), old = sizeOf(estimator, args[0]), by = sizeOf(estimator, args[1]);
  const [maxCount, maxKept] = replacements(size.max, old.min, by.max <= old.min);
  const [minCount, minKept] = replacements(size.min, old.max, old.max <= by.min);
  return {
    cost: scale(size, 2 * TRAVERSAL),
    size: add(multiply(range(minCount, maxCount), by), range(minKept, maxKept)),
  };
};

/** How often a text of `old` characters can be in one of `size`, and how much of that stays. */
function replacements(size: number, old: number, keeps: boolean): [count: number, kept: number] {
  if (old === 0) return [size < UNBOUNDED ? size + 1 : size, size];
  return keeps ? [0, size] : [Math.ceil(size / old), 0];
}

const estimateSplit: Estimate = (estimator, target, args) => {
  const size = sizeOf(estimator, target!);
  const limit = args[1]?.expr;
  const max = limit?.kind === "literal" && typeof limit.value === "number" ? Math.max(limit.value, 0) : size.max;
  return { cost: scale(size, 2 * TRAVERSAL), size: range(0, max) };
};

const estimateJoin: Estimate = (estimator, target, args) => {
  const list = sizeOf(estimator, target!), elements = elementsOf(target!);
  let size: Range = elements === undefined ? range(0) : multiply(list, sizeOf(estimator, elements));
  if (args.length > 0) {
    const separators = range(Math.max(list.min - 1, 0), Math.max(list.max - 1, 0));
    size = add(size, multiply(sizeOf(estimator, args[0]), separators));
  }
  return { cost: scale(size, TRAVERSAL), size };
};

/** `indexOf` of texts. */
const estimateTextSearch: Estimate = (estimator, target) => ({
  cost: scale(sizeOf(estimator, target!), TRAVERSAL),
});

/** Goes through a text once, rounded down. */
const searchCost: Overload["cost"] = (args) => Math.floor(new TextEncoder().encode(text(args[0])).length * TRAVERSAL);

const SEARCH = { cost: searchCost, estimate: estimateTextSearch };
const twice: Overload["cost"] = (args) => Math.ceil(costSize(args[0]) * 2 * TRAVERSAL);
const SPLIT = { cost: twice, estimate: estimateSplit };
const REPLACE = { cost: twice, estimate: estimateReplace };
const JOIN: Pick<Overload, "cost" | "estimate"> = {
  cost: (_args, result) => Math.ceil(costSize(result) * 2 * TRAVERSAL),
  estimate: estimateJoin,
};
const TRANSFORM = traverses(1, true);
const LIST = listOf(STRING);

export const STRINGS: Library = {
  functions: [
    declare("charAt", method("string_char_at_int", [STRING, INT], STRING, charAt)),
    declare(
      "indexOf",
      method("string_index_of_string", [STRING, STRING], INT, indexOf, SEARCH),
      method("string_index_of_string_int", [STRING, STRING, INT], INT, indexOf, SEARCH),
    ),
    declare(
      "lastIndexOf",
      method("string_last_index_of_string", [STRING, STRING], INT, lastIndexOf, SEARCH),
      method("string_last_index_of_string_int", [STRING, STRING, INT], INT, lastIndexOf, SEARCH),
    ),
    declare(
      "lowerAscii",
      method(
        "string_lower_ascii",
        [STRING],
        STRING,
        (s) => text(s).replace(/[A-Z]+/g, (c) => c.toLowerCase()),
        TRANSFORM,
      ),
    ),
    declare(
      "upperAscii",
      method(
        "string_upper_ascii",
        [STRING],
        STRING,
        (s) => text(s).replace(/[a-z]+/g, (c) => c.toUpperCase()),
        TRANSFORM,
      ),
    ),
    declare(
      "replace",
      method("string_replace_string_string", [STRING, STRING, STRING], STRING, replace, REPLACE),
      method("string_replace_string_string_int", [STRING, STRING, STRING, INT], STRING, replace, REPLACE),
    ),
    declare(
      "split",
      method("string_split_string", [STRING, STRING], LIST, split, SPLIT),
      method("string_split_string_int", [STRING, STRING, INT], LIST, split, SPLIT),
    ),
    declare(
      "substring",
      method("string_substring_int", [STRING, INT], STRING, substring, TRANSFORM),
      method("string_substring_int_int", [STRING, INT, INT], STRING, substring, TRANSFORM),
    ),
    declare("trim", method("string_trim", [STRING], STRING, trim, TRANSFORM)),
    declare(
      "format",
      method(
        "string_format",
        [STRING, listOf(DYN)],
        STRING,
        (format, args) => formatString(text(format), (args as ListValue).toArray()),
        { cost: (args) => Math.ceil(costSize(args[0]) * TRAVERSAL) },
      ),
    ),
    declare(
      "strings.quote",
      form("strings_quote", [STRING], STRING, quote, { cost: (args) => Math.ceil(costSize(args[0]) * TRAVERSAL) }),
    ),
    declare(
      "join",
      method("list_join", [LIST], STRING, (list) => join(list as ListValue, ""), JOIN),
      method("list_join_string", [LIST, STRING], STRING, (list, by) => join(list as ListValue, text(by)), JOIN),
    ),
  ],
};
