import assert from "node:assert/strict";
import { withTrial } from "../../registry/testing.ts";

const CORE = {
  apiVersion: "v1",
  kind: "Event",
  involvedObject: { kind: "Pod", namespace: "default", name: "p" },
  reason: "r",
  type: "Normal",
};
const NEW = {
  apiVersion: "events.k8s.io/v1",
  kind: "Event",
  regarding: { kind: "Pod", namespace: "default", name: "p" },
  eventTime: "2024-01-02T03:04:05.000006Z",
  reportingController: "example.com/c",
  reportingInstance: "i",
  action: "a",
  reason: "r",
  note: "n",
  type: "Normal",
};

Deno.test("core events are taken as they come, but for their namespace", async () => {
  await withTrial(async (trial) => {
    assert.deepEqual(await trial.refusals({ ...CORE, type: "anything", reason: "" }), []);
    assert.deepEqual(await trial.refusals({ ...CORE, involvedObject: { kind: "Pod", namespace: "other" } }), [
      'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
    ]);
  });
});

Deno.test("events of events.k8s.io are the same objects under stricter rules", async () => {
  await withTrial(async (trial) => {
    assert.deepEqual(await trial.refusals({ ...NEW, deprecatedCount: 1 }), [
      'count: Invalid value: "": needs to be unset',
    ]);
    assert.deepEqual(await trial.refusals({ ...NEW, eventTime: null, type: "x" }), [
      "eventTime: Required value",
      'type: Invalid value: "": has invalid value: x',
    ]);
    const stored = await trial.create(NEW);
    assert.equal(stored.apiVersion, "v1");
    assert.deepEqual(stored.involvedObject, NEW.regarding);
    assert.deepEqual([stored.message, stored.reportingComponent, stored.firstTimestamp], ["n", "example.com/c", null]);
    const row = await trial.row(NEW);
    assert.deepEqual([row.Object, row.Source, row.Count], ["pod/p", "example.com/c, i", 1]);
  });
});
