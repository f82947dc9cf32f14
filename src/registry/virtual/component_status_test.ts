import assert from "node:assert/strict";
import { controllerContext } from "../../controllers/informer.ts";
import { objectOf } from "../rest.ts";
import { componentStatuses } from "./component_status.ts";

const context = controllerContext("test", new AbortController().signal);

Deno.test("storage says how it is; parts that are not there are unhealthy; others are unknown", async () => {
  const state: { trouble?: Error } = {};
  const statuses = componentStatuses(() => state.trouble ? Promise.reject(state.trouble) : Promise.resolve());
  const conditionOf = async (name: string) => objectOf(await statuses.get!(context, name, {})).conditions[0];
  assert.deepEqual(await conditionOf("etcd-0"), { type: "Healthy", status: "True", message: "ok" });
  state.trouble = new Error("the disk is gone");
  assert.deepEqual(await conditionOf("etcd-0"), { type: "Healthy", status: "False", message: "the disk is gone" });
  await assert.rejects(async () => await statuses.get!(context, "other", {}), /componentstatus "other" not found/);
  const { items, revision } = await statuses.list!(context, {});
  assert.deepEqual(items.map(({ key }) => key), ["scheduler", "controller-manager", "etcd-0"]);
  assert.equal(revision, 0);
});
