import assert from "node:assert/strict";
import type {
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from "../../../facts/generated/types.ts";
import { StatusError } from "../../../machinery/errors.ts";
import type { KubeObject } from "../../../machinery/types.ts";
import type { PluginContext } from "../../plugins/context.ts";
import { contextOf, lookupOf, requestOf } from "../../testing.ts";
import { validate } from "./dispatch.ts";

const lookup = lookupOf({ namespaces: [{ metadata: { name: "n", labels: { team: "red" } } }] });
const matchConstraints = {
  resourceRules: [{ operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }],
};

interface Setup {
  policy: ValidatingAdmissionPolicySpec;
  binding?: ValidatingAdmissionPolicyBindingSpec;
  context?: Partial<PluginContext>;
  request?: ReturnType<typeof requestOf>;
}

/** What was said, and the refusal if there was one. */
async function run({ policy, binding, context, request = requestOf() }: Setup) {
  const object = (name: string, spec: object): KubeObject => ({ kind: "", apiVersion: "", metadata: { name }, spec });
  const hook = {
    policy: object("p", { matchConstraints, failurePolicy: "Fail", ...policy }),
    bindings: [object("b", { policyName: "p", validationActions: ["Deny"], ...binding })],
  };
  const refused = await validate([hook], request, contextOf({ lookup, ...context })).then(() => undefined, (e) => {
    assert.ok(e instanceof StatusError, e);
    return e.status;
  });
  return { refused, ...request.told };
}

const DENIED = `pods "p" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: `;

Deno.test("a validation that fails refuses with its reason and the best message", async () => {
  const { refused } = await run({ policy: { validations: [{ expression: "object.metadata.name != 'p'" }] } });
  assert.equal(refused?.message, `${DENIED}failed expression: object.metadata.name != 'p'`);
  assert.deepEqual([refused?.code, refused?.reason], [422, "Invalid"]);
  const messages = [
    { said: "m", validation: { message: " m " } },
    { said: "p!", validation: { message: "m", messageExpression: "object.metadata.name + '!'" } },
    { said: "m", validation: { message: "m", messageExpression: "object.metadata.nothing" } },
    { said: "m", validation: { message: "m", messageExpression: "'a\\nb'" } },
  ];
  for (const { said, validation } of messages) {
    const policy = { validations: [{ expression: "false", reason: "Forbidden", ...validation }] };
    const { refused } = await run({ policy });
    assert.deepEqual([refused?.message, refused?.code], [DENIED + said, 403]);
  }
});

Deno.test("bindings warn and audit instead", async () => {
  const policy = { validations: [{ expression: "true" }, { expression: "false", message: "<m>" }] };
  const told = await run({ policy, binding: { validationActions: ["Warn", "Audit"] } });
  assert.equal(told.refused, undefined);
  assert.deepEqual(told.warnings, ["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': <m>"]);
  assert.equal(
    told.annotations["validation.policy.admission.k8s.io/validation_failure"],
    '[{"message":"\\u003cm\\u003e","policy":"p","binding":"b","expressionIndex":1,' +
      '"validationActions":["Warn","Audit"]}]',
  );
});

Deno.test("conditions leave requests out, and mistakes are for the failure policy", async () => {
  const validations = [{ expression: "false" }];
  const denied = async (expression: string, failurePolicy = "Fail") => {
    const matchConditions = [{ name: "c", expression }];
    return (await run({ policy: { validations, matchConditions, failurePolicy } })).refused?.message;
  };
  assert.equal(await denied("false"), undefined);
  assert.ok(await denied("true"));
  const mistake = "expression 'object.nothing == 1' resulted in error: no such key: nothing";
  assert.equal(await denied("object.nothing == 1"), DENIED + mistake);
  assert.equal(await denied("object.nothing == 1", "Ignore"), undefined);
});

Deno.test("audit annotations say what their expressions give", async () => {
  const auditAnnotations = [{ key: "a", valueExpression: "'x'" }, { key: "b", valueExpression: "null" }];
  const { annotations, refused } = await run({ policy: { auditAnnotations } });
  assert.deepEqual([annotations, refused], [{ "p/a": "x" }, undefined]);
  const wrong = await run({ policy: { auditAnnotations: [{ key: "a", valueExpression: "string(object.nothing)" }] } });
  assert.match(wrong.refused!.message!, /no such key: nothing$/);
});

Deno.test("the authorizer is asked, however long it takes", async () => {
  const asked: string[] = [];
  const authorizer: PluginContext["authorizer"] = {
    authorize: ({ verb, resource, user }) => {
      asked.push(`${user.name} ${verb} ${resource}`);
      return Promise.resolve({ decision: verb === "get" ? "allow" : "no opinion", reason: "" });
    },
  };
  const check = (verb: string) => `authorizer.group('').resource('secrets').check('${verb}').allowed()`;
  const checks = [
    `${check("get")} && !${check("put")}`,
    check("get"),
    "authorizer.requestResource.check('get').allowed()",
  ];
  const policy = { validations: checks.map((expression) => ({ expression })) };
  const { refused } = await run({ policy, context: { authorizer } });
  assert.equal(refused, undefined);
  assert.deepEqual(asked, ["u get secrets", "u put secrets", "u get pods"]);
});

Deno.test("each parameter counts; without one the binding says what happens", async () => {
  const param = (name: string, max: number) => ({
    kind: "Limit",
    apiVersion: "x/v1",
    metadata: { name, labels: { l: "" } },
    max,
  });
  const reader = {
    namespaced: true,
    get: () => Promise.resolve(undefined),
    list: () => Promise.resolve([param("a", 3), param("b", 1)]),
  };
  const policy = {
    paramKind: { apiVersion: "x/v1", kind: "Limit" },
    validations: [{ expression: "params.max > 2", messageExpression: "string(params.metadata.name)" }],
  };
  const context = { readerOf: () => reader };
  const bySelector = { paramRef: { selector: {}, parameterNotFoundAction: "Deny" } };
  assert.equal((await run({ policy, binding: bySelector, context })).refused?.message, `${DENIED}b`);
  const byName = (parameterNotFoundAction: string) => ({ paramRef: { name: "c", parameterNotFoundAction } });
  assert.equal((await run({ policy, binding: byName("Allow"), context })).refused, undefined);
  assert.equal(
    (await run({ policy, binding: byName("Deny"), context })).refused?.message,
    `${DENIED}failed to configure binding: no params found for policy binding with \`Deny\` parameterNotFoundAction`,
  );
  assert.equal(
    (await run({ policy, binding: bySelector })).refused?.message,
    "pods \"p\" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: " +
      "failed to find resource referenced by paramKind: 'x/v1, Kind=Limit'",
  );
});

Deno.test("what is done about failures is counted", async () => {
  const counted: Record<string, string>[] = [];
  const metrics: PluginContext["metrics"] = { add: (_, labels = {}) => void counted.push(labels), observe() {} };
  const policy = { validations: [{ expression: "false" }, { expression: "true" }] };
  await run({ policy, binding: { validationActions: ["Warn", "Audit"] }, context: { metrics } });
  const labels = { error_type: "invalid_error", policy: "p", policy_binding: "b" };
  assert.deepEqual(counted, ["warn", "audit"].map((action) => ({ enforcement_action: action, ...labels })));
});

Deno.test("what costs too much fails", async () => {
  const expression = "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, " +
    "[1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, a + b + c + d + e + f > 0))))))";
  const { refused } = await run({ policy: { validations: [{ expression }] } });
  assert.match(refused!.message!, /actual cost limit exceeded$/);
});
