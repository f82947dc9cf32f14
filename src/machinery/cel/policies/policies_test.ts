import assert from "node:assert/strict";
import { type Compilation, PolicyCompiler, type Purpose } from "./compiler.ts";
import { OutOfBudget, PolicyEvaluation, type PolicyInput, type Result } from "./evaluation.ts";
import { misplacedTypes, patchJson } from "./patches.ts";

const INPUT: PolicyInput = {
  object: { metadata: { name: "a", labels: { x: "y" } }, data: { k: "1" } },
  oldObject: undefined,
  params: { max: 3 },
  request: { operation: "CREATE", userInfo: { username: "u" }, options: {} },
  namespaceObject: { metadata: { name: "n" }, spec: {}, status: {} },
};

function compilerOf(variables: Readonly<Record<string, string>> = {}, params = true): PolicyCompiler {
  const compiler = new PolicyCompiler({ params, variables: true });
  for (const [name, source] of Object.entries(variables)) compiler.declare(name, source);
  return compiler;
}

function errorOf(source: string, purpose: Purpose, compiler = compilerOf()): string | undefined {
  const compilation = compiler.compile(source, purpose);
  return "error" in compilation ? compilation.error : undefined;
}

function run(compilation: Compilation, compiler = compilerOf(), budget = 1e6): Result {
  if ("error" in compilation) throw new Error(compilation.error);
  return new PolicyEvaluation(INPUT, compiler.variables, budget).evaluate(compilation);
}

function evaluate(source: string, purpose: Purpose = "condition", compiler = compilerOf()): Result {
  return run(compiler.compile(source, purpose), compiler);
}

Deno.test("an expression gives what it is there for", () => {
  assert.equal(errorOf("'text'", "condition"), "must evaluate to bool but got string");
  assert.equal(errorOf("object.x", "condition"), "must evaluate to bool but got dyn");
  assert.equal(errorOf("true", "annotation"), "must evaluate to one of [string null_type] but got bool");
  assert.equal(errorOf("null", "annotation"), undefined);
  assert.equal(errorOf("'text'", "JSON patch"), "must evaluate to list(JSONPatch) but got string");
  assert.equal(errorOf("Object.spec{}", "apply configuration"), "must evaluate to Object but got Object.spec");
});

Deno.test("params, authorizer and patches are known where they may be used", () => {
  assert.match(errorOf("params.x == 1", "condition", compilerOf({}, false))!, /undeclared reference to 'params'/);
  assert.match(
    errorOf("string(authorizer.path('/a').check('get').allowed())", "message")!,
    /reference to 'authorizer'/,
  );
  assert.match(errorOf("Object{} == Object{}", "condition")!, /undeclared reference to 'Object'/);
  assert.equal(errorOf("[JSONPatch{op: 'add', path: jsonpatch.escapeKey('a/b')}]", "JSON patch"), undefined);
});

Deno.test("types of the request and the namespace are checked", () => {
  assert.match(errorOf("request.nothing == 1", "condition")!, /undefined field 'nothing'/);
  assert.match(errorOf("namespaceObject.metadata.labels == 'a'", "condition")!, /no matching overload/);
  assert.deepEqual(evaluate("request.userInfo.username == 'u' && namespaceObject.metadata.name == 'n'"), {
    value: true,
  });
  assert.deepEqual(evaluate("oldObject == null && params.max == 3"), { value: true });
});

Deno.test("variables have types and are evaluated when they are used, once", () => {
  const compiler = compilerOf({
    labels: "object.metadata.labels",
    n: "variables.labels.size()",
    bad: "object.nothing",
  });
  assert.deepEqual(evaluate("variables.n == 1", "condition", compiler), { value: true });
  assert.match(errorOf("variables.n == 'a'", "condition", compiler)!, /no matching overload/);
  assert.match(errorOf("variables.later", "condition", compiler)!, /undefined field 'later'/);
  assert.deepEqual(evaluate("variables.bad == 1", "condition", compiler), {
    error: "expression 'variables.bad == 1' resulted in error: " +
      'composited variable "bad" fails to evaluate: no such key: nothing',
  });
  assert.deepEqual(evaluate("true || variables.bad == 1", "condition", compiler), { value: true });
});

Deno.test("variables count against the budget", () => {
  const compiler = compilerOf({ all: "[1, 2, 3].map(x, x * 2)" });
  const expression = compiler.compile("variables.all.size() == 3", "condition");
  assert.deepEqual(run(expression, compiler, 1000), { value: true });
  assert.throws(() => run(expression, compiler, 20), OutOfBudget);
});

Deno.test("patches are JSON, and types in them are named by their fields", () => {
  const value = (source: string, purpose: Purpose) => {
    const result = evaluate(source, purpose);
    return "value" in result ? result.value : assert.fail(result.error);
  };
  const whole = value(
    "Object{metadata: Object.metadata{labels: {'a': object.data.k}}, spec: Object.spec{?n: optional.none(), l: [1, 2]}}",
    "apply configuration",
  );
  assert.deepEqual(patchJson(whole), { metadata: { labels: { a: "1" } }, spec: { l: [1, 2] } });
  assert.deepEqual(misplacedTypes(whole), []);
  assert.deepEqual(misplacedTypes(value("Object{spec: Object.other{}}", "apply configuration")), [
    'unexpected type name "Object.other", expected "Object.spec", which matches field name path from root Object type',
  ]);
});
