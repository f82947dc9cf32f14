import assert from "node:assert/strict";
import { newServerConfig } from "../../server/new_config.ts";
import { OptionFiles } from "../flags/files.ts";
import type { OptionContext } from "../flags/group.ts";
import { parseFlags } from "../flags/parse.ts";
import { kubelith } from "./kubelith.ts";
import { ALL_FLAGS, newOptions } from "./mod.ts";
import { storage } from "./storage.ts";

function read(...argv: string[]) {
  const { values } = parseFlags(argv, ALL_FLAGS);
  const context: OptionContext = { files: new OptionFiles(), given: new Set(values.keys()) };
  return { options: newOptions(values), context };
}

async function problems(...argv: string[]): Promise<string[]> {
  const { options, context } = read(...argv);
  return [
    ...await storage.validate!(options.storage, context),
    ...await kubelith.validate!(options.kubelith, context),
  ];
}

function configured(...argv: string[]) {
  const { options, context } = read(...argv), config = newServerConfig();
  storage.applyTo!(options.storage, config, context);
  kubelith.applyTo!(options.kubelith, config, context);
  return config.generic.storage;
}

Deno.test("objects are kept in SQLite unless etcd servers are given", () => {
  const sqlite = configured("--sqlite-path=/x/state.db", "--relaxed-durability=leases,events");
  assert.ok(sqlite.backend === "sqlite");
  assert.equal(sqlite.path, "/x/state.db");
  assert.deepEqual(sqlite.relaxedDurability, ["leases", "events"]);
  assert.equal(sqlite.mediaType, "application/json");
  const etcd = configured("--etcd-servers=10.0.0.1:2379,http://b:1", "--etcd-prefix=clusters//a/");
  assert.ok(etcd.backend === "etcd3");
  assert.deepEqual(etcd.etcd.servers, ["http://10.0.0.1:2379", "http://b:1"]);
  assert.equal(etcd.etcd.prefix, "/clusters/a");
  assert.equal(etcd.mediaType, "application/vnd.kubernetes.protobuf");
});

Deno.test("resources of their own servers, and those without a cache", () => {
  const etcd = configured(
    "--etcd-servers=a:1",
    "--etcd-servers-overrides=/events#http://b:1;http://c:1,apps/deployments#d:1",
  );
  assert.ok(etcd.backend === "etcd3");
  assert.deepEqual(etcd.etcd.overrides, [
    { group: "", resource: "events", servers: ["http://b:1", "http://c:1"] },
    { group: "apps", resource: "deployments", servers: ["http://d:1"] },
  ]);
  assert.deepEqual(configured("--watch-cache-sizes=pods#0,nodes#100,leases.coordination.k8s.io#0").uncachedResources, [
    "pods",
    "leases.coordination.k8s.io",
  ]);
});

const WRONG: [argv: string[], problem: RegExp][] = [
  [["--storage-backend=etcd3"], /^--etcd-servers must be specified$/],
  [["--storage-backend=etcd2"], /etcd2 is no longer a supported storage backend/],
  [["--storage-backend=files"], /must be one of sqlite, etcd3/],
  [["--storage-backend=sqlite", "--etcd-servers=a:1"], /^--etcd-servers needs --storage-backend=etcd3$/],
  [["--etcd-prefix=/x"], /^--etcd-prefix needs --storage-backend=etcd3$/],
  [["--etcd-servers=a:1", "--sqlite-path=/x"], /^--sqlite-path is for SQLite/],
  [["--etcd-servers=a:1", "--relaxed-durability=leases"], /^--relaxed-durability is for SQLite/],
  [["--etcd-servers=ftp://a"], /must be a URL, http or https/],
  [["--etcd-servers=a:1", "--etcd-servers-overrides=events"], /must be of format: group\/resource#servers/],
  [["--etcd-servers=https://a:1", "--etcd-certfile=/none"], /--etcd-keyfile is missing/],
  [["--storage-media-type=application/vnd.kubernetes.protobuf"], /SQLite holds JSON/],
  [["--relaxed-durability=Leases"], /must be a resource, or resource.group of a custom one/],
  [["--relaxed-durability=lease"], /=lease: must be a resource/],
  [["--watch-cache-sizes=pods"], /must be resource\[.group\]#size/],
  [["--encryption-provider-config-automatic-reload"], /must be set with --encryption-provider-config$/],
  [["--encryption-provider-config=/none"], /no such file or directory/],
];

for (const [argv, problem] of WRONG) {
  Deno.test(`refused: ${argv.join(" ")}`, async () => {
    const found = await problems(...argv);
    assert.ok(found.some((text) => problem.test(text)), found.join("\n"));
  });
}

Deno.test("what is right is not complained about", async () => {
  assert.deepEqual(await problems("--etcd-servers=https://a:2379", "--lease-reuse-duration-seconds=10"), []);
  assert.deepEqual(await problems("--relaxed-durability=leases,widgets.example.com", "--watch-cache=false"), []);
});
