import assert from "node:assert/strict";
import { withTrial } from "../../registry/testing.ts";

const GROUP = "storage.k8s.io/v1";

Deno.test("a storage class keeps what volumes are made by", async () => {
  const storageClass = (more: object = {}) => ({ apiVersion: GROUP, kind: "StorageClass", provisioner: "a", ...more });
  await withTrial(async (trial) => {
    const stored = await trial.create(storageClass({ parameters: { a: "b" } }));
    assert.deepEqual([stored.reclaimPolicy, stored.volumeBindingMode], ["Delete", "Immediate"]);
    assert.deepEqual(await trial.updateRefusals(storageClass({ provisioner: "b", reclaimPolicy: "Retain" })), [
      "parameters: Invalid value: {}: field is immutable",
      'provisioner: Invalid value: "b": field is immutable',
      'reclaimPolicy: Invalid value: "Retain": field is immutable',
    ]);
    const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
    assert.equal((await trial.row(storageClass({ metadata: { annotations } }))).Name, "a (default)");
    const term = { matchLabelExpressions: [{ key: "k", values: ["x", "x"] }, { key: "k", values: [] }] };
    assert.deepEqual(await trial.refusals(storageClass({ allowedTopologies: [term] })), [
      'allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "x"',
      "allowedTopologies[0].matchLabelExpressions[1].values: Required value",
      'allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "k"',
    ]);
  });
});

Deno.test("drivers and volumes of CSI", async () => {
  await withTrial(async (trial) => {
    const driver = { fsGroupPolicy: "x", tokenRequests: [{ audience: "a" }, { audience: "a" }] };
    assert.deepEqual(await trial.refusals({ apiVersion: GROUP, kind: "CSIDriver", spec: driver }), [
      'spec.fsGroupPolicy: Unsupported value: "x": supported values: "File", "None", "ReadWriteOnceWithFSType"',
      'spec.tokenRequests[1].audience: Duplicate value: "a"',
    ]);
    assert.deepEqual(await trial.refusals({ apiVersion: GROUP, kind: "VolumeAttributesClass", driverName: "" }), [
      "driverName: Required value",
      "parameters: Required value: must contain at least one key/value pair",
    ]);
    const attachment = { attacher: "a", nodeName: "n", source: {} };
    assert.deepEqual(await trial.refusals({ apiVersion: GROUP, kind: "VolumeAttachment", spec: attachment }), [
      "spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName",
    ]);
  });
});
