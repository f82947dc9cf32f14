import assert from "node:assert/strict";
import { withTrial } from "./testing.ts";

Deno.test("a dry run answers what would be stored, and stores nothing", async () => {
  const claim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } },
  };
  await withTrial(async (trial) => {
    const tried = await trial.create(claim, { dryRun: true });
    assert.equal(tried.metadata.resourceVersion, undefined);
    const stored = await trial.create(claim);
    assert.deepEqual(tried.spec, stored.spec);
    assert.equal(stored.spec.resources.requests.storage, "1Gi");
    const more = { ...claim, metadata: { labels: { a: "b" } } };
    assert.deepEqual((await trial.update(more, { dryRun: true })).metadata.labels, { a: "b" });
    assert.equal((await trial.update(claim)).metadata.resourceVersion, stored.metadata.resourceVersion);
  });
});
