import assert from "node:assert/strict";
import { createMetrics } from "../../metrics/mod.ts";
import { recordVersion } from "./version.ts";

Deno.test("the version is among the metrics", async () => {
  const metrics = createMetrics();
  recordVersion(metrics);
  const line = /^kubernetes_build_info\{major="1",minor="36",git_version="v1\.36\.\d+",.*,platform="\w+\/\w+"\} 1$/m;
  assert.match(await metrics.text(), line);
});
