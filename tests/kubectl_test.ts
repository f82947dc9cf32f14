// A user's day with the real kubectl against one server.
import assert from "node:assert/strict";
import { join } from "node:path";
import { clientsOf, type CommandResult, startServer } from "./support/server.ts";

const application = join(import.meta.dirname!, "testdata", "application.yaml");

Deno.test("kubectl works against a fresh server", async (t) => {
  const server = await startServer();
  try {
    const { kubectl, paths, env } = await clientsOf(server);
    const ok = async (...args: string[]): Promise<string> => succeeded(args, await kubectl(args));
    const status = (path: string, body: unknown) =>
      server.fetch(path, {
        method: "PATCH",
        headers: { "content-type": "application/merge-patch+json" },
        body: JSON.stringify({ status: body }),
      }).then(async (r) => assert.equal(r.status, 200, await r.text()));

    await t.step("api-resources, explain and version", async () => {
      const resources = await ok("api-resources");
      for (const name of ["deployments", "pods", "validatingwebhookconfigurations", "ipaddresses"]) {
        assert.match(resources, new RegExp(`^${name} `, "m"));
      }
      const explained = await ok("explain", "deployment.spec.strategy");
      assert.match(explained, /rollingUpdate\s+<RollingUpdateDeployment>/);
      assert.match(explained, /The deployment strategy to use/);
      assert.match(await ok("version"), /Server Version: v1\.36/);
      assert.match(await ok("auth", "can-i", "--list"), /\*\.\*/);
      assert.equal((await ok("auth", "can-i", "create", "pods")).trim(), "yes");
    });

    await t.step("apply an application, twice", async () => {
      const created = await ok("apply", "-f", application);
      assert.equal(created.match(/ created$/gm)?.length, 15, created);
      const again = await ok("apply", "-f", application);
      // kubectl sends a disruption budget's selector each time, whatever the server answers.
      assert.equal(again.match(/ unchanged$/gm)?.length, 14, again);
      assert.equal((await ok("diff", "-f", application)).trim(), "");
    });

    await t.step("create, get, describe, label, annotate, patch, edit", async () => {
      await ok("create", "configmap", "notes", "--from-literal=a=1");
      await ok("label", "configmap", "notes", "color=blue");
      await ok("annotate", "configmap", "notes", "why=because");
      await ok("patch", "configmap", "notes", "-p", '{"data":{"b":"2"}}');
      await ok("patch", "configmap", "notes", "--type=json", "-p", '[{"op":"add","path":"/data/c","value":"3"}]');
      await ok("patch", "configmap", "notes", "--type=merge", "-p", '{"data":{"a":null}}');
      const notes = JSON.parse(await ok("get", "configmap", "notes", "-o", "json"));
      assert.deepEqual(notes.data, { b: "2", c: "3" });
      assert.deepEqual(notes.metadata.labels, { color: "blue" });
      assert.deepEqual(notes.metadata.annotations, { why: "because" });
      assert.match(await ok("describe", "deployment", "web", "-n", "shop"), /Replicas:\s+2 desired/);
      const editor = join(server.dir, "editor.sh");
      await Deno.writeTextFile(editor, '#!/bin/sh\nsed -i "s/b: \\"2\\"/b: edited/" "$1"\n', { mode: 0o755 });
      const { code, stderr } = await new Deno.Command(paths.kubectl, {
        args: ["edit", "configmap", "notes"],
        env: { ...env, EDITOR: editor },
      }).output();
      assert.equal(code, 0, new TextDecoder().decode(stderr));
      assert.equal(await ok("get", "configmap", "notes", "-o", "jsonpath={.data.b}"), "edited");
    });

    await t.step("scale and rollout status", async () => {
      await ok("scale", "deployment/web", "-n", "shop", "--replicas=3");
      assert.equal(await ok("get", "deploy", "web", "-n", "shop", "-o", "jsonpath={.spec.replicas}"), "3");
      const generation = Number(
        await ok("get", "deploy", "web", "-n", "shop", "-o", "jsonpath={.metadata.generation}"),
      );
      await status("/apis/apps/v1/namespaces/shop/deployments/web/status", {
        observedGeneration: generation,
        replicas: 3,
        updatedReplicas: 3,
        readyReplicas: 3,
        availableReplicas: 3,
      });
      assert.match(
        await ok("rollout", "status", "deployment/web", "-n", "shop", "--timeout=30s"),
        /successfully rolled out/,
      );
      assert.match(await ok("get", "deployments", "-n", "shop"), /web\s+3\/3\s+3\s+3/);
    });

    await t.step("watch and wait", async () => {
      const watching = new Deno.Command(paths.kubectl, {
        args: ["get", "configmaps", "--watch-only", "-o", "name"],
        env,
        stdout: "piped",
        stderr: "null",
      }).spawn();
      const lines = watching.stdout.pipeThrough(new TextDecoderStream()).getReader();
      // The watch runs once its first event is seen: keep making one until then.
      let seen = "", made = 0;
      const first = lines.read().then(({ value }) => seen = value ?? "");
      while (seen === "" && made < 50) {
        await ok("create", "configmap", `seen-${made++}`);
        await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 100))]);
      }
      watching.kill("SIGTERM");
      await lines.cancel();
      await watching.status;
      assert.match(seen, /configmap\/seen-\d+/);
      const waiting = kubectl(["wait", "--for=condition=Complete", "job/migrate", "-n", "shop", "--timeout=30s"]);
      const now = new Date().toISOString().replace(/\.\d+Z/, "Z");
      await status("/apis/batch/v1/namespaces/shop/jobs/migrate/status", {
        startTime: now,
        completionTime: now,
        succeeded: 1,
        conditions: [
          { type: "SuccessCriteriaMet", status: "True", lastProbeTime: now, lastTransitionTime: now },
          { type: "Complete", status: "True", lastProbeTime: now, lastTransitionTime: now },
        ],
      });
      assert.match(succeeded(["wait"], await waiting), /condition met/);
    });

    await t.step("replace and delete; the namespace empties itself and goes", async () => {
      const text = await ok("get", "configmap", "notes", "-o", "yaml");
      assert.equal((await kubectl(["replace", "-f", "-"], text.replace("edited", "replaced"))).code, 0);
      assert.equal(await ok("get", "configmap", "notes", "-o", "jsonpath={.data.b}"), "replaced");
      await ok("delete", "configmap", "notes");
      assert.equal((await kubectl(["get", "configmap", "notes"])).code, 1);
      // The namespace comes first in the file, and may be empty before kubectl gets to the rest.
      await ok("delete", "-f", application, "--ignore-not-found", "--timeout=60s");
      assert.match((await kubectl(["get", "namespace", "shop"])).stderr, /namespaces "shop" not found/);
    });

    await t.step("owned objects go with their owner", async () => {
      const owner = JSON.parse(await ok("create", "configmap", "owner", "-o", "json"));
      const owned = {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: {
          name: "owned",
          ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.metadata.uid }],
        },
      };
      assert.equal((await kubectl(["create", "-f", "-"], JSON.stringify(owned))).code, 0);
      await ok("delete", "configmap", "owner");
      await ok("wait", "--for=delete", "configmap/owned", "--timeout=30s");
    });
  } finally {
    await server.stop();
  }
});

Deno.test("everything is as it was after a restart", async () => {
  let server = await startServer();
  try {
    const first = await clientsOf(server);
    succeeded(["apply"], await first.kubectl(["apply", "-f", application]));
    const before = succeeded(
      ["get"],
      await first.kubectl(["get", "all,secrets,pvc,roles", "-n", "shop", "-o", "json"]),
    );
    await server.stop({ keepDir: true });
    server = await startServer({ dir: server.dir });
    const second = await clientsOf(server);
    const after = succeeded(
      ["get"],
      await second.kubectl(["get", "all,secrets,pvc,roles", "-n", "shop", "-o", "json"]),
    );
    assert.deepEqual(JSON.parse(after).items, JSON.parse(before).items);
  } finally {
    await server.stop();
  }
});

function succeeded(args: string[], result: CommandResult): string {
  assert.equal(result.code, 0, `kubectl ${args.join(" ")}: ${result.stderr}${result.stdout}`);
  return result.stdout;
}
