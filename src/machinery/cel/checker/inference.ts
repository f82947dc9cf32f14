// Which types may stand for which, and what the type parameters of a call turn out to be.
import { type CelType, DYN, isDyn, listOf, mapOf, opaqueOf, sameType, typeOf } from "../types.ts";

/** What type parameters stand for, by their names. Unchanging: a failed attempt leaves nothing behind. */
export type Bindings = ReadonlyMap<string, CelType>;

function isWild(type: CelType): boolean {
  return type.kind === "dyn" || type.kind === "error";
}

/** The bindings under which a value of type `b` may stand where `a` is expected; undefined when it may not. */
export function assign(bindings: Bindings, a: CelType, b: CelType): Bindings | undefined {
  return assignAll(bindings, [a], [b]);
}

/** The same for lists of types of one length. */
export function assignAll(
  bindings: Bindings,
  a: readonly CelType[],
  b: readonly CelType[],
): Bindings | undefined {
  const attempt = new Map(bindings);
  return assignableLists(attempt, a, b) ? attempt : undefined;
}

type Attempt = Map<string, CelType>;

function assignableLists(attempt: Attempt, a: readonly CelType[], b: readonly CelType[]): boolean {
  return a.length === b.length && a.every((type, i) => assignable(attempt, type, b[i]));
}

function assignable(attempt: Attempt, a: CelType, b: CelType): boolean {
  if (b.kind === "param") {
    const [valid, known] = substitutes(attempt, a, b);
    if (valid) return true;
    if (known) return false;
  }
  if (a.kind === "param") return substitutes(attempt, b, a)[0];
  if (isWild(a) || isWild(b)) return true;
  if (a.kind === "null") return isNullable(b);
  if (b.kind === "null") return isNullable(a);
  switch (a.kind) {
    case "type":
      return b.kind === "type";
    case "opaque":
    case "list":
    case "map":
      return a.kind === b.kind && a.name === b.name && assignableLists(attempt, a.params, b.params);
    default:
      return a.kind === b.kind && a.name === b.name;
  }
}

function isNullable(type: CelType): boolean {
  return ["null", "opaque", "struct", "duration", "timestamp"].includes(type.kind);
}

/** Whether a type parameter may stand for a type, and whether it stood for one before. */
function substitutes(attempt: Attempt, type: CelType, parameter: CelType): [valid: boolean, known: boolean] {
  if (type.kind === parameter.kind && sameType(type, parameter)) return [true, true];
  const bound = attempt.get(parameter.name);
  if (bound !== undefined) {
    if (type.kind === bound.kind && sameType(type, bound)) return [true, true];
    if (!assignable(attempt, type, bound)) return [false, true];
    const general = mostGeneral(type, bound);
    if (notWithin(attempt, parameter, general)) attempt.set(parameter.name, general);
    return [true, true];
  }
  if (!notWithin(attempt, parameter, type)) return [false, false];
  attempt.set(parameter.name, type);
  return [true, false];
}

/** A type must not stand for something that contains it. */
function notWithin(attempt: Attempt, parameter: CelType, type: CelType): boolean {
  if (sameType(parameter, type)) return false;
  if (type.kind === "param") {
    const bound = attempt.get(type.name);
    return bound === undefined || notWithin(attempt, parameter, bound);
  }
  return type.params.every((p) => notWithin(attempt, parameter, p));
}

/** The more general of two types of which one may stand for the other. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: CelType, b: CelType): boolean {
  if (isDyn(a) || a.kind === "param") return true;
  if (isDyn(b) || b.kind === "param") return false;
  if (a.kind !== b.kind) return false;
  if (a.kind === "type") return true;
  if (a.name !== b.name || a.params.length !== b.params.length) return false;
  return a.params.every((p, i) => isLessSpecific(p, b.params[i]));
}

/** A type with its parameters replaced by what they stand for; unknown ones become dyn when `orDyn` is set. */
export function substitute(bindings: Bindings, type: CelType, orDyn: boolean): CelType {
  const bound = type.kind === "param" ? bindings.get(type.name) : undefined;
  if (bound !== undefined) return substitute(bindings, bound, orDyn);
  if (type.kind === "param") return orDyn ? DYN : type;
  if (type.params.length === 0) return type;
  const params = type.params.map((p) => substitute(bindings, p, orDyn));
  switch (type.kind) {
    case "list":
      return listOf(params[0]);
    case "map":
      return mapOf(params[0], params[1]);
    case "type":
      return typeOf(params[0]);
    default:
      return opaqueOf(type.name, ...params);
  }
}
