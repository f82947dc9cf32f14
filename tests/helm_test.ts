// The life of a release with the real helm.
import assert from "node:assert/strict";
import { join } from "node:path";
import { clientsOf, startServer } from "./support/server.ts";

const chart = join(import.meta.dirname!, "testdata", "chart");

Deno.test("helm installs, upgrades, rolls back and uninstalls a release", async () => {
  const server = await startServer();
  try {
    const { helm, kubectl } = await clientsOf(server);
    const ok = async (...args: string[]) => {
      const result = await helm(args);
      assert.equal(result.code, 0, `helm ${args.join(" ")}: ${result.stderr}${result.stdout}`);
      return result.stdout;
    };
    const greeting = async () =>
      (await kubectl(["get", "configmap", "hi-config", "-o", "jsonpath={.data.greeting}"])).stdout;
    await ok("install", "hi", chart, "--server-side=false");
    assert.equal(await greeting(), "hello");
    await ok("upgrade", "hi", chart, "--server-side=false", "--set", "greeting=servus,replicas=2");
    assert.equal(await greeting(), "servus");
    assert.match(await ok("list"), /^hi\s+default\s+2\s+.*deployed\s+greeter-0\.1\.0/m);
    await ok("rollback", "hi", "1", "--server-side=false");
    assert.equal(await greeting(), "hello");
    assert.match(await ok("history", "hi"), /Rollback to 1/);
    await ok("uninstall", "hi");
    assert.equal((await kubectl(["get", "configmap", "hi-config"])).code, 1);
    assert.equal((await kubectl(["get", "service", "hi"])).code, 1);
  } finally {
    await server.stop();
  }
});
