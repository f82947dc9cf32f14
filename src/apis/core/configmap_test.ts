import assert from "node:assert/strict";
import { withTrial } from "../../registry/testing.ts";

Deno.test("keys may be called like what every object of JavaScript has; a key stands in one of data and binaryData", async () => {
  await withTrial(async (trial) => {
    const names = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"];
    const data = Object.fromEntries(names.map((name) => [name, "1"]));
    const map = { apiVersion: "v1", kind: "ConfigMap" };
    assert.deepEqual(Object.keys((await trial.create({ ...map, data })).data).sort(), [...names].sort());
    assert.deepEqual(
      await trial.refusals({ ...map, metadata: { name: "b" }, data: { a: "" }, binaryData: { a: "AA==" } }),
      [
        'data[a]: Invalid value: "a": duplicate of key present in binaryData',
      ],
    );
  });
});
