// The ways of storing that the suite of storage.Interface runs against, each with one resource.
import { inTempDir } from "../../tests/support/temp_dir.ts";
import type { DryRunStorage } from "./dry_run.ts";
import { createEncryption } from "./encryption/mod.ts";
import { startEtcd } from "./etcd3/testing.ts";
import { createStorage, type EngineOptions, type StorageFactory } from "./factory.ts";
import type { Interface } from "./interface.ts";

export const PREFIX = "/registry/widgets/";
const WORKER = new URL("./sqlite/writer_entry.ts", import.meta.url);

export interface Fixture {
  storage: Interface;
  tries: DryRunStorage;
  factory: StorageFactory;
}

interface Way {
  name: string;
  engine: (dir: string) => EngineOptions;
  noCache: boolean;
  encrypted?: boolean;
}

const inFile = (dir: string): EngineOptions => ({ backend: "sqlite", path: `${dir}/state.db`, workerUrl: WORKER });
const inMemory = (): EngineOptions => ({ backend: "sqlite", path: ":memory:", workerUrl: WORKER });
const relaxed = (dir: string): EngineOptions => ({
  backend: "sqlite",
  path: `${dir}/state.db`,
  workerUrl: WORKER,
  relaxedDurability: ["widgets"],
});
const etcd = await startEtcd();
let clusters = 0;
/** Each test has its own keys. */
const inEtcd = (): EngineOptions => ({
  backend: "etcd3",
  servers: [etcd!],
  overrides: [],
  prefix: `/test-${clusters++}`,
  leaseReuseSeconds: 60,
});

const KEYS = [{ name: "k", secret: btoa("0123456789abcdef0123456789abcdef") }];
const ENCRYPTION = JSON.stringify({
  apiVersion: "apiserver.config.k8s.io/v1",
  kind: "EncryptionConfiguration",
  resources: [{ resources: ["widgets"], providers: [{ aesgcm: { keys: KEYS } }] }],
});

const WAYS: readonly Way[] = [
  { name: "sqlite file, cache", engine: inFile, noCache: false },
  { name: "sqlite file, no cache", engine: inFile, noCache: true },
  { name: "sqlite file, cache, relaxed", engine: relaxed, noCache: false },
  { name: "sqlite file, no cache, relaxed", engine: relaxed, noCache: true },
  { name: "sqlite memory, cache", engine: inMemory, noCache: false },
  { name: "sqlite memory, no cache", engine: inMemory, noCache: true },
  { name: "sqlite file, cache, encrypted", engine: inFile, noCache: false, encrypted: true },
  { name: "sqlite memory, no cache, encrypted", engine: inMemory, noCache: true, encrypted: true },
  ...etcd === undefined ? [] : [
    { name: "etcd3, cache", engine: inEtcd, noCache: false },
    { name: "etcd3, no cache", engine: inEtcd, noCache: true },
    { name: "etcd3, cache, encrypted", engine: inEtcd, noCache: false, encrypted: true },
  ],
];

/** The same test for each way. */
export function storageTest(title: string, body: (fixture: Fixture) => Promise<void>): void {
  for (const way of WAYS) {
    Deno.test(`${title} (${way.name})`, () => inTempDir((dir) => runWith(way, dir, body)));
  }
}

async function runWith(way: Way, dir: string, body: (fixture: Fixture) => Promise<void>): Promise<void> {
  const encryption = way.encrypted ? await createEncryption(ENCRYPTION) : undefined;
  const factory = await createStorage({ engine: way.engine(dir), encryption });
  try {
    const tries = factory.forResource({
      prefix: PREFIX,
      resource: { group: "", resource: "widgets" },
      noCache: way.noCache,
      windowSize: 8,
      revisionTimeout: 50,
      attributesOf: ({ metadata, spec }) => ({
        labels: metadata.labels ?? {},
        fields: {
          "metadata.name": metadata.name!,
          "metadata.namespace": metadata.namespace!,
          "spec.nodeName": spec?.nodeName ?? "",
        },
      }),
    });
    await body({ storage: tries.storage, tries, factory });
  } finally {
    await factory.close();
  }
}
