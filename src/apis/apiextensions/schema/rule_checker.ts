// Checks the expressions of a schema's rules: that they compile, what they cost at most, where they may use the old
// value.
import type * as rules from "../../../machinery/cel/schema/rules.ts";
import type { CompiledRule, RuleCompiler } from "../../../machinery/cel/schema/rules.ts";
import type * as declared from "../../../machinery/cel/schema/declared_type.ts";
import { hasRules } from "../../../machinery/cel/schema/has_rules.ts";
import type * as validator from "../../../machinery/cel/schema/rule_validator.ts";
import { RULE_ESTIMATE_LIMIT, SCHEMA_ESTIMATE_LIMIT } from "../../../machinery/cel/cost/factors.ts";
import { UNBOUNDED } from "../../../machinery/cel/cost/range.ts";
import type { Json, JsonObject } from "../../../machinery/types.ts";
import type { Field } from "../../../machinery/validation/mod.ts";
import type { ValidationRule } from "../../../facts/generated/types.ts";
import { internalForm } from "../../internal_form.ts";
import type { JsonSchema } from "./json_schema.ts";
import type { RuleChecker, SchemaNode } from "./rules.ts";

interface Compiler {
  RuleCompiler: typeof rules.RuleCompiler;
  declaredType: typeof declared.declaredType;
  RuleValidator: typeof validator.RuleValidator;
}

let compiler: Compiler | undefined;

/** Has to be awaited once before {@link ruleChecker}: only schemas with rules need the expression language. */
export async function loadRuleCompiler(): Promise<void> {
  if (compiler !== undefined) return;
  const [{ RuleCompiler }, { declaredType }, { RuleValidator }] = await Promise.all([
    import("../../../machinery/cel/schema/rules.ts"),
    import("../../../machinery/cel/schema/declared_type.ts"),
    import("../../../machinery/cel/schema/rule_validator.ts"),
  ]);
  compiler = { RuleCompiler, declaredType, RuleValidator };
}

/** A checker for one schema; undefined when the language has not been loaded, since no schema has rules. */
export function ruleChecker(): RuleChecker | undefined {
  return compiler === undefined ? undefined : new Checker(compiler);
}

/** How many of the most expensive rules are named when all together cost too much. */
const NAMED = 4;

class Checker implements RuleChecker {
  #total = 0;
  readonly #expensive: { path: string; cost: number }[] = [];

  constructor(readonly compiler: Compiler) {}

  check(node: SchemaNode, at: Field): void {
    const isRoot = node.edge.kind === "root" || node.schema["x-kubernetes-embedded-resource"] === true;
    const type = this.compiler.declaredType(node.schema, isRoot);
    if (type === undefined) {
      at.internal(
        "internal error: failed to construct type information for x-kubernetes-validations rules: " +
          "unable to convert structural schema to CEL declarations",
      );
      return;
    }
    const ruleCompiler = new this.compiler.RuleCompiler(type);
    const cardinality = cardinalityOf(node) ?? ruleCompiler.cardinality;
    const rules = node.schema["x-kubernetes-validations"] ?? [];
    rules.forEach((rule, i) => this.#checkRule(node, ruleCompiler, rule, cardinality, at.index(i)));
  }

  /** A default has to hold in an object that has just got it and in one that has had it. */
  checkDefault(schema: JsonSchema, value: Json, at: Field, { isRoot }: { isRoot: boolean }): void {
    if (!hasRules(schema)) return;
    const validator = new this.compiler.RuleValidator(schema, isRoot);
    const errors = validator.validate(value, { at: at.path, old: value, unforgiving: true });
    at.add(errors.length > 0 ? errors : validator.validate(value, { at: at.path }));
  }

  finish(at: Field): void {
    if (this.#total <= SCHEMA_ESTIMATE_LIMIT) return;
    for (const { path } of this.#expensive) {
      at.top(path).forbidden(
        "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
      );
    }
    at.forbidden(
      tooExpensive(
        "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
        this.#total,
        SCHEMA_ESTIMATE_LIMIT,
      ),
    );
  }

  #checkRule(node: SchemaNode, ruleCompiler: RuleCompiler, rule: ValidationRule, cardinality: number, at: Field): void {
    const compiled = ruleCompiler.compile(rule);
    const cost = Math.min((compiled.rule?.maxCost ?? 0) * cardinality, UNBOUNDED);
    this.#checkCost("estimated rule cost", cost, at.child("rule"));
    this.#observe(cost, at.child("rule"));
    if (compiled.ruleError !== undefined) at.child("rule").invalid(shown(rule), compiled.ruleError);
    this.#checkMessage(compiled, rule, at.child("messageExpression"));
    if (compiled.usesOldSelf) {
      if (node.uncorrelatable === undefined) return;
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${node.uncorrelatable}`;
      at.child("rule").invalid(rule.rule ?? "", detail);
    } else if (rule.optionalOldSelf !== undefined) {
      at.child("optionalOldSelf").invalid(rule.optionalOldSelf, "may not be set if oldSelf is not used in rule");
    }
  }

  #checkMessage({ message, messageError }: CompiledRule, rule: ValidationRule, at: Field): void {
    if (messageError !== undefined) at.invalid(shown(rule), messageError);
    if (message === undefined) return;
    this.#checkCost("estimated messageExpression cost", message.maxCost, at);
    this.#observe(message.maxCost, at);
  }

  #checkCost(what: string, cost: number, at: Field): void {
    if (cost > RULE_ESTIMATE_LIMIT) at.forbidden(tooExpensive(what, cost, RULE_ESTIMATE_LIMIT));
  }

  #observe(cost: number, at: Field): void {
    this.#total = Math.min(this.#total + cost, UNBOUNDED);
    if (cost < SCHEMA_ESTIMATE_LIMIT / 100) return;
    this.#expensive.push({ path: at.text, cost });
    this.#expensive.sort((a, b) => b.cost - a.cost);
    this.#expensive.length = Math.min(this.#expensive.length, NAMED);
  }
}

function shown(rule: ValidationRule): JsonObject {
  return internalForm("ValidationRule", rule) as JsonObject;
}

/** How often a schema's data can be in an object; undefined when that is not bounded. */
function cardinalityOf({ parent }: SchemaNode): number | undefined {
  if (parent === undefined) return 1;
  const outer = cardinalityOf(parent), own = maxElements(parent.schema);
  return outer === undefined || own === undefined ? undefined : Math.min(outer * own, UNBOUNDED);
}

function maxElements({ type, additionalProperties, maxProperties, maxItems }: JsonSchema): number | undefined {
  if (type === "array") return maxItems === undefined ? undefined : Math.max(maxItems, 0);
  if (type !== "object" || additionalProperties === undefined) return 1;
  return maxProperties === undefined ? undefined : Math.max(maxProperties, 0);
}

function tooExpensive(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const times = factor > 100 ? "more than 100" : factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1);
  return `${what} exceeds budget by factor of ${times}x (try simplifying the rule, or adding maxItems, maxProperties, ` +
    "and maxLength where arrays, maps, and strings are declared)";
}
