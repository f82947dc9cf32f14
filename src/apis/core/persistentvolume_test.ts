import assert from "node:assert/strict";
import { withTrial } from "../../registry/testing.ts";

const CLAIM = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};
const VOLUME = {
  apiVersion: "v1",
  kind: "PersistentVolume",
  spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/a" } },
};

Deno.test("a claim needs access modes and storage, and starts pending", async () => {
  await withTrial(async (trial) => {
    assert.deepEqual(await trial.refusals({ ...CLAIM, spec: {} }), [
      "spec.accessModes: Required value: at least 1 access mode is required",
      "spec.resources[storage]: Required value",
    ]);
    const accessModes = ["ReadWriteOncePod", "ReadWriteOnce"];
    assert.deepEqual(await trial.refusals({ ...CLAIM, spec: { ...CLAIM.spec, accessModes } }), [
      "spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes",
    ]);
    const { spec, status } = await trial.create({ ...CLAIM, status: { phase: "Bound" } });
    assert.deepEqual([spec.volumeMode, status.phase], ["Filesystem", "Pending"]);
    const row = await trial.row({ ...CLAIM, metadata: { deletionTimestamp: "2024-01-02T03:04:05Z" } });
    assert.deepEqual([row.Status, row.VolumeAttributesClass], ["Terminating", "<unset>"]);
  });
});

Deno.test("a claim's spec stays, and the refusal shows what would change", async () => {
  await withTrial(async (trial) => {
    await trial.create(CLAIM);
    const smaller = { ...CLAIM.spec, resources: { requests: { storage: "1Mi" } } };
    assert.deepEqual(await trial.updateRefusals({ ...CLAIM, spec: smaller }), [
      "spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for " +
      'bound claims\n@@ -6,7 +6,7 @@\n  "Resources": {\n   "Limits": null,\n   "Requests": {\n' +
      '-   "storage": "1Gi"\n+   "storage": "1Mi"\n   }\n  },\n  "VolumeName": "",\n',
    ]);
  });
});

Deno.test("a volume has exactly one source, which stays", async () => {
  await withTrial(async (trial) => {
    const nfs = { server: "s", path: "/p" };
    assert.deepEqual(await trial.refusals({ ...VOLUME, spec: { ...VOLUME.spec, nfs } }), [
      "spec.nfs: Forbidden: may not specify more than 1 volume type",
    ]);
    const spec = { ...VOLUME.spec, hostPath: undefined };
    assert.deepEqual(await trial.refusals({ ...VOLUME, spec }), ["spec: Required value: must specify a volume type"]);
    const stored = await trial.create(VOLUME);
    assert.deepEqual([stored.spec.persistentVolumeReclaimPolicy, stored.status.phase], ["Retain", "Pending"]);
    assert.ok(stored.status.lastPhaseTransitionTime);
    const [problem] = await trial.updateRefusals({ ...VOLUME, spec: { ...VOLUME.spec, hostPath: { path: "/b" } } });
    assert.match(problem, /^spec.persistentvolumesource: Forbidden: .* immutable after creation\n@@ -2,7 \+2,7 @@/);
  });
});
