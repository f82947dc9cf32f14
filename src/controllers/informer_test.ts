import assert from "node:assert/strict";
import { withTrial } from "../registry/testing.ts";
import { controllerContext, follow, unsyncedInformers } from "./informer.ts";

Deno.test("an informer counts as waiting until its first list has been handed over", async () => {
  const stop = new AbortController();
  await withTrial(async (trial) => {
    await trial.create({ apiVersion: "v1", kind: "ConfigMap" });
    const seen: string[] = [];
    const synced = follow(
      trial.resources.lookup("", "v1", "configmaps")!,
      controllerContext("informer-test", stop.signal),
      {
        changed: (item) => void seen.push(item.fields["metadata.name"]),
        deleted() {},
      },
    );
    assert.deepEqual(unsyncedInformers(), ["informer-test: configmaps"]);
    await synced;
    assert.deepEqual(unsyncedInformers(), []);
    assert.deepEqual(seen, ["a"]);
    stop.abort();
  });
});
