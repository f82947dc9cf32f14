import assert from "node:assert/strict";
import { StatusError } from "../../machinery/errors.ts";
import type { KubeObject } from "../../machinery/types.ts";
import { kindDefinition } from "../../apis/scheme.ts";
import type { AuthorizationAttributes } from "../../authorization/interface.ts";
import type { BuiltinResources } from "../builtin.ts";
import type { RequestContext } from "../../apis/context.ts";
import { paramAccessHooks } from "./param_access.ts";

const GROUP = "admissionregistration.k8s.io";
const context: RequestContext = {
  user: { name: "bob", uid: "", groups: ["g"], extra: {} },
  namespace: "",
  userAgent: "",
  verb: "",
  signal: new AbortController().signal,
  addWarning() {},
  addAuditAnnotation() {},
};
const POLICY: KubeObject = {
  kind: "ValidatingAdmissionPolicy",
  apiVersion: `${GROUP}/v1`,
  metadata: { name: "p" },
  spec: {
    failurePolicy: "Fail",
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    matchConstraints: {
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
    },
    validations: [{ expression: "true" }],
  },
};

/** Of the only policy there is, with what was asked. */
async function hooksOf(resource: string, decision: "allow" | "no opinion") {
  const asked: AuthorizationAttributes[] = [];
  const gvk = { group: GROUP, version: "v1", kind: "ValidatingAdmissionPolicy" };
  const definition = kindDefinition(gvk, "validatingadmissionpolicies");
  await definition.load?.(POLICY);
  const store = { config: { gvk, definition }, get: () => Promise.resolve({ object: POLICY }) };
  const hooks = paramAccessHooks({
    authorizer: {
      authorize(attributes) {
        asked.push(attributes);
        return { decision, reason: "" };
      },
    },
    resourceOf: (_, kind) => kind === "ConfigMap" ? { group: "", resource: "configmaps" } : undefined,
  });
  const resources = { store: () => store } as unknown as BuiltinResources;
  return { hooks: hooks[`${resource}.${GROUP}`](resources), asked };
}

Deno.test("who makes a policy may read every parameter that it may have", async () => {
  const allowed = await hooksOf("validatingadmissionpolicies", "allow");
  assert.deepEqual(await allowed.hooks.refusals!(context, POLICY), []);
  const [{ verb, resource, name, namespace }] = allowed.asked;
  assert.deepEqual([verb, resource, name, namespace], ["get", "configmaps", "*", "*"]);
  const { hooks, asked } = await hooksOf("validatingadmissionpolicies", "no opinion");
  assert.deepEqual((await hooks.refusals!(context, POLICY)).map(({ detail }) => detail), [
    'user &{bob  [g] map[]} must have "get" permission on all objects of the referenced paramKind ' +
    "(kind=ConfigMap, apiVersion=v1)",
  ]);
  assert.deepEqual(
    await hooks.refusals!({ ...context, user: { ...context.user, groups: ["system:masters"] } }, POLICY),
    [],
  );
  assert.deepEqual(await hooks.refusals!(context, { ...POLICY, spec: { ...POLICY.spec, validations: [] } }), []);
  asked.length = 0;
  await hooks.beginUpdate!(context, POLICY, POLICY, false);
  assert.equal(asked.length, 0);
  await assert.rejects(
    async () =>
      await hooks.beginUpdate!(context, POLICY, { ...POLICY, spec: { ...POLICY.spec, paramKind: undefined } }, false),
    (e) => e instanceof StatusError && e.code === 422,
  );
});

Deno.test("who makes a binding may read the parameters that it refers to", async () => {
  const { hooks, asked } = await hooksOf("validatingadmissionpolicybindings", "no opinion");
  const paramRef = { selector: {}, namespace: "n", parameterNotFoundAction: "Deny" };
  const object = {
    ...POLICY,
    kind: "ValidatingAdmissionPolicyBinding",
    spec: { ...POLICY.spec, policyName: "p", paramRef },
  };
  assert.deepEqual((await hooks.refusals!(context, object)).map(({ detail }) => detail), [
    'user &{bob  [g] map[]} does not have "list" permission on the object referenced by paramRef',
  ]);
  const [{ verb, resource, name, namespace }] = asked;
  assert.deepEqual([verb, resource, name, namespace], ["list", "configmaps", "", "n"]);
});
