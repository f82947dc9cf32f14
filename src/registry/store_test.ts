import assert from "node:assert/strict";
import type { DeleteOptions } from "./rest.ts";
import { type Sent, withTrial } from "./testing.ts";

const TEMPLATE = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
const JOB: Sent = { apiVersion: "batch/v1", kind: "Job", spec: { template: TEMPLATE } };

Deno.test("who deletes a job and does not say what becomes of its pods is told that they stay", async () => {
  await withTrial(async (trial) => {
    const storage = trial.resources.store("batch", "jobs");
    const context = { ...trial.context, namespace: "default" };
    const warningsOf = async (options: DeleteOptions) => {
      await trial.create(JOB);
      trial.warnings.length = 0;
      await storage.delete(context, "a", options, { dryRun: true });
      await storage.deleteCollection(context, { ...options, propagationPolicy: "Background" }, {}, { dryRun: false });
      return trial.warnings.length;
    };
    assert.equal(await warningsOf({}), 1);
    assert.match(
      trial.warnings[0],
      /^child pods are preserved by default when jobs are deleted; set propagationPolicy=/,
    );
    assert.equal(await warningsOf({ propagationPolicy: "Orphan" }), 0);
    assert.equal(await warningsOf({ orphanDependents: false }), 0);
  });
});
