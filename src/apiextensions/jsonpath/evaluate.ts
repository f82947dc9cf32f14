// What a JSON path finds in a value.
import { isObject, type Json } from "../../machinery/types.ts";
import { JsonPathError, type Path, type Step } from "./parse.ts";

/** Members that are missing find nothing; throws {@link JsonPathError} for what cannot be, as an index out of bounds. */
export function findAll(path: Path, value: Json): readonly Json[] {
  let found: readonly Json[] = [value];
  for (const step of path) found = walk(found, step);
  return found;
}

function walk(values: readonly Json[], step: Step): readonly Json[] {
  switch (step.kind) {
    case "field":
      return values.flatMap((value) => isObject(value) && Object.hasOwn(value, step.name) ? [value[step.name]!] : []);
    case "slice":
      return values.flatMap((value) => value === null ? [] : slice(value, step));
    case "union":
      return step.paths.flatMap((path) => path.reduce(walk, values));
    case "everything":
      return values.flatMap(membersOf);
    case "recursive":
      return values.flatMap(withAllBelow);
    case "filter":
      return values.flatMap((value) => filtered(value, step));
    case "value":
      return values.map(() => step.value);
  }
}

function membersOf(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.keys(value).sort().map((name) => value[name]!) : [];
}

/** Containers that are not empty, each before what is in it. */
function withAllBelow(value: Json): Json[] {
  const members = membersOf(value);
  return members.length === 0 ? [] : [value, ...members.flatMap(withAllBelow)];
}

function slice(value: Json, { from, to, step = 1, isIndex }: Extract<Step, { kind: "slice" }>): Json[] {
  if (!Array.isArray(value)) throw new JsonPathError("the value is not array or slice");
  const { length } = value;
  const start = from === undefined ? 0 : from < 0 ? from + length : from;
  const end = isIndex ? start + 1 : to === undefined ? length : to < 0 ? to + length : to;
  if (start === end) return [];
  if (start >= length || start < 0) throw outOfBounds(start, length);
  if (end > length || end < 0) throw outOfBounds(end - 1, length);
  if (start > end) throw new JsonPathError(`starting index ${start} is greater than ending index ${end}`);
  if (step <= 0) throw new JsonPathError("step must be > 0");
  return value.slice(start, end).filter((_, i) => i % step === 0);
}

function outOfBounds(index: number, length: number): JsonPathError {
  return new JsonPathError(`array index out of bounds: index ${index}, length ${length}`);
}

function filtered(value: Json, { left, operator, right }: Extract<Step, { kind: "filter" }>): Json[] {
  if (!Array.isArray(value)) throw new JsonPathError("the value is not array or slice and cannot be filtered");
  return value.filter((element) => {
    const lefts = findAll(left, element);
    if (operator === undefined) return lefts.length > 0;
    const rights = findAll(right, element);
    if (lefts.length === 0 || rights.length === 0) return false;
    if (lefts.length > 1 || rights.length > 1) throw new JsonPathError("can only compare one element at a time");
    return compare(lefts[0], operator, rights[0]);
  });
}

function compare(left: Json, operator: string, right: Json): boolean {
  const kind = kindOf(left);
  if (kind === undefined || kind !== kindOf(right)) throw new JsonPathError("incompatible types for comparison");
  if (operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  if (kind === "boolean") throw new JsonPathError("invalid type for comparison");
  switch (operator) {
    case "<":
      return left! < right!;
    case "<=":
      return left! <= right!;
    case ">":
      return left! > right!;
    case ">=":
      return left! >= right!;
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}

/** Integers and other numbers are not compared with one another. */
function kindOf(value: Json): string | undefined {
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "float";
  return typeof value === "object" ? undefined : typeof value;
}
