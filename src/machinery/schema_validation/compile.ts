// A schema as closures: one for each of its keywords that says something, put together when a value first needs them.
import { isObject, type Json } from "../types.ts";
import type { JSONSchema } from "../schema/structural_schema.ts";
import { allOfCheck, anyOfCheck, notCheck, oneOfCheck } from "./alternatives.ts";
import { listCheck, objectCheck } from "./containers.ts";
import { unchanged } from "./correlation.ts";
import type { Check } from "./run.ts";
import { enumCheck, formatCheck, numberCheck, stringCheck, typeCheck } from "./scalars.ts";

const compiled = new WeakMap<JSONSchema, Check>();

/** Checks a value and forgives what is wrong in it when it has not changed. */
export function compile(schema: JSONSchema): Check {
  let known = compiled.get(schema);
  if (known === undefined) {
    const check = compileBranch(schema);
    known = (value, run, before) => {
      if (before === undefined) return check(value, run, before);
      const count = run.errors.length;
      check(value, run, before);
      if (run.errors.length > count && unchanged(value, before)) run.errors.length = count;
    };
    compiled.set(schema, known);
  }
  return known;
}

const branches = new WeakMap<JSONSchema, Check>();

/** Checks a value as one of several schemas of the same place: whether it has changed is asked there. */
export function compileBranch(schema: JSONSchema): Check {
  let known = branches.get(schema);
  if (known === undefined) {
    let parts: Parts | undefined;
    known = (value, run, before) => {
      parts ??= partsOf(schema);
      if (value === null) {
        if (parts.type === undefined) run.matches++;
        else parts.type(value, run, before);
        parts.enum?.(value, run, before);
        return;
      }
      if (parts.type !== undefined) {
        parts.type(value, run, before);
        run.matches++;
      }
      for (const check of parts.alternatives) check(value, run, before);
      run.matches += 2;
      for (const check of checksOf(parts, value)) check(value, run, before);
      parts.enum?.(value, run, before);
      run.matches += 2;
    };
    branches.set(schema, known);
  }
  return known;
}

interface Parts {
  type: Check | undefined;
  alternatives: readonly Check[];
  string: readonly Check[];
  number: readonly Check[];
  list: readonly Check[];
  object: readonly Check[];
  enum: Check | undefined;
}

function partsOf(schema: JSONSchema): Parts {
  return {
    type: typeCheck(schema),
    alternatives: present(anyOfCheck(schema), oneOfCheck(schema), allOfCheck(schema), notCheck(schema)),
    string: [counted(stringCheck(schema)), ...present(formatCheck(schema)).map(counted)],
    number: [counted(numberCheck(schema))],
    list: [counted(listCheck(schema))],
    object: [counted(objectCheck(schema))],
    enum: enumCheck(schema),
  };
}

function present(...checks: (Check | undefined)[]): Check[] {
  return checks.filter((check) => check !== undefined);
}

function counted(check: Check | undefined): Check {
  return (value, run, before) => {
    check?.(value, run, before);
    run.matches++;
  };
}

const NONE: readonly Check[] = [];

function checksOf(parts: Parts, value: Json): readonly Check[] {
  switch (typeof value) {
    case "string":
      return parts.string;
    case "number":
    case "bigint":
      return parts.number;
    case "boolean":
      return NONE;
    default:
      return isObject(value) ? parts.object : parts.list;
  }
}
