// Regular expressions in RE2's syntax, and the functions that find their matches.
import { RE2JS } from "re2js";
import { REGEX_LENGTH, TRAVERSAL } from "../cost/factors.ts";
import { add, multiply, ONE, range, scale } from "../cost/range.ts";
import { sizeOf } from "../cost/estimate.ts";
import { declare, type Library, type Overload } from "../environment.ts";
import { INT, listOf, STRING } from "../types.ts";
import { EvalError } from "../values/errors.ts";
import { costSize } from "../values/operations.ts";
import { ArrayList, type Value } from "../values/value.ts";
import { method, text } from "./define.ts";

/** A compiled pattern. */
export interface Regex {
  test(text: string): boolean;
  /** At most `limit` matches, all of them when it is negative. */
  findAll(text: string, limit: number): string[];
}

/** Throws EvalError in Go's words when the pattern is not of RE2's syntax. */
export function compileRegex(pattern: string): Regex {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (e) {
    throw new EvalError(e instanceof Error ? e.message : String(e));
  }
  return {
    test: (text) => compiled.matcher(text).find(),
    findAll: (text, limit) => {
      const matcher = compiled.matcher(text);
      const found: string[] = [];
      while (found.length !== limit && matcher.find()) found.push(matcher.group() ?? "");
      return found;
    },
  };
}

const cost: Overload["cost"] = (args) =>
  Math.ceil((1 + costSize(args[0])) * TRAVERSAL) * Math.ceil(costSize(args[1]) * REGEX_LENGTH);

const estimate: Overload["estimate"] = (estimator, target, args) => {
  const size = sizeOf(estimator, target!);
  const search = scale(add(size, ONE), TRAVERSAL);
  return {
    cost: multiply(search, scale(sizeOf(estimator, args[0]), REGEX_LENGTH)),
    size: range(0, size.max),
  };
};

/** Compiles a constant pattern once. */
function find(result: (regex: Regex, text: string, limit: Value | undefined) => Value): Pick<
  Overload,
  "call" | "prepare"
> {
  return {
    call: (value, pattern, limit) => {
      try {
        return result(compileRegex(text(pattern)), text(value), limit);
      } catch (e) {
        throw e instanceof EvalError ? new EvalError(`Illegal regex: ${e.message}`) : e;
      }
    },
    prepare: ([, pattern]) => {
      if (typeof pattern !== "string") return undefined;
      const regex = compileRegex(pattern);
      return (value, _pattern, limit) => result(regex, text(value), limit);
    },
  };
}

const first = find((regex, text) => regex.findAll(text, 1)[0] ?? "");
const all = find((regex, text, limit) => new ArrayList(regex.findAll(text, limit === undefined ? -1 : Number(limit))));
const extras = { cost, estimate };

export const REGEX: Library = {
  functions: [
    declare(
      "find",
      method("string_find_string", [STRING, STRING], STRING, first.call, { ...extras, prepare: first.prepare }),
    ),
    declare(
      "findAll",
      method("string_find_all_string", [STRING, STRING], listOf(STRING), all.call, {
        ...extras,
        prepare: all.prepare,
      }),
      method("string_find_all_string_int", [STRING, STRING, INT], listOf(STRING), all.call, {
        ...extras,
        prepare: all.prepare,
      }),
    ),
  ],
};
