// What client-go does, done by client-go: see client_go/main.go for the checks. They have to hold on kube-apiserver, too.
import assert from "node:assert/strict";
import { join } from "node:path";
import { run, startServer } from "../support/server.ts";
import { inTempDir } from "../support/temp_dir.ts";
import { makeClusterFiles, startApiServer } from "./api_servers.ts";
import { buildGoProgram, missingGo } from "./go_program.ts";
import { missingPrograms } from "./programs.ts";

interface Outcome {
  name: string;
  error?: string;
}

const missing = await missingGo();

function clientGoTest(server: string, why: string | undefined, body: (t: Deno.TestContext) => Promise<void>): void {
  const name = `client-go on ${server}`;
  Deno.test({ name: why === undefined ? name : `${name} (not tried: ${why})`, ignore: why !== undefined, fn: body });
}

async function check(t: Deno.TestContext, kubeconfig: string): Promise<void> {
  const program = await buildGoProgram("client_go");
  const { stdout, stderr } = await run(program, ["-kubeconfig", kubeconfig]);
  const outcomes: Outcome[] = stdout.trim().split("\n").map((line) => JSON.parse(line));
  assert.ok(outcomes.length > 0, stderr);
  for (const { name, error } of outcomes) await t.step(name, () => assert.equal(error, undefined));
}

clientGoTest("Kubelith", missing, async (t) => {
  const server = await startServer();
  try {
    await check(t, join(server.dir, "kubeconfig"));
  } finally {
    await server.stop();
  }
});

clientGoTest("kube-apiserver", missing ?? missingPrograms("kube-apiserver", "etcd"), (t) =>
  inTempDir(async (dir) => {
    // Nobody makes the accounts that pods would need.
    const flags = ["--disable-admission-plugins=ServiceAccount"];
    const server = await startApiServer("kube-apiserver", await makeClusterFiles(dir), { flags });
    try {
      await check(t, server.kubeconfig);
    } finally {
      await server.stop();
    }
  }));
