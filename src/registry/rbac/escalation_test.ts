import assert from "node:assert/strict";
import { RbacIndex } from "../../authorization/rbac/index.ts";
import { controllerContext } from "../../controllers/informer.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { BuiltinResources } from "../builtin.ts";
import { escalationHooks } from "./escalation.ts";

const GROUP = "rbac.authorization.k8s.io", API_VERSION = `${GROUP}/v1`;
const READ = { verbs: ["get"], apiGroups: [""], resources: ["pods"] };
const JANE = [{ apiGroup: GROUP, kind: "User", name: "jane" }];

function binding(kind: string, name: string): KubeObject {
  const roleRef = { apiGroup: GROUP, kind, name };
  return { apiVersion: API_VERSION, kind: "RoleBinding", metadata: { name, namespace: "ns" }, roleRef, subjects: JANE };
}

/** What jane is told when she makes a role with these rules. */
async function refusal(index: RbacIndex, rules: object[]): Promise<string | undefined> {
  const authorizer = { authorize: () => ({ decision: "no opinion" as const, reason: "" }) };
  const hooks = escalationHooks({ authorizer, index })[`roles.${GROUP}`]({} as BuiltinResources);
  const user = { name: "jane", uid: "", groups: ["dev"], extra: {} };
  const context = { ...controllerContext("test", new AbortController().signal), namespace: "ns", user };
  const role = { apiVersion: API_VERSION, kind: "Role", metadata: { name: "given", namespace: "ns" }, rules };
  try {
    await hooks.beginCreate!(context, role, true);
  } catch (e) {
    return (e as Error).message;
  }
}

Deno.test("a role holds no more than its author has; roles that are missing are named as what is written", async () => {
  const index = new RbacIndex();
  index.putRole({
    apiVersion: API_VERSION,
    kind: "Role",
    metadata: { name: "reader", namespace: "ns" },
    rules: [READ],
  });
  index.putBinding(binding("Role", "reader"));
  assert.equal(await refusal(index, [READ]), undefined);
  const wanted = [{ ...READ, verbs: ["get", "list"] }];
  const why =
    'roles.rbac.authorization.k8s.io "given" is forbidden: user "jane" (groups=["dev"]) is attempting to grant ' +
    'RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["list"]}';
  assert.equal(await refusal(index, wanted), why);
  index.putBinding(binding("Role", "gone"));
  const gone = 'roles.rbac.authorization.k8s.io "gone" not found';
  assert.equal(await refusal(index, wanted), `${why}; resolution errors: [${gone}]`);
  index.putBinding(binding("ClusterRole", "lost"));
  const lost = 'roles.rbac.authorization.k8s.io "lost" not found';
  assert.equal(await refusal(index, wanted), `${why}; resolution errors: [[${gone}, ${lost}]]`);
});
