// What the language's own operators and functions are estimated to cost.
import type { Call } from "../syntax/ast.ts";
import type { CallEstimate, Coster, EntrySize, EstimatedNode } from "./estimate.ts";
import { REGEX_LENGTH, TRAVERSAL } from "./factors.ts";
import { add, multiply, ONE, type Range, range, scale, union, UNKNOWN } from "./range.ts";

interface StandardCall {
  coster: Coster;
  expr: Call;
  target: EstimatedNode | undefined;
  args: readonly EstimatedNode[];
  argCosts: readonly Range[];
}

type Estimate = (call: StandardCall) => CallEstimate | undefined;

function size(node: EstimatedNode): Range {
  return node.size ?? UNKNOWN;
}

/** The cost of the arguments with what the call costs itself. */
function withArgs({ argCosts }: StandardCall, cost: Range, resultSize?: Range): CallEstimate {
  return { cost: add(cost, ...argCosts), size: resultSize };
}

/** Goes through its first argument. */
function traversal(call: StandardCall): CallEstimate | undefined {
  return call.args.length === 1 ? withArgs(call, scale(size(call.args[0]), TRAVERSAL)) : undefined;
}

function comparison(call: StandardCall): CallEstimate {
  const max = Math.min(size(call.args[0]).max, size(call.args[1]).max);
  return withArgs(call, scale(range(max > 0 ? 1 : 0, max), TRAVERSAL));
}

function logical({ argCosts: [left, right] }: StandardCall): CallEstimate {
  return { cost: range(left.min, add(left, right).max) };
}

function conditional({ coster, expr, args, argCosts }: StandardCall): CallEstimate {
  coster.setEntries(expr, unionEntries(coster.entriesOf(args[1].expr!), coster.entriesOf(args[2].expr!)));
  return { cost: add(argCosts[0], union(argCosts[1], argCosts[2])), size: union(size(args[1]), size(args[2])) };
}

function unionEntries(a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { kind: a.kind, key: union(a.key, b.key), value: union(a.value, b.value) };
}

function concatenation(isList: boolean): Estimate {
  return (call) => {
    const { coster, expr, args } = call;
    const result = add(size(args[0]), size(args[1]));
    coster.setEntries(expr, unionEntries(coster.entriesOf(args[0].expr!), coster.entriesOf(args[1].expr!)));
    return withArgs(call, isList ? ONE : scale(result, TRAVERSAL), result);
  };
}

/** Both estimates of a search of one text in another. */
function matches(call: StandardCall): CallEstimate | undefined {
  const { target, args } = call;
  if (target === undefined || args.length !== 1) return undefined;
  const text = scale(add(size(target), ONE), TRAVERSAL);
  return withArgs(call, multiply(text, scale(size(args[0]), REGEX_LENGTH)));
}

function contains(call: StandardCall): CallEstimate | undefined {
  const { target, args } = call;
  if (target === undefined || args.length !== 1) return undefined;
  return withArgs(call, multiply(scale(size(target), TRAVERSAL), scale(size(args[0]), TRAVERSAL)));
}

/** By the id of the overload. */
const ESTIMATES: Record<string, Estimate> = {
  string_format: (call) => call.target === undefined ? undefined : withArgs(call, scale(size(call.target), TRAVERSAL)),
  string_to_bytes: (call) => {
    const { min, max } = size(call.args[0]);
    return withArgs(call, scale(range(min, max), TRAVERSAL), range(min, max * 4));
  },
  bytes_to_string: (call) => {
    const { min, max } = size(call.args[0]);
    return withArgs(call, scale(range(min, max), TRAVERSAL), range(Math.floor(min / 4), max));
  },
  strings_quote: (call) => {
    const { min, max } = size(call.args[0]);
    return withArgs(call, scale(range(min, max), TRAVERSAL), range(min + 2, max * 2 + 2));
  },
  starts_with_string: traversal,
  ends_with_string: traversal,
  in_list: (call) => withArgs(call, size(call.args[1])),
  matches_string: matches,
  contains_string: contains,
  logical_or: logical,
  logical_and: logical,
  conditional,
  add_string: concatenation(false),
  add_bytes: concatenation(false),
  add_list: concatenation(true),
  less_string: comparison,
  greater_string: comparison,
  less_equals_string: comparison,
  greater_equals_string: comparison,
  less_bytes: comparison,
  greater_bytes: comparison,
  less_equals_bytes: comparison,
  greater_equals_bytes: comparison,
  equals: comparison,
  not_equals: comparison,
};

/** What one form of a call is estimated to cost with its arguments. */
export function standardEstimate(
  coster: Coster,
  expr: Call,
  overloadId: string,
  target: EstimatedNode | undefined,
  args: readonly EstimatedNode[],
  argCosts: readonly Range[],
): CallEstimate {
  const call: StandardCall = { coster, expr, target, args, argCosts };
  return ESTIMATES[overloadId]?.(call) ?? withArgs(call, ONE);
}
