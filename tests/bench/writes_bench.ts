// What a write costs behind the listener, from the handler chain through admission to a durable commit: one at a time,
// and sixteen at once, which share commits.
import facts from "../../src/facts/features.json" with { type: "json" };
import { PLUGINS } from "../../src/admission/plugins.ts";
import { createServerChain } from "../../src/server/chain.ts";
import { newServerConfig } from "../../src/server/new_config.ts";
import { workerEntry } from "../../src/worker.ts";

const COLLECTION = "/api/v1/namespaces/default/configmaps", AT_ONCE = 16;
const STRATEGIC = "application/strategic-merge-patch+json", MERGE = "application/merge-patch+json";

const onByDefault = new Set(facts.admission_plugins_on_by_default);
const dir = await Deno.makeTempDir();
addEventListener("unload", () => Deno.removeSync(dir, { recursive: true }));
const config = newServerConfig();
config.generic.authorization.modes = ["AlwaysAllow"];
config.generic.authentication.anonymous = true;
config.generic.storage = {
  ...config.generic.storage,
  backend: "sqlite",
  path: `${dir}/state.db`,
  relaxedDurability: [],
};
config.generic.admission.plugins = [...PLUGINS.keys()].filter((p) => onByDefault.has(p) && p !== "ServiceAccount");
const stopped = new AbortController();
const { app } = await createServerChain(config, { workerUrl: workerEntry(), stopped: stopped.signal });

async function send(method: string, path: string, body?: unknown, type = "application/json"): Promise<void> {
  const init = {
    method,
    headers: { "content-type": type },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
  const answer = await app.fetch(new Request(`https://127.0.0.1${path}`, init), {
    remoteAddress: "127.0.0.1",
    secure: false,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
}

function configMap(name: string, rev: number) {
  const metadata = { name, labels: { app: "bench" }, annotations: { rev: String(rev) } };
  return { kind: "ConfigMap", apiVersion: "v1", metadata, data: { payload: "x".repeat(900) } };
}

await send("POST", "/api/v1/namespaces", { metadata: { name: "default" } });
let next = 0;
const kept = Array.from({ length: AT_ONCE }, (_, i) => `kept-${i}`);
for (const name of kept) await send("POST", COLLECTION, configMap(name, 0));

async function createAndDelete(): Promise<void> {
  const name = `c-${next++}`;
  await send("POST", COLLECTION, configMap(name, 0));
  await send("DELETE", `${COLLECTION}/${name}`);
}
const update = (name: string) => send("PUT", `${COLLECTION}/${name}`, configMap(name, next++));
const patch = (name: string, type: string) =>
  send("PATCH", `${COLLECTION}/${name}`, { metadata: { annotations: { rev: String(next++) } } }, type);

for (const count of [1, AT_ONCE]) {
  const group = count === 1 ? "one at a time" : `${count} at once`, names = kept.slice(0, count);
  const bench = (name: string, write: (name: string) => Promise<void>) =>
    Deno.bench(`${name}, ${group}`, { group }, async () => void await Promise.all(names.map(write)));
  bench("update", update);
  bench("strategic merge patch", (name) => patch(name, STRATEGIC));
  bench("merge patch", (name) => patch(name, MERGE));
  bench("create and delete", createAndDelete);
}
