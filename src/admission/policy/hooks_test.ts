import assert from "node:assert/strict";
import type { KubeObject } from "../../machinery/types.ts";
import type { FollowHandler } from "../plugins/context.ts";
import { PolicyHooks } from "./hooks.ts";

/** Resources that the test itself changes. */
function followed() {
  const handlers = new Map<string, FollowHandler>();
  const hooks = new PolicyHooks(
    {
      follow(resource, handler) {
        handlers.set(resource.resource, handler);
        return Promise.resolve();
      },
    },
    "policies",
    "bindings",
  );
  return { hooks, handlers };
}

function objectOf(name: string, spec: object = {}): KubeObject {
  return { kind: "", apiVersion: "", metadata: { name }, spec };
}

Deno.test("nothing is followed before it is asked for, no policies without bindings", async () => {
  const { hooks, handlers } = followed();
  assert.deepEqual([...handlers.keys()], []);
  assert.deepEqual(await hooks.inForce(), []);
  assert.deepEqual([...handlers.keys()], ["bindings"]);
  assert.deepEqual(hooks.inForce(), []);
  handlers.get("bindings")!.changed(objectOf("b", { policyName: "p" }));
  assert.deepEqual(await hooks.inForce(), []);
  assert.deepEqual([...handlers.keys()], ["bindings", "policies"]);
});

Deno.test("policies come with their bindings, by name, as they are now", async () => {
  const { hooks, handlers } = followed();
  await hooks.inForce();
  for (const [name, policyName] of [["x", "q"], ["y", "p"], ["z", "q"], ["w", "gone"]]) {
    handlers.get("bindings")!.changed(objectOf(name, { policyName }));
  }
  await hooks.inForce();
  for (const name of ["q", "p", "unbound"]) handlers.get("policies")!.changed(objectOf(name));
  const names = async () =>
    (await hooks.inForce()).map((
      { policy, bindings },
    ) => [policy.metadata.name, ...bindings.map((b) => b.metadata.name)]);
  assert.deepEqual(await names(), [["p", "y"], ["q", "x", "z"]]);
  handlers.get("bindings")!.deleted(objectOf("y"));
  handlers.get("policies")!.changed(objectOf("q"));
  assert.deepEqual(await names(), [["q", "x", "z"]]);
});
