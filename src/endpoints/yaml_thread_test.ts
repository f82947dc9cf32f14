import assert from "node:assert/strict";
import { YamlError } from "../machinery/yaml/mod.ts";
import { readYaml } from "./yaml_thread.ts";

Deno.test({
  name: "long YAML is read apart, and too long or broken texts are refused",

  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    const keys = Array.from({ length: 4_000 }, (_, i) => `k${i}: ${i}`).join("\n");
    const [{ value }, broken] = await Promise.all([
      readYaml(keys),
      readYaml(`${keys}\n- x`).catch((error: unknown) => error),
    ]);
    clearInterval(counting);
    assert.equal((value as Record<string, number>).k3999, 3999);
    assert.ok(broken instanceof YamlError);
    assert.match(broken.message, /^yaml: line \d+: /);
    assert.ok(turns > 0, "others had their turn meanwhile");

    await assert.rejects(readYaml("a:\n" + "- a\n".repeat(400_000)), { message: "yaml: document has too many tokens" });
    const json = `{"a": "${"x".repeat(40_000)}"}`;
    assert.deepEqual((await readYaml(json)).value, JSON.parse(json));
    const many = Array.from({ length: 17 }, () => Promise.resolve(keys).then(readYaml));
    const refused = (await Promise.allSettled(many)).filter((result) => result.status === "rejected");
    assert.deepEqual(refused.map(({ reason }) => reason.status.code), [429]);
  },
});
