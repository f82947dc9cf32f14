// Match conditions of webhooks (KEP-3221): expressions over the review that decide whether the webhook is asked.
import { AggregateFailure } from "../machinery/aggregate_error.ts";
import { baseEnvironment, CompileError, compileExpression, EvalError, type Program } from "../machinery/cel/mod.ts";
import { structsOf } from "../machinery/cel/structs.ts";
import { BOOL, formatType, listOf, mapOf, STRING, structOf } from "../machinery/cel/types.ts";
import { dynamicValue } from "../machinery/cel/values/json.ts";
import type { Json } from "../machinery/types.ts";
import type { Field } from "../machinery/validation/mod.ts";
import type { AccessReviewSpec } from "./access_review.ts";
import type { ReviewMatcher } from "./webhook.ts";

const PREFIX = "kubernetes.";
const REVIEW = structOf(`${PREFIX}SubjectAccessReviewSpec`);
const SELECTOR = { rawSelector: STRING, requirements: listOf(structOf(`${PREFIX}SelectorRequirement`)) };
const STRUCTS = structsOf({
  [REVIEW.name]: {
    resourceAttributes: structOf(`${PREFIX}ResourceAttributes`),
    nonResourceAttributes: structOf(`${PREFIX}NonResourceAttributes`),
    user: STRING,
    groups: listOf(STRING),
    extra: mapOf(STRING, listOf(STRING)),
    uid: STRING,
  },
  [`${PREFIX}ResourceAttributes`]: {
    namespace: STRING,
    verb: STRING,
    group: STRING,
    version: STRING,
    resource: STRING,
    subresource: STRING,
    name: STRING,
    fieldSelector: structOf(`${PREFIX}FieldSelectorAttributes`),
    labelSelector: structOf(`${PREFIX}LabelSelectorAttributes`),
  },
  [`${PREFIX}NonResourceAttributes`]: { path: STRING, verb: STRING },
  [`${PREFIX}FieldSelectorAttributes`]: SELECTOR,
  [`${PREFIX}LabelSelectorAttributes`]: SELECTOR,
  [`${PREFIX}SelectorRequirement`]: { key: STRING, operator: STRING, values: listOf(STRING) },
});
const MOST = 64;

interface Condition {
  expression: string;
  program: Program;
}

/** Reports at `at` what is wrong with the expressions; undefined when there are none that are right. */
export function compileMatchConditions(expressions: readonly string[], at: Field): ReviewMatcher | undefined {
  if (expressions.length > MOST) {
    at.tooMany(expressions.length, MOST);
    return undefined;
  }
  const environment = baseEnvironment().extend({ request: REVIEW }, STRUCTS);
  const conditions = expressions.flatMap((expression, i): Condition[] => {
    const here = at.index(i).child("expression");
    if (expression.trim() === "") here.required();
    else if (expressions.indexOf(expression) < i) here.duplicate(expression);
    else {
      try {
        const compiled = compileExpression(expression, environment);
        if (compiled.type === BOOL) return [{ expression, program: compiled.program() }];
        here.invalid(expression, `must evaluate to bool but got ${formatType(compiled.type)}`);
      } catch (e) {
        here.invalid(expression, problemOf(e));
      }
    }
    return [];
  });
  return conditions.length === 0 ? undefined : (spec, failed) => matches(conditions, spec, failed);
}

function problemOf(e: unknown): string {
  if (e instanceof CompileError) return `compilation failed: ${e.message}`;
  if (e instanceof EvalError) return `program instantiation failed: ${e.message}`;
  throw e;
}

/** The first that is false decides, whatever others cannot say. Throws an Error when some cannot and none is false. */
function matches(conditions: readonly Condition[], spec: AccessReviewSpec, failed?: () => void): boolean {
  const request = dynamicValue(complete(spec));
  const errors: Error[] = [];
  for (const { expression, program } of conditions) {
    const { value, error } = program.evaluate(() => request);
    if (value === false) return false;
    if (error === undefined) continue;
    failed?.();
    errors.push(new Error(`cel evaluation error: expression '${expression}' resulted in error: ${error}`));
  }
  if (errors.length > 0) throw new AggregateFailure(errors);
  return true;
}

/** Expressions see text that is empty as well; only what the review is about may be missing. */
function complete({ resourceAttributes, nonResourceAttributes, ...who }: AccessReviewSpec): Json {
  const texts = { namespace: "", verb: "", group: "", version: "", resource: "", subresource: "", name: "" };
  return {
    user: "",
    groups: [],
    uid: "",
    extra: {},
    ...who,
    ...resourceAttributes && { resourceAttributes: { ...texts, ...resourceAttributes } },
    ...nonResourceAttributes && { nonResourceAttributes: { path: "", verb: "", ...nonResourceAttributes } },
  } as unknown as Json;
}
