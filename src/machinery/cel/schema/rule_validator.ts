// Runs the rules of a schema (x-kubernetes-validations, KEP-2876) on objects: in the order of the schema's parts, within
// one budget of cost for the whole object, forgiving what has not changed (ratcheting, KEP-4008).
import { MAX_MESSAGE, OBJECT_BUDGET } from "../cost/factors.ts";
import { adapterOf } from "./adapter.ts";
import { declaredType } from "./declared_type.ts";
import { type CompiledRule, RuleCompiler } from "./rules.ts";
import { EvalError } from "../values/errors.ts";
import type { Adapter } from "../values/json.ts";
import { NONE, Optional, type Value } from "../values/value.ts";
import { duplicate, type FieldError, forbidden, formatFieldError, invalid, Path, required } from "../../field_error.ts";
import { goQuote } from "../../go_text.ts";
import { additionalOf, itemsOf, type JSONSchema } from "../../schema/structural_schema.ts";
import { isObject, type Json } from "../../types.ts";
import { resolveFieldPath } from "../../schema/field_path.ts";
import type { ValidationRule } from "../../../facts/generated/types.ts";
import { elementBefore, memberBefore, unchanged } from "../../schema_validation/correlation.ts";
import type { Before } from "../../schema_validation/run.ts";
import { hasRules } from "./has_rules.ts";
import { lookUp } from "../../look_up.ts";

const EMBEDDED = "x-kubernetes-embedded-resource";

export interface RuleOptions {
  /** The field that the value is; unset, it is a whole object. */
  at?: Path;
  /** The object before an update. */
  old?: Json;
  /** What has not changed is an error all the same. */
  unforgiving?: boolean;
  /** Takes what is wrong but forgiven. */
  warn?(message: string): void;
}

/** Validates objects of a schema by its rules; each part is compiled when an object first has it. */
export class RuleValidator {
  readonly #root: SchemaRules;

  /** @param isRoot the schema is that of whole objects */
  constructor(readonly schema: JSONSchema, isRoot = true) {
    this.#root = new SchemaRules(schema, isRoot);
  }

  validate(
    value: Json,
    { at = NO_PATH, old, unforgiving = false, warn = () => {} }: RuleOptions = {},
  ): FieldError[] {
    const before = old === undefined || unforgiving ? undefined : { value: old, schema: this.schema };
    const run: RuleRun = { errors: [], budget: OBJECT_BUDGET, warn };
    this.#root.validate(run, at, value, old, { current: before });
    return run.errors;
  }
}

/** The object as a whole has no name in messages. */
const NO_PATH = new Path("");
const NO_NAME = new Path("<nil>");

interface RuleRun {
  readonly errors: FieldError[];
  /** Negative once nothing more is to be run. */
  budget: number;
  readonly warn: (message: string) => void;
}

/** What a value was before, as far as that can be said; else the nearest part around it of which it can. */
interface Correlation {
  readonly current?: Before;
  readonly around?: Before;
}

function step(from: Correlation, current: (before: Before) => Before | undefined): Correlation {
  return from.current === undefined ? from : { current: current(from.current), around: from.current };
}

function isForgiven(value: Json, { current, around }: Correlation, aroundValue: Json | undefined): boolean {
  if (current !== undefined) return unchanged(value, current);
  return around !== undefined && aroundValue !== undefined && unchanged(aroundValue, around);
}

/** The rules of one schema and of those in it. */
class SchemaRules {
  readonly #schema: JSONSchema;
  readonly #isRoot: boolean;
  readonly #members = new Map<string, SchemaRules | undefined>();
  #items: SchemaRules | undefined;
  #compiled: CompiledRule[] | undefined;
  #adapter: Adapter | undefined;

  constructor(schema: JSONSchema, isRoot: boolean) {
    this.#schema = schema;
    this.#isRoot = isRoot;
  }

  /** @param around the value that `correlation.around` was before */
  validate(
    run: RuleRun,
    at: Path,
    value: Json,
    old: Json | undefined,
    correlation: Correlation,
    around?: Json,
  ): void {
    if (value === null || run.budget < 0) return;
    this.#validateOwn(run, at, value, old ?? undefined, () => isForgiven(value, correlation, around));
    const aroundOf = (inner: Correlation) => inner === correlation ? around : value;
    if (Array.isArray(value)) this.#validateElements(run, at, value, old, correlation, aroundOf);
    else if (isObject(value)) this.#validateMembers(run, at, value, old, correlation, aroundOf);
  }

  #validateMembers(
    run: RuleRun,
    at: Path,
    value: Json,
    old: Json | undefined,
    correlation: Correlation,
    aroundOf: (inner: Correlation) => Json | undefined,
  ): void {
    const isWhole = correlation.around === undefined;
    for (const [name, member] of Object.entries(value as Record<string, Json>)) {
      if (run.budget < 0) return;
      const rules = this.#member(name);
      if (rules === undefined || member === undefined) continue;
      const isNamed = Object.hasOwn(this.#schema.properties ?? {}, name);
      const isHeader = isWhole && (name === "kind" || name === "apiVersion");
      const inner = isHeader ? {} : step(correlation, (before) => memberBefore(name, before, false));
      const oldMember = isObject(old) ? lookUp(old, name) : undefined;
      rules.validate(run, isNamed ? at.child(name) : at.key(name), member, oldMember, inner, aroundOf(inner));
    }
  }

  #validateElements(
    run: RuleRun,
    at: Path,
    value: Json[],
    old: Json | undefined,
    correlation: Correlation,
    aroundOf: (inner: Correlation) => Json | undefined,
  ): void {
    const items = itemsOf(this.#schema);
    if (items === undefined || !hasRules(items)) return;
    const rules = this.#items ??= new SchemaRules(items, items[EMBEDDED] === true);
    const oldList = Array.isArray(old) ? { value: old, schema: this.#schema } : undefined;
    for (const [i, element] of value.entries()) {
      if (run.budget < 0) return;
      const inner = step(correlation, (before) => elementBefore(element, before));
      const oldElement = oldList && elementBefore(element, oldList)?.value;
      rules.validate(run, at.index(i), element, oldElement, inner, aroundOf(inner));
    }
  }

  /** Undefined when nothing in the member's schema has rules. */
  #member(name: string): SchemaRules | undefined {
    const { properties } = this.#schema;
    const isNamed = properties !== undefined && Object.hasOwn(properties, name);
    // All members that are not named have one schema.
    const key = isNamed ? name : "";
    if (!this.#members.has(key)) {
      const schema = isNamed ? properties[name] : additionalOf(this.#schema);
      const rules = schema && hasRules(schema) ? new SchemaRules(schema, schema[EMBEDDED] === true) : undefined;
      this.#members.set(key, rules);
    }
    return this.#members.get(key);
  }

  get #rules(): readonly ValidationRule[] {
    return this.#schema["x-kubernetes-validations"] ?? [];
  }

  #validateOwn(run: RuleRun, at: Path, value: Json, old: Json | undefined, forgiven: () => boolean): void {
    if (this.#rules.length === 0) return;
    const field = at.text === "" ? NO_NAME : at;
    if (run.budget <= 0) return this.#stop(run, field, OUT_OF_BUDGET);
    const compiled = this.#compiled ??= this.#compile();
    const adapt = this.#adapter ??= adapterOf(this.#schema, this.#isRoot);
    const self = once(() => adapt(value)), oldSelf = once(() => old === undefined ? null : adapt(old));
    this.#rules.forEach((rule, i) => {
      if (run.budget < 0) return;
      const { usesOldSelf } = compiled[i];
      if (usesOldSelf && old === undefined && !rule.optionalOldSelf) return;
      const plain = (name: string): Value => {
        if (name === "self") return self();
        if (old === undefined) throw new EvalError(`no such attribute(s): ${name}`);
        return oldSelf();
      };
      const optional = (name: string): Value => {
        if (name === "self") return self();
        return old === undefined ? NONE : new Optional(oldSelf());
      };
      const variable = rule.optionalOldSelf ? optional : plain;
      this.#evaluate(run, { at, field, value, rule, compiled: compiled[i], variable, plain, forgiven });
    });
  }

  #compile(): CompiledRule[] {
    const type = declaredType(this.#schema, this.#isRoot);
    if (type === undefined) {
      return this.#rules.map(() => ({
        ruleError: "failed to convert to declType for CEL validation rules",
        usesOldSelf: false,
      }));
    }
    const compiler = new RuleCompiler(type);
    return this.#rules.map((rule) => compiler.compile(rule));
  }

  /** An error that shows the schema's type for a value. */
  #invalid(field: Path, detail: string): FieldError {
    return invalid(field, this.#schema.type ?? "", detail);
  }

  #stop(run: RuleRun, field: Path, detail: string): void {
    run.errors.push(this.#invalid(field, detail));
    run.budget = -1;
  }

  #evaluate(run: RuleRun, evaluation: Evaluation): void {
    const { field, rule, compiled, variable } = evaluation;
    if (compiled.ruleError !== undefined) {
      run.errors.push(this.#invalid(field, `rule compile error: ${compiled.ruleError}`));
      return;
    }
    if (compiled.rule === undefined) return;
    const outcome = compiled.rule.program.evaluate(variable);
    if (outcome.cost > run.budget) return this.#stop(run, field, OUT_OF_BUDGET);
    run.budget -= outcome.cost;
    const { error } = outcome, name = ruleName(rule);
    if (error === undefined) {
      if (outcome.value !== true) this.#fail(run, evaluation);
    } else if (error.startsWith("no such overload")) {
      const why = "call arguments did not match a supported operator, function or macro signature for rule";
      run.errors.push(this.#invalid(field, `'${error}': ${why}: ${name}`));
    } else if (error.startsWith(LIMIT_EXCEEDED)) {
      const why = "no further validation rules will be run due to call cost exceeds limit for rule";
      this.#stop(run, field, `'${error}': ${why}: ${name}`);
    } else {
      run.errors.push(this.#invalid(field, `${error} evaluating rule: ${name}`));
    }
  }

  /** The rule does not hold: its message may come from an expression of its own. */
  #fail(run: RuleRun, evaluation: Evaluation): void {
    const { at, value, rule, compiled, forgiven } = evaluation;
    const field = this.#errorField(at, rule);
    const add = (error: FieldError) => {
      if (!compiled.usesOldSelf && forgiven()) run.warn(formatFieldError(error));
      else run.errors.push(error);
    };
    const message = compiled.message && this.#message(run, evaluation);
    if (message?.fatal !== undefined) {
      add(this.#invalid(field, message.fatal));
      run.budget = -1;
      return;
    }
    const detail = message?.text ?? (rule.message ? rule.message.trim() : `failed rule: ${ruleName(rule)}`);
    const { type } = this.#schema;
    const error = errorFor(rule, field, value, detail);
    add(type === "object" || type === "array" ? { ...error, withoutValue: true } : error);
  }

  #errorField(at: Path, rule: ValidationRule): Path {
    if (rule.fieldPath) {
      const resolved = resolveFieldPath(rule.fieldPath, this.#schema);
      if (!("problem" in resolved)) return at.child(resolved.path.text);
    }
    return at.text === "" ? NO_NAME : at;
  }

  /** The text of a message expression; neither text nor fatal error when it fails and the rule's own message counts. */
  #message(run: RuleRun, { rule, compiled, plain }: Evaluation): { text?: string; fatal?: string } {
    const outcome = compiled.message!.program.evaluate(plain);
    if (outcome.cost > run.budget) {
      return {
        fatal:
          "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run",
      };
    }
    if (outcome.error?.startsWith(LIMIT_EXCEEDED)) {
      const source = goQuote(rule.messageExpression ?? "");
      return {
        fatal:
          `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${source}`,
      };
    }
    run.budget -= outcome.cost;
    if (typeof outcome.value !== "string") return {};
    const text = outcome.value.trim();
    const isFit = text !== "" && !text.includes("\n") && new TextEncoder().encode(text).length <= MAX_MESSAGE;
    return isFit ? { text } : {};
  }
}

/** One rule on one value. */
interface Evaluation {
  readonly at: Path;
  /** Where its errors are, unless the rule names a field. */
  readonly field: Path;
  readonly value: Json;
  readonly rule: ValidationRule;
  readonly compiled: CompiledRule;
  readonly variable: (name: string) => Value;
  /** The same with the old value as it is: what message expressions get, whatever their rule gets. */
  readonly plain: (name: string) => Value;
  /** Whether nothing has changed that the rule is about. */
  readonly forgiven: () => boolean;
}

const OUT_OF_BUDGET = "validation failed due to running out of cost budget, no further validation rules will be run";
const LIMIT_EXCEEDED = "operation cancelled: actual cost limit exceeded";

/** Rules share the values of their variables. */
function once(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => value === undefined ? value = make() : value;
}

function ruleName({ rule = "", message = "" }: ValidationRule): string {
  return (message === "" ? rule : message).trim();
}

function errorFor({ reason }: ValidationRule, field: Path, value: Json, detail: string): FieldError {
  switch (reason) {
    case "FieldValueForbidden":
      return forbidden(field, detail);
    case "FieldValueRequired":
      return required(field, detail);
    case "FieldValueDuplicate":
      return duplicate(field, value);
    default:
      return invalid(field, value, detail);
  }
}
