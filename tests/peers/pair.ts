// Kubelith and kube-apiserver over one etcd.
import assert from "node:assert/strict";
import { startMember } from "../../src/storage/etcd3/testing.ts";
import { inTempDir } from "../support/temp_dir.ts";
import { type ApiServer, makeClusterFiles, type ServerName, startApiServer } from "./api_servers.ts";
import type { Peer } from "./client.ts";
import type { Obj } from "./kinds.ts";
import { findProgram, missingPrograms } from "./programs.ts";

const JSON_TYPE = "application/json", PROTOBUF = "application/vnd.kubernetes.protobuf";
const PATIENCE_MS = 10_000;
export interface Pair {
  kubelith: ApiServer;
  real: ApiServer;
  etcd: string;
}

interface Shown {
  status: number;
  type: string | null;
  bytes: string;
}

const missing = missingPrograms("kube-apiserver", "etcd", "kubectl");

/** Flags of a server; the folder may take files that they name. */
type FlagsOf = (dir: string, server: ServerName) => string[];

/** A test of such a pair, where there are the programs. */
export function pairTest(
  name: string,
  body: (pair: Pair, t: Deno.TestContext) => Promise<void>,
  flagsOf: FlagsOf = () => [],
): void {
  Deno.test({
    name: missing === undefined ? name : `${name} (not tried: ${missing})`,
    ignore: missing !== undefined,
    fn: (t) => withPair((pair) => body(pair, t), flagsOf),
  });
}

// Controllers that are not there would have to take finalizers off; accounts are nobody's matter here.
const FLAGS = ["--disable-admission-plugins=ServiceAccount,StorageObjectInUseProtection"];

async function withPair(body: (pair: Pair) => Promise<void>, flagsOf: FlagsOf): Promise<void> {
  await inTempDir(async (dir) => {
    const files = await makeClusterFiles(dir), started: ApiServer[] = [];
    const { url, process } = await startMember({ program: findProgram("etcd")!, dir });
    try {
      for (const name of ["kube-apiserver", "kubelith"] as const) {
        started.push(await startApiServer(name, files, { etcd: url, flags: [...FLAGS, ...flagsOf(dir, name)] }));
      }
      await body({ real: started[0], kubelith: started[1], etcd: url });
    } finally {
      for (const server of started) await server.stop();
      process.kill("SIGKILL");
      await process.status;
    }
  });
}

async function shown(peer: Peer, path: string, accept: string, form: Form): Promise<Shown> {
  const response = await peer.fetch(path, { headers: { accept } });
  const bytes = accept === JSON_TYPE ? form(await response.text()) : (await response.bytes()).toBase64();
  return { status: response.status, type: response.headers.get("content-type"), bytes };
}

/** What of a JSON text is compared. */
type Form = (text: string) => string;

/** For custom resources, whose members kube-apiserver gives in alphabetical order, here behind kind and metadata. */
export function inAnyOrder(text: string): string {
  const sorted = (_: string, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1))
      : value;
  return JSON.stringify(JSON.parse(text), sorted);
}

/** Fails unless both servers come to show the same, in JSON and protobuf: controllers may write between two reads. */
export async function assertSame({ kubelith, real }: Pair, path: string, form: Form = (text) => text): Promise<void> {
  for (const accept of [JSON_TYPE, PROTOBUF]) {
    let ours: Shown, theirs: Shown;
    const deadline = Date.now() + PATIENCE_MS;
    do {
      [ours, theirs] = await Promise.all([kubelith, real].map(({ peer }) => shown(peer, path, accept, form)));
    } while (ours.bytes !== theirs.bytes && Date.now() < deadline);
    if (ours.bytes !== theirs.bytes) assert.fail(`${path} in ${accept}: ${firstDifference(ours.bytes, theirs.bytes)}`);
    assert.deepEqual([ours.status, ours.type], [theirs.status, theirs.type]);
  }
}

function firstDifference(ours: string, theirs: string): string {
  const at = [...ours].findIndex((letter, i) => letter !== theirs[i]);
  const around = (text: string) => text.slice(Math.max(0, at - 100), at + 100);
  return `ours …${around(ours)}… theirs …${around(theirs)}…`;
}

export async function must(peer: Peer, method: string, path: string, body?: unknown): Promise<Obj> {
  const answer = await peer.request(method, path, body);
  assert.ok(answer.status < 300, `${method} ${peer.url}${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** An update of what is there, again when somebody else was faster. */
export async function update(peer: Peer, path: string, change: (object: Obj) => unknown, sub = ""): Promise<void> {
  for (let attempt = 0;; attempt++) {
    const answer = await peer.request("PUT", path + sub, change(await must(peer, "GET", path)));
    if (answer.status === 409 && attempt < 10) continue;
    return assert.ok(answer.status < 300, `PUT ${peer.url}${path}${sub}: ${answer.status} ${answer.text}`);
  }
}
