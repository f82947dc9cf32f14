import assert from "node:assert/strict";
import { selectorMatches } from "./labels.ts";

Deno.test("a selector is fulfilled by labels that there are, whatever their keys are called", () => {
  const cases: [operator: string, value: string | undefined, matches: boolean][] = [
    ["Exists", undefined, false],
    ["DoesNotExist", undefined, true],
    ["In", undefined, false],
    ["NotIn", undefined, true],
    ["Exists", "b", true],
    ["DoesNotExist", "b", false],
    ["In", "a", true],
    ["In", "b", false],
    ["NotIn", "a", false],
    ["NotIn", "b", true],
  ];
  for (const key of ["app", "constructor"]) {
    for (const [operator, value, matches] of cases) {
      const labels: Record<string, string> = value === undefined ? {} : { [key]: value };
      const values = operator.endsWith("In") ? ["a"] : undefined;
      const selector = { matchExpressions: [{ key, operator, values }] };
      assert.equal(selectorMatches(selector, labels), matches, `${key} ${operator} ${JSON.stringify(labels)}`);
    }
  }
  assert.equal(selectorMatches({ matchLabels: { app: "a" } }, { app: "a" }), true);
  assert.equal(selectorMatches({ matchLabels: { app: "a" } }, {}), false);
  assert.equal(selectorMatches({}, {}), true);
  assert.equal(selectorMatches(undefined, {}), false);
});
