// What client-go does, done by client-go: see client_go/main.go for the checks.
import assert from "node:assert/strict";
import { join } from "node:path";
import { run, startServer } from "../support/server.ts";
import { buildGoProgram, missingGo } from "./go_program.ts";

interface Outcome {
  name: string;
  error?: string;
}

const missing = await missingGo();

Deno.test({
  name: `client-go works${missing === undefined ? "" : ` (not tried: ${missing})`}`,
  ignore: missing !== undefined,
  fn: async (t) => {
    const program = await buildGoProgram("client_go");
    const server = await startServer();
    try {
      const { stdout, stderr } = await run(program, ["-kubeconfig", join(server.dir, "kubeconfig")]);
      const outcomes: Outcome[] = stdout.trim().split("\n").map((line) => JSON.parse(line));
      assert.ok(outcomes.length > 0, stderr);
      for (const { name, error } of outcomes) await t.step(name, () => assert.equal(error, undefined));
    } finally {
      await server.stop();
    }
  },
});
