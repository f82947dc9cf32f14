// Macros: calls that stand for comprehensions and presence tests (CEL specification, "Macros"; the two-variable forms,
// `sortBy`, `optMap` and `optFlatMap` are extensions).
import { ACCUMULATOR, type Comprehension, type Expr } from "./ast.ts";
import type { Builder } from "./builder.ts";

/** One use of a macro; nodes that it makes are at the place of the call. */
interface MacroCall {
  builder: Builder;
  at: number;
  target: Expr;
  args: readonly Expr[];
}

type Expander = (call: MacroCall) => Expr;

/** By `name/arguments`: the macros that are called on a target. */
const RECEIVER_MACROS: Record<string, Expander> = {
  "all/2": (call) => quantifier(call, allParts),
  "exists/2": (call) => quantifier(call, existsParts),
  "exists_one/2": (call) => quantifier(call, existsOneParts),
  "existsOne/2": (call) => quantifier(call, existsOneParts),
  "map/2": (call) => mapOrFilter(call, undefined, call.args[1]),
  "map/3": (call) => mapOrFilter(call, call.args[1], call.args[2]),
  "filter/2": (call) => mapOrFilter(call, call.args[1], call.args[0]),
  "all/3": (call) => twoVariables(call, allParts(call, call.args[2])),
  "exists/3": (call) => twoVariables(call, existsParts(call, call.args[2])),
  "existsOne/3": (call) => twoVariables(call, existsOneParts(call, call.args[2])),
  "exists_one/3": (call) => twoVariables(call, existsOneParts(call, call.args[2])),
  "transformList/3": (call) => twoVariables(call, appendParts(call, undefined, call.args[2])),
  "transformList/4": (call) => twoVariables(call, appendParts(call, call.args[2], call.args[3])),
  "transformMap/3": (call) => twoVariables(call, insertParts(call, undefined, keyed(call, call.args[2]))),
  "transformMap/4": (call) => twoVariables(call, insertParts(call, call.args[2], keyed(call, call.args[3]))),
  "transformMapEntry/3": (call) => twoVariables(call, insertParts(call, undefined, [call.args[2]])),
  "transformMapEntry/4": (call) => twoVariables(call, insertParts(call, call.args[2], [call.args[3]])),
  "sortBy/2": sortBy,
  "optMap/2": (call) =>
    optionalMap(call, "optMap", (call, value) => call.builder.call(call.at, "optional.of", [value])),
  "optFlatMap/2": (call) => optionalMap(call, "optFlatMap", (_, value) => value),
};

type Parts = Pick<Comprehension, "init" | "condition" | "step" | "result">;

/** What a call on a target stands for; undefined when it is no macro. */
export function expandReceiver(
  builder: Builder,
  at: number,
  name: string,
  target: Expr,
  args: readonly Expr[],
): Expr | undefined {
  const expander = RECEIVER_MACROS[`${name}/${args.length}`];
  return expander?.({ builder, at, target, args });
}

/** What `cel.bind(name, value, body)` stands for; undefined when the call is another. */
export function expandBind(
  builder: Builder,
  at: number,
  name: string,
  target: Expr,
  args: readonly Expr[],
): Expr | undefined {
  if (name !== "bind" || args.length !== 3 || target.kind !== "ident" || target.name !== "cel") return undefined;
  const [variable, value, body] = args;
  if (variable.kind !== "ident") {
    return builder.error(variable.at, "cel.bind() variable names must be simple identifiers");
  }
  return bind({ builder, at, target, args }, variable.name, value, body);
}

/** What a call without a target stands for; undefined when it is no macro. */
export function expandGlobal(builder: Builder, at: number, name: string, args: readonly Expr[]): Expr | undefined {
  if (name !== "has" || args.length !== 1) return undefined;
  const [selection] = args;
  if (selection.kind !== "select") return builder.error(selection.at, "invalid argument to has() macro");
  return builder.select(at, selection.operand, selection.field, true);
}

function allParts({ builder, at }: MacroCall, predicate: Expr): Parts {
  const init = builder.literal(at, true);
  const condition = builder.call(at, "@not_strictly_false", [builder.accumulator(at)]);
  const step = builder.call(at, "_&&_", [builder.accumulator(at), predicate]);
  return { init, condition, step, result: builder.accumulator(at) };
}

function existsParts({ builder, at }: MacroCall, predicate: Expr): Parts {
  const init = builder.literal(at, false);
  const condition = builder.call(at, "@not_strictly_false", [builder.call(at, "!_", [builder.accumulator(at)])]);
  const step = builder.call(at, "_||_", [builder.accumulator(at), predicate]);
  return { init, condition, step, result: builder.accumulator(at) };
}

function existsOneParts({ builder, at }: MacroCall, predicate: Expr): Parts {
  const init = builder.literal(at, 0);
  const condition = builder.literal(at, true);
  const more = builder.call(at, "_+_", [builder.accumulator(at), builder.literal(at, 1)]);
  const step = builder.call(at, "_?_:_", [predicate, more, builder.accumulator(at)]);
  return { init, condition, step, result: builder.call(at, "_==_", [builder.accumulator(at), builder.literal(at, 1)]) };
}

function appendParts(call: MacroCall, filter: Expr | undefined, element: Expr): Parts {
  const { builder, at } = call;
  const init = builder.list(at, []);
  const condition = builder.literal(at, true);
  const step = builder.call(at, "_+_", [builder.accumulator(at), builder.list(at, [element])]);
  return { init, condition, step: filtered(call, filter, step), result: builder.accumulator(at) };
}

function insertParts(call: MacroCall, filter: Expr | undefined, entry: readonly Expr[]): Parts {
  const { builder, at } = call;
  const init = builder.map(at);
  const condition = builder.literal(at, true);
  const step = builder.call(at, "cel.@mapInsert", [builder.accumulator(at), ...entry]);
  return { init, condition, step: filtered(call, filter, step), result: builder.accumulator(at) };
}

function filtered({ builder, at }: MacroCall, filter: Expr | undefined, step: Expr): Expr {
  return filter === undefined ? step : builder.call(at, "_?_:_", [filter, step, builder.accumulator(at)]);
}

/** The key variable and the value, of an entry of transformMap. */
function keyed({ builder, at, args }: MacroCall, value: Expr): Expr[] {
  const [key] = args;
  return [builder.ident(at, key.kind === "ident" ? key.name : ""), value];
}

/** The name of a loop's variable; an issue is noted when it is none. */
function variableName({ builder }: MacroCall, arg: Expr, message: string): string | undefined {
  if (arg.kind !== "ident") {
    builder.error(arg.at, message);
    return undefined;
  }
  if (arg.name === ACCUMULATOR || arg.name === "__result__") {
    builder.error(arg.at, "iteration variable overwrites accumulator variable");
    return undefined;
  }
  return arg.name;
}

function quantifier(call: MacroCall, parts: (call: MacroCall, predicate: Expr) => Parts): Expr {
  const variable = variableName(call, call.args[0], "argument must be a simple name");
  if (variable === undefined) return call.builder.literal(call.at, null);
  return loop(call, variable, parts(call, call.args[1]));
}

function mapOrFilter(call: MacroCall, filter: Expr | undefined, element: Expr): Expr {
  const variable = variableName(call, call.args[0], "argument is not an identifier");
  if (variable === undefined) return call.builder.literal(call.at, null);
  return loop(call, variable, appendParts(call, filter, element));
}

function twoVariables(call: MacroCall, parts: Parts): Expr {
  const variable = variableName(call, call.args[0], "argument must be a simple name");
  if (variable === undefined) return call.builder.literal(call.at, null);
  const variable2 = variableName(call, call.args[1], "argument must be a simple name");
  if (variable2 === undefined) return call.builder.literal(call.at, null);
  if (variable === variable2) return call.builder.error(call.args[1].at, `duplicate variable name: ${variable}`);
  return loop(call, variable, parts, variable2);
}

function loop({ builder, at, target }: MacroCall, variable: string, parts: Parts, variable2?: string): Expr {
  return builder.comprehension(at, { range: target, variable, variable2, accu: ACCUMULATOR, ...parts });
}

/** A name for the value of an expression within another: a loop over nothing. */
function bind({ builder, at }: MacroCall, name: string, value: Expr, body: Expr): Expr {
  return builder.comprehension(at, {
    range: builder.list(at, []),
    variable: "#unused",
    accu: name,
    init: value,
    condition: builder.literal(at, false),
    step: builder.ident(at, name),
    result: body,
  });
}

function optionalMap(call: MacroCall, name: string, wrap: (call: MacroCall, value: Expr) => Expr): Expr {
  const { builder, at, target, args: [variable, body] } = call;
  if (variable.kind !== "ident") {
    return builder.error(variable.at, `${name}() variable name must be a simple identifier`);
  }
  const present = builder.call(at, "hasValue", [], target);
  const bound = bind(call, variable.name, builder.call(at, "value", [], builder.copy(target)), body);
  return builder.call(at, "_?_:_", [present, wrap(call, bound), builder.call(at, "optional.none", [])]);
}

const SORT_INPUT = "@__sortBy_input__";

function sortBy(call: MacroCall): Expr {
  const { builder, at, target, args } = call;
  if (["literal", "map", "struct"].includes(target.kind)) {
    return builder.error(
      target.at,
      "sortBy can only be applied to a list, identifier, comprehension, call or select expression",
    );
  }
  const keys = mapOrFilter({ ...call, target: builder.ident(at, SORT_INPUT) }, undefined, args[1]);
  const sorted = builder.call(at, "@sortByAssociatedKeys", [keys], builder.ident(at, SORT_INPUT));
  return bind(call, SORT_INPUT, target, sorted);
}
