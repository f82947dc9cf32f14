// Lists and objects: their members, which of them must be there, and how many there may be.
import type { Json, JsonObject } from "../types.ts";
import { additionalOf, itemsOf, type JSONSchema } from "../schema/structural_schema.ts";
import { compile } from "./compile.ts";
import { elementBefore, memberBefore } from "./correlation.ts";
import { canonicalText } from "./list_types.ts";
import type { Check } from "./run.ts";

export function listCheck(schema: JSONSchema): Check {
  const { minItems, maxItems, uniqueItems } = schema;
  const items = itemsOf(schema);
  const check = items && compile(items);
  return (value, run, before) => {
    const list = value as Json[];
    if (check !== undefined) {
      for (let i = 0; i < list.length; i++) {
        run.enter(`[${i}]`);
        check(list[i], run, before && elementBefore(list[i], before));
        run.leave();
      }
    }
    if (minItems !== undefined && list.length < minItems) {
      run.invalid(`should have at least ${minItems} items`, list.length);
    }
    if (maxItems !== undefined && list.length > maxItems) run.add("FieldValueTooMany", tooMany(list.length, maxItems));
    if (uniqueItems && new Set(list.map(canonicalText)).size < list.length) {
      run.invalid("shouldn't contain duplicates", "");
    }
    run.matches++;
  };
}

function tooMany(value: number, max: number): { value: number; detail: string } {
  return { value, detail: `must have at most ${max} item${max === 1 ? "" : "s"}` };
}

export function objectCheck(schema: JSONSchema): Check {
  const { minProperties, maxProperties, required = [], additionalProperties } = schema;
  const properties = new Map(Object.entries(schema.properties ?? {}));
  const checks = new Map<string, Check>();
  const additional = additionalOf(schema);
  const checkOf = (name: string): Check | undefined => {
    let check = checks.get(name);
    const property = check === undefined && properties.get(name);
    if (property) checks.set(name, check = compile(property));
    return check;
  };
  const checkUnnamed = additional && compile(additional);
  const counts = minProperties !== undefined || maxProperties !== undefined;
  return (value, run, before) => {
    const object = value as JsonObject;
    if (counts) {
      const count = Object.keys(object).length;
      if (minProperties !== undefined && count < minProperties) {
        run.invalid(`should have at least ${minProperties} properties`, count);
      }
      if (maxProperties !== undefined && count > maxProperties) {
        run.add("FieldValueTooMany", tooMany(count, maxProperties));
      }
    }
    for (const name in object) {
      if (properties.has(name)) continue;
      if (additionalProperties === false) {
        run.add("FieldValueInvalid", { value: name, detail: `${run.place}.${name} in body is a forbidden property` });
      } else if (checkUnnamed !== undefined) {
        const was = memberBefore(name, before, run.isRoot);
        run.enter(`.${name}`);
        checkUnnamed(object[name]!, run, was);
        run.leave();
      }
    }
    for (const name in object) {
      const check = checkOf(name);
      if (check !== undefined) run.member(name, object[name]!, check, memberBefore(name, before, run.isRoot));
    }
    for (const name of required) {
      if (!Object.hasOwn(object, name)) run.add("FieldValueRequired", { step: `.${name}` });
    }
  };
}
