import assert from "node:assert/strict";
import { hasReason } from "../machinery/errors.ts";
import { withTrial } from "./testing.ts";

const CRITICAL = "system-cluster-critical";

Deno.test("priority classes of the system are not deleted by name, there or not, but in a collection", async () => {
  await withTrial(async (trial) => {
    const { resources, context } = trial;
    const classes = resources.store("scheduling.k8s.io", "priorityclasses");
    const create = (name: string, value: number) =>
      trial.create({ apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name }, value });
    const remove = (name: string) => classes.delete(context, name, {}, { dryRun: false });
    const refused = {
      message:
        `priorityclasses.scheduling.k8s.io "${CRITICAL}" is forbidden: this is a system priority class and cannot be deleted`,
    };

    await create(CRITICAL, 2_000_000_000);
    await create("mine", 5);
    await assert.rejects(remove(CRITICAL), refused);
    assert.equal((await remove("mine")).deleted, true);
    assert.equal((await classes.deleteCollection(context, {}, {}, { dryRun: false })).items.length, 1);
    await assert.rejects(remove(CRITICAL), refused);
    await assert.rejects(remove("system-none-such"), (e) => hasReason(e, "NotFound"));
  });
});
