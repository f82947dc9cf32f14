// Two servers over a cluster of three etcd members: a member is killed under load, then a server. Clients carry on with
// the other one. Runs where there is an etcd ($ETCD, or on the PATH).
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { killProcess, program, withCluster } from "./support/etcd.ts";
import { startServer, type TestServer } from "./support/server.ts";
import { inTempDir } from "./support/temp_dir.ts";

const COLLECTION = "/api/v1/namespaces/default/configmaps";
const CLIENTS = 8;

interface ConfigMap {
  metadata: { name: string; resourceVersion: string };
  data: Record<string, string>;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function startOver(servers: string[], dir: string, name: string): Promise<TestServer> {
  const key = join(dir, "sa.key"), own = join(dir, name);
  await Deno.mkdir(own);
  return await startServer({
    dir: own,
    command: "plain",
    args: [
      `--etcd-servers=${servers.join(",")}`,
      "--service-account-issuer=https://issuer.example",
      `--service-account-key-file=${key}`,
      `--service-account-signing-key-file=${key}`,
    ],
  });
}

/** A client that counts a config map up, by whichever server answers. */
class Counter {
  readonly name: string;
  readonly #servers: readonly TestServer[];
  /** The last number whose write was acknowledged, and one that was sent behind it. */
  acknowledged = -1;
  sent = -1;

  constructor(name: string, servers: readonly TestServer[]) {
    this.name = name;
    this.#servers = servers;
  }

  async run(stop: () => boolean): Promise<void> {
    let turn = Number(this.name.slice(1));
    while (!stop()) {
      try {
        await this.#step(this.#servers[turn % this.#servers.length]);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        // The server is gone, or has no etcd: the other one is asked.
        turn++;
        await pause(20);
      }
    }
  }

  async #step(server: TestServer): Promise<void> {
    const present = await this.read(server);
    const n = present === undefined ? -1 : Number(present.data.n);
    assert.ok(
      n === this.acknowledged || n === this.sent,
      `${this.name} holds ${n}, ${this.acknowledged} was acknowledged`,
    );
    this.acknowledged = n;
    this.sent = n + 1;
    const body = { metadata: { name: this.name, ...present?.metadata }, data: { n: String(n + 1) } };
    if (present === undefined) await server.json("POST", COLLECTION, body);
    else await server.json("PUT", `${COLLECTION}/${this.name}`, body);
    this.acknowledged = this.sent;
  }

  async read(server: TestServer): Promise<ConfigMap | undefined> {
    const response = await server.fetch(`${COLLECTION}/${this.name}`);
    const answer = await response.json();
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(answer.message);
    return answer;
  }
}

/** A client that follows the config maps from the last event that it saw, by whichever server answers. */
async function follow(servers: readonly TestServer[], seen: Map<string, number[]>, stop: AbortSignal): Promise<void> {
  let from = "";
  for (let turn = 0; !stop.aborted; turn++) {
    try {
      const response = await servers[turn % servers.length].fetch(
        `${COLLECTION}?watch=true&resourceVersion=${from}`,
        { signal: stop },
      );
      if (!response.ok) throw new Error(await response.text());
      let text = "";
      for await (const more of response.body!.pipeThrough(new TextDecoderStream())) {
        const lines = (text + more).split("\n");
        text = lines.pop()!;
        for (const line of lines) {
          const { type, object } = JSON.parse(line) as { type: string; object: ConfigMap };
          assert.notEqual(type, "ERROR", line);
          from = object.metadata.resourceVersion;
          const numbers = seen.get(object.metadata.name) ?? [];
          seen.set(object.metadata.name, [...numbers, Number(object.data?.n)]);
        }
      }
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      await pause(20);
    }
  }
}

Deno.test({
  name: "clients carry on when an etcd member is killed, and then a server",
  ignore: program === undefined,
  sanitizeResources: false,
  sanitizeOps: false,
  fn: () =>
    inTempDir((dir) =>
      withCluster(3, async ({ servers: urls, members }) => {
        const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
        await Deno.writeTextFile(join(dir, "sa.key"), key.export({ type: "pkcs8", format: "pem" }) as string);
        const servers = [await startOver(urls, dir, "one"), await startOver([...urls].reverse(), dir, "two")];
        const seen = new Map<string, number[]>(), ended = new AbortController();
        const following = follow(servers, seen, ended.signal);
        const counters = Array.from({ length: CLIENTS }, (_, i) => new Counter(`c${i}`, servers));
        let stop = false;
        const running = Promise.all(counters.map((counter) => counter.run(() => stop)));
        const total = () => counters.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
        const progress = async () => {
          for (const wanted = total() + 20 * CLIENTS; total() < wanted;) await pause(20);
        };
        try {
          await progress();
          await killProcess(members[0].process);
          await progress();
          servers[0].kill("SIGKILL");
          await servers[0].exited;
          await progress();
          stop = true;
          await running;
          for (const counter of counters) {
            const n = Number((await counter.read(servers[1]))!.data.n);
            assert.ok(n === counter.acknowledged || n === counter.sent, `${counter.name} ended at ${n}`);
            // Every write in order, each once.
            while (seen.get(counter.name)!.at(-1)! < n) await pause(20);
            assert.deepEqual(seen.get(counter.name), Array.from({ length: n + 1 }, (_, i) => i), counter.name);
          }
        } finally {
          stop = true;
          ended.abort();
          await Promise.allSettled([running, following]);
          for (const server of servers) await server.stop({ keepDir: true });
        }
        await following;
      })
    ),
});
