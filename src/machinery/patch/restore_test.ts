import assert from "node:assert/strict";
import { builtinSchema } from "../schema/builtin.ts";
import type { Json } from "../types.ts";
import { restoreProblem } from "./restore.ts";

Deno.test("mistakes of content are told as the converter of unstructured content tells them", () => {
  const type = builtinSchema().typeOfKind({ group: "apps", version: "v1", kind: "Deployment" })!;
  const container = (member: Json) => ({ spec: { template: { spec: { containers: [member] } } } });
  const cases: [Json, string | undefined][] = [
    [{ kind: 5 }, "cannot convert int64 to string"],
    [{ apiVersion: [] }, "unrecognized type: string"],
    [{ metadata: { labels: 5 } }, "cannot restore map from int64"],
    [{ spec: 5 }, "cannot restore struct from: int64"],
    [{ spec: { strategy: [] } }, "cannot restore struct from: slice"],
    [{ spec: { replicas: "x" } }, "unrecognized type: int32"],
    [{ spec: { replicas: 1.5 } }, "cannot convert float64 to int32"],
    [{ spec: { paused: "x" } }, "unrecognized type: bool"],
    [{ metadata: { finalizers: "x" } }, "cannot restore slice from string"],
    [{ metadata: { creationTimestamp: 5 } }, "json: cannot unmarshal number into Go value of type string"],
    [
      container({ livenessProbe: { httpGet: { port: {} } } }),
      "json: cannot unmarshal object into Go value of type int32",
    ],
    [container({ image: 5 }), "cannot convert int64 to string"],
    [container({ unknown: 5, image: null }), undefined],
  ];
  for (const [value, problem] of cases) assert.equal(restoreProblem(type, value), problem, JSON.stringify(value));
});
