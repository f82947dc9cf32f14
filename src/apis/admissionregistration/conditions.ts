// Expressions that decide whether a webhook or a policy looks at a request at all.
import { type Field, validateQualifiedName } from "../../machinery/validation/mod.ts";
import type { MatchCondition } from "../../facts/generated/types.ts";
import { checkCompilation, policyCompiler } from "./expressions.ts";

const MAX_CONDITIONS = 64;

/**
 * The expression language has to be loaded when there are any.
 * @param params expressions may use `params`
 */
export function checkConditions(
  conditions: readonly MatchCondition[],
  at: Field,
  { params }: { params: boolean },
): void {
  if (conditions.length === 0) return;
  if (conditions.length > MAX_CONDITIONS) at.tooMany(conditions.length, MAX_CONDITIONS);
  const compiler = policyCompiler({ params, variables: false });
  const seen = new Set<string>();
  conditions.forEach(({ name = "", expression = "" }, i) => {
    const field = at.index(i), source = expression.trim(), expressionField = field.child("expression");
    if (source === "") expressionField.required();
    else checkCompilation(compiler.compile(source, "condition"), source, expressionField);
    if (name === "") return field.child("name").required();
    validateQualifiedName(name, field.child("name"));
    if (seen.has(name)) field.child("name").duplicate(name);
    seen.add(name);
  });
}
