// Fields and indices.
import { EvalError, noSuchOverload } from "../values/errors.ts";
import { typeOfValue } from "../values/operations.ts";
import { Double, isInt, ListValue, MapValue, NONE, Optional, Uint, type Value } from "../values/value.ts";
import type { Attribute, Evaluate, Plan, Qualifier } from "./frame.ts";

/** The plan of an attribute. */
export function attributePlan(attribute: Attribute): Plan {
  return { run: compileAttribute(attribute, attribute.ownCost), attribute };
}

/** A plan's value where it costs nothing itself: as a key or as a branch of `?:`. */
export function withoutOwnCost(plan: Plan): Evaluate {
  return plan.attribute === undefined ? plan.run : compileAttribute(plan.attribute, 0);
}

/** The attribute that further fields go to: the plan's own or one that starts with its value. */
export function attributeOf(plan: Plan): Attribute {
  return plan.attribute ?? { root: plan.run, qualifiers: [], ownCost: 1 };
}

function compileAttribute({ root, qualifiers }: Attribute, ownCost: number): Evaluate {
  if (qualifiers.length === 0) {
    if (ownCost === 0) return root;
    return (frame) => {
      frame.cost += ownCost;
      return root(frame);
    };
  }
  const keys = qualifiers.map((q) => q.constant);
  const plain = qualifiers.every((q) => q.constant !== undefined && !q.optional);
  return plain
    ? compileFields(root, keys as Value[], ownCost + keys.length)
    : (frame) => walk(root(frame), qualifiers, ownCost, frame);
}

/** Constant keys, the usual case. */
function compileFields(root: Evaluate, keys: readonly Value[], cost: number): Evaluate {
  if (keys.length === 1) {
    const [key] = keys;
    return (frame) => {
      frame.cost += cost;
      const target = root(frame);
      return target instanceof Optional ? optionalFields(target, keys) : fieldOf(target, key);
    };
  }
  return (frame) => {
    frame.cost += cost;
    let value = root(frame);
    if (value instanceof Optional) return optionalFields(value, keys);
    for (let i = 0; i < keys.length; i++) value = fieldOf(value, keys[i]);
    return value;
  };
}

function optionalFields(target: Optional, keys: readonly Value[]): Value {
  let value = target.value;
  for (const key of keys) {
    if (value === undefined) return NONE;
    value = findField(value, key);
  }
  return value === undefined ? NONE : new Optional(value);
}

type KeyedFrame = Parameters<Evaluate>[0];

function walk(root: Value, qualifiers: readonly Qualifier[], ownCost: number, frame: KeyedFrame): Value {
  frame.cost += ownCost;
  let optional = root instanceof Optional;
  let value: Value | undefined = root instanceof Optional ? root.value : root;
  for (const qualifier of qualifiers) {
    if (value === undefined) return NONE;
    const key = qualifier.key(frame);
    optional ||= qualifier.optional;
    value = optional ? findField(value, key) : fieldOf(value, key);
    if (value !== undefined) frame.cost++;
  }
  if (value === undefined) return NONE;
  return optional ? new Optional(value) : value;
}

/** `has(a.b.c)`: whether the last field is there. Fields before it must be. */
export function presenceTest({ root, qualifiers }: Attribute, field: string): Plan {
  const before = compileAttribute({ root, qualifiers, ownCost: 0 }, 0);
  return {
    run: (frame) => {
      const target = before(frame);
      frame.cost++;
      const value = target instanceof Optional ? target.value : target;
      return value !== undefined && findField(value, field) !== undefined;
    },
  };
}

/** A field or element that must be there. Throws EvalError. */
function fieldOf(target: Value, key: Value): Value {
  const value = findField(target, key);
  if (value !== undefined) return value;
  throw new EvalError(
    target instanceof ListValue ? `index out of bounds: ${describe(key)}` : `no such key: ${describe(key)}`,
  );
}

function findField(target: Value, key: Value): Value | undefined {
  if (target instanceof MapValue) return target.find(key);
  if (!(target instanceof ListValue)) return undefined;
  const index = indexOf(key);
  return index >= 0 && index < target.size ? target.at(index) : undefined;
}

function indexOf(key: Value): number {
  if (isInt(key)) return Number(key);
  if (key instanceof Uint) return Number(key.value);
  if (key instanceof Double) {
    if (Number.isInteger(key.value)) return key.value;
    throw new EvalError(`unsupported index value ${key.value} in list`);
  }
  throw new EvalError(`unsupported index type '${typeOfValue(key).name}' in list`);
}

/** A key in a message. */
function describe(key: Value): string {
  if (typeof key === "object" && key !== null) {
    if (key instanceof Uint || key instanceof Double) return String(key.value);
    throw noSuchOverload();
  }
  return String(key);
}
