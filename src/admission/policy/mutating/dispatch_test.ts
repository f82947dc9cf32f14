import assert from "node:assert/strict";
import type { MutatingAdmissionPolicySpec, Mutation } from "../../../facts/generated/types.ts";
import { StatusError } from "../../../machinery/errors.ts";
import type { KubeObject } from "../../../machinery/types.ts";
import { contextOf, lookupOf, requestOf } from "../../testing.ts";
import { admit } from "./dispatch.ts";

const context = contextOf({ lookup: lookupOf({ namespaces: [{ metadata: { name: "n" } }] }) });
const matchConstraints = {
  resourceRules: [{ operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }],
};

function hookOf(name: string, spec: MutatingAdmissionPolicySpec) {
  const object = (name: string, spec: object): KubeObject => ({ kind: "", apiVersion: "", metadata: { name }, spec });
  return {
    policy: object(name, { matchConstraints, failurePolicy: "Fail", reinvocationPolicy: "Never", ...spec }),
    bindings: [object("b", { policyName: name })],
  };
}

function apply(expression: string): Mutation {
  return { patchType: "ApplyConfiguration", applyConfiguration: { expression } };
}

function jsonPatch(expression: string): Mutation {
  return { patchType: "JSONPatch", jsonPatch: { expression } };
}

function podOf(spec: object = {}) {
  return requestOf({ object: { spec: { containers: [{ name: "c", image: "i" }], ...spec } } });
}

/** The object afterwards. */
async function mutated(...mutations: Mutation[]): Promise<KubeObject> {
  const request = podOf();
  await admit([hookOf("p", { mutations })], request, context);
  return request.object!;
}

async function refusal(mutation: Mutation, spec: MutatingAdmissionPolicySpec = {}): Promise<string | undefined> {
  try {
    await admit([hookOf("p", { mutations: [mutation], ...spec })], podOf(), context);
  } catch (e) {
    assert.ok(e instanceof StatusError);
    assert.deepEqual([e.code, e.reason], [403, "Invalid"]);
    return e.message.replace("policy 'p' with binding 'b' denied request: ", "");
  }
}

Deno.test("an apply configuration is merged by keys and members", async () => {
  const { metadata, spec } = await mutated(
    apply(
      "Object{metadata: Object.metadata{labels: {'a': 'b'}}, spec: Object.spec{containers: [Object.spec.containers{name: 'd', image: 'j'}]}}",
    ),
    apply("Object{metadata: Object.metadata{annotations: {'n': string(object.spec.containers.size())}}}"),
  );
  assert.deepEqual(metadata, { name: "p", namespace: "n", labels: { a: "b" }, annotations: { n: "2" } });
  assert.deepEqual(spec.containers.map(({ name }: { name: string }) => name), ["d", "c"].sort());
});

Deno.test("a JSON patch is carried out, or not at all when a test fails", async () => {
  const { metadata } = await mutated(
    jsonPatch(
      "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': 'b'}}, JSONPatch{op: 'test', path: '/metadata/name', value: 'p'}]",
    ),
    jsonPatch(
      "[JSONPatch{op: 'add', path: '/metadata/labels/c', value: 'd'}, JSONPatch{op: 'test', path: '/metadata/name', value: 'q'}]",
    ),
  );
  assert.deepEqual(metadata.labels, { a: "b" });
});

Deno.test("patches that do not fit refuse the request", async () => {
  assert.equal(
    await refusal(jsonPatch("[JSONPatch{op: 'remove', path: '/spec/gone'}]")),
    "JSON Patch: error in remove for path: '/spec/gone': Unable to remove nonexistent key: gone: missing value",
  );
  assert.equal(
    await refusal(jsonPatch("[JSONPatch{op: 'add', path: '/a/b', value: 1}]")),
    'JSON Patch: add operation does not apply: doc is missing path: "/a/b": missing value',
  );
  assert.equal(
    await refusal(apply("Object{spec: Object.spec{tolerations: [Object.spec.tolerations{key: 'a'}]}}")),
    "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.tolerations",
  );
  assert.equal(
    await refusal(apply("Object{spec: Object.spec{nothing: 1}}")),
    "error applying patch: failed to convert patch object to typed object: .spec.nothing: field not declared in schema",
  );
  assert.equal(
    await refusal(apply("Object{spec: Object.x{}}")),
    'type mismatch: unexpected type name "Object.x", ' +
      'expected "Object.spec", which matches field name path from root Object type',
  );
  const mistake = apply("Object{spec: object.nothing}");
  assert.match((await refusal(mistake))!, /^expression '.*' resulted in error: no such key: nothing$/);
  assert.equal(await refusal(mistake, { failurePolicy: "Ignore" }), undefined);
});

Deno.test("policies run again when others have changed the object after them, if they ask for it", async () => {
  const count =
    "Object{metadata: Object.metadata{annotations: {'runs': string(int(object.metadata.?annotations['runs'].orValue('0')) + 1)}}}";
  const hooks = (reinvocationPolicy: string) => [
    hookOf("a", { mutations: [apply(count)], reinvocationPolicy }),
    hookOf("b", { mutations: [apply("Object{metadata: Object.metadata{labels: {'l': 'm'}}}")] }),
  ];
  for (const [policy, runs] of [["Never", "1"], ["IfNeeded", "2"]]) {
    const request = podOf();
    await admit(hooks(policy), request, context);
    assert.equal(request.reinvocation.shouldReinvoke, true);
    request.reinvocation.isReinvoke = true;
    await admit(hooks(policy), request, context);
    assert.equal(request.object!.metadata.annotations!.runs, runs);
  }
});
