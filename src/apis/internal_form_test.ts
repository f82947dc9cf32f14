import assert from "node:assert/strict";
import { clone } from "../machinery/clone.ts";
import { decode } from "../machinery/codec/decode.ts";
import { builtinSchema } from "../machinery/schema/builtin.ts";
import { internalForm } from "./internal_form.ts";

const pod = builtinSchema().typeOfKind({ group: "", version: "v1", kind: "Pod" })!;

Deno.test("lists and maps that were given empty are shown so, missing ones as null", () => {
  const containers = [{ name: "c", args: [], env: [] }];
  const { object } = decode(pod, { metadata: {}, spec: { containers, nodeSelector: {}, hostAliases: [] } });
  const spec = internalForm("PodSpec", clone(object.spec)) as Record<string, unknown>;
  assert.deepEqual(spec.NodeSelector, {});
  assert.deepEqual(spec.HostAliases, []);
  assert.equal(spec.Tolerations, null);
  const [container] = spec.Containers as Record<string, unknown>[];
  assert.deepEqual([container.Args, container.Env, container.Command], [[], [], null]);
});
