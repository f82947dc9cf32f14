import assert from "node:assert/strict";
import { type Sent, withTrial } from "../../registry/testing.ts";

const apiVersion = "admissionregistration.k8s.io/v1";
const matchConstraints = {
  resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
};
const validations = [{ expression: "true" }];

function policy(spec: Record<string, unknown>): Sent {
  return { apiVersion, kind: "ValidatingAdmissionPolicy", spec: { matchConstraints, validations, ...spec } };
}

function mutating(...mutations: unknown[]): Sent {
  const spec = { matchConstraints, mutations, reinvocationPolicy: "Never" };
  return { apiVersion, kind: "MutatingAdmissionPolicy", spec };
}

function binding(spec: Record<string, unknown>): Sent {
  return {
    apiVersion,
    kind: "ValidatingAdmissionPolicyBinding",
    spec: { policyName: "p", validationActions: ["Deny"], ...spec },
  };
}

Deno.test("policies and bindings have defaults, and policies no status when they are made", async () => {
  await withTrial(async (trial) => {
    const selectors = { namespaceSelector: {}, objectSelector: {}, matchPolicy: "Equivalent" };
    const made = await trial.create({ ...policy({}), status: { observedGeneration: 3 } });
    assert.deepEqual([made.spec.failurePolicy, made.status, made.metadata.generation], ["Fail", {}, 1]);
    const { resourceRules, ...match } = made.spec.matchConstraints;
    assert.deepEqual([match, resourceRules[0].scope], [selectors, "*"]);
    assert.deepEqual((await trial.create(binding({ matchResources: {} }))).spec.matchResources, selectors);
  });
});

Deno.test("expressions of a policy compile and give what they are there for", async () => {
  await withTrial(async (trial) => {
    const wrong = policy({
      variables: [{ name: "a", expression: "1" }, { name: "if", expression: "true" }],
      matchConditions: [{ name: "c", expression: " object.x" }],
      validations: [
        { expression: "variables.a == 'x'" },
        { expression: "true", messageExpression: "1", message: "a\nb", reason: "Unauthorized" },
      ],
      auditAnnotations: [{ key: "no good", valueExpression: "true" }],
    });
    assert.deepEqual((await trial.refusals(wrong)).map((cause) => cause.replace(/ERROR[^]*/, "…")), [
      'spec.matchConditions[0].expression: Invalid value: "object.x": must evaluate to bool but got dyn',
      'spec.variables[1].name: Invalid value: "if": must be a valid CEL identifier',
      "spec.validations[0].expression: Invalid value: \"variables.a == 'x'\": compilation failed: …",
      'spec.validations[1].messageExpression: Invalid value: "1": must evaluate to string but got int',
      'spec.validations[1].message: Invalid value: "a\\nb": must not contain line breaks',
      'spec.validations[1].reason: Unsupported value: "Unauthorized": supported values: "Forbidden", "Invalid", ' +
      '"RequestEntityTooLarge"',
      'spec.auditAnnotations[0].key: Invalid value: "a/no good": name part must consist of alphanumeric characters, ' +
      "'-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or " +
      "'123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.auditAnnotations[0].valueExpression: Invalid value: "true": must evaluate to one of [string null_type] but ' +
      "got bool",
    ]);
  });
});

Deno.test("conditions that have not changed are not checked again, unless the kind of parameters has", async () => {
  await withTrial(async (trial) => {
    const matchConditions = [{ name: "c", expression: "params.x" }];
    const paramKind = { apiVersion: "v1", kind: "ConfigMap" };
    await trial.create(policy({ paramKind, matchConditions: [{ name: "c", expression: "params.x == 1" }] }));
    assert.equal((await trial.updateRefusals(policy({ paramKind, matchConditions }))).length, 1);
    assert.equal(
      (await trial.updateRefusals(policy({ matchConditions: [{ name: "c", expression: "params.x == 1" }] }))).length,
      1,
    );
    assert.deepEqual(
      await trial.updateRefusals(policy({ paramKind, matchConditions: [{ name: "c", expression: "params.x == 1" }] })),
      [],
    );
  });
});

Deno.test("a mutation has the patch of its type, and its expression gives one", async () => {
  await withTrial(async (trial) => {
    const refused = await trial.refusals(mutating(
      { patchType: "JSONPatch", applyConfiguration: { expression: "Object{}" } },
      { patchType: "ApplyConfiguration", applyConfiguration: { expression: "Object.spec{}" } },
      { patchType: "JSONPatch", jsonPatch: { expression: "[JSONPatch{op: 'add', path: '/a', value: 1}]" } },
      { patchType: "Sed" },
    ));
    assert.deepEqual(refused, [
      "spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch",
      'spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType ' +
      "is JSONPatch",
      'spec.mutations[1].applyConfiguration.expression: Invalid value: "Object.spec{}": must evaluate to Object but got ' +
      "Object.spec",
      'spec.mutations[3].patchType: Unsupported value: "Sed": supported values: "ApplyConfiguration", "JSONPatch"',
    ]);
  });
});

Deno.test("bindings name their policy, whole parameters and actions that go together", async () => {
  await withTrial(async (trial) => {
    const refused = await trial.refusals(binding({
      policyName: "",
      paramRef: { name: "a", selector: {} },
      validationActions: ["Deny", "Warn", "Deny", "Shout"],
    }));
    assert.deepEqual(refused, [
      "spec.policyName: Required value",
      "spec.paramRef.name: Forbidden: name and selector are mutually exclusive",
      "spec.paramRef.selector: Forbidden: name and selector are mutually exclusive",
      "spec.paramRef.parameterNotFoundAction: Required value",
      'spec.validationActions[2]: Duplicate value: "Deny"',
      'spec.validationActions[3]: Unsupported value: "Shout": supported values: "Audit", "Deny", "Warn"',
      'spec.validationActions: Invalid value: ["Deny","Warn","Deny","Shout"]: must not contain both Deny and Warn ' +
      "(repeating the same validation failure information in the API response and headers serves no purpose)",
    ]);
    const selector = {
      matchLabels: { b: "c", a: "d" },
      matchExpressions: [{ key: "e", operator: "In", values: ["f", "g"] }],
    };
    const paramRef = { selector, parameterNotFoundAction: "Deny" };
    assert.equal(
      (await trial.row(binding({ paramRef }))).ParamRef,
      "&LabelSelector{MatchLabels:map[string]string{a: d,b: c,},MatchExpressions:[]LabelSelectorRequirement{" +
        "LabelSelectorRequirement{Key:e,Operator:In,Values:[f g],},},}",
    );
  });
});
