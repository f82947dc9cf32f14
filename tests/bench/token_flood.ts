// What a flood of bad tokens does to a client with a good one: its gets without and with each flood, in turn.
//
//   deno run -A tests/bench/token_flood.ts [--connections 32] [--rounds 7] [--only random]
//
// The floods come from a process of their own, in a closed loop: each connection asks again as soon as it was refused.
import { createPrivateKey, sign } from "node:crypto";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { parseArgs } from "node:util";
import { startServer, type TestServer } from "../support/server.ts";

const PATH = "/api/v1/namespaces/default/configmaps/a";
/** Milliseconds of a round, and until the flooding process is at its work. */
const ROUND = 1_000, START_UP = 4_000;

interface Target {
  port: number;
  tokens: readonly string[];
  connections: number;
  /** A connection is good for one request only. */
  fresh?: boolean;
  /** Requests at once over each connection; HTTP/2 when there are several. */
  streams?: number;
}

/** One HTTP/1.1 connection that does next to nothing itself: what is measured is the server. */
class Connection {
  #socket: TLSSocket | undefined;
  #buffer = "";
  #answered: { resolve: (status: number) => void; reject: (e: Error) => void } | undefined;

  constructor(readonly port: number) {}

  async get(token: string): Promise<number> {
    const socket = this.#socket ??= await this.#connect();
    return await new Promise((resolve, reject) => {
      this.#answered = { resolve, reject };
      socket.write(`GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#buffer = "";
  }

  #connect(): Promise<TLSSocket> {
    return new Promise((resolve, reject) => {
      const options = { port: this.port, host: "127.0.0.1", rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] };
      const socket = connect(options, () => resolve(socket));
      socket.setNoDelay(true);
      socket.setEncoding("latin1");
      socket.on("data", (text: unknown) => this.#read(text as string));
      socket.on("error", (e: Error) => (this.#answered?.reject ?? reject)(e));
      socket.on("close", () => this.#answered?.reject(new Error("closed")));
    });
  }

  #read(text: string): void {
    this.#buffer += text;
    const end = this.#buffer.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/^content-length: (\d+)/im.exec(this.#buffer)?.[1] ?? 0);
    if (this.#buffer.length < end + 4 + length) return;
    const status = Number(this.#buffer.slice(9, 12));
    this.#buffer = "";
    this.#answered!.resolve(status);
  }
}

/** Entry of the flooding process: asks until it is killed, says each second how often it was refused. */
async function flood({ port, tokens, connections, fresh = false, streams = 1 }: Target): Promise<void> {
  let refused = 0, next = 0;
  setInterval(() => {
    console.log(refused);
    refused = 0;
  }, 1000);
  const token = () => tokens.length > 0 ? tokens[next++ % tokens.length] : crypto.randomUUID();
  const ask = async (get: () => Promise<number>, done: () => void) => {
    for (;;) {
      try {
        if (await get() === 401) refused++;
      } catch {
        done();
      }
      if (fresh) done();
    }
  };
  const all = Array.from({ length: connections }, () => {
    if (streams === 1) {
      const connection = new Connection(port);
      return ask(() => connection.get(token()), () => connection.close());
    }
    const client = Deno.createHttpClient({ caCerts: [], poolMaxIdlePerHost: 1 });
    const get = async () => {
      const headers = { authorization: `Bearer ${token()}` };
      const answer = await fetch(`https://127.0.0.1:${port}${PATH}`, { client, headers });
      await answer.body?.cancel();
      return answer.status;
    };
    return Promise.all(Array.from({ length: streams }, () => ask(get, () => {})));
  });
  await Promise.all(all);
}

interface Measured {
  p50: number;
  p99: number;
  rate: number;
}

/** What each get took, one after the other for a round. */
async function round(connection: Connection, token: string): Promise<number[]> {
  const times: number[] = [], end = performance.now() + ROUND;
  for (let now = performance.now(); now < end;) {
    const status = await connection.get(token);
    if (status !== 200) throw new Error(`a good request was answered ${status}`);
    const then = performance.now();
    times.push(then - now);
    now = then;
  }
  return times;
}

/** The middle of all rounds: other work of the machine disturbs some of them. */
function summary(rounds: readonly number[][]): Measured {
  const sorted = rounds.map((times) => times.toSorted((a, b) => a - b));
  const at = (share: number) => median(sorted.map((times) => times[Math.floor(times.length * share)]));
  return { p50: at(0.5), p99: at(0.99), rate: median(rounds.map(({ length }) => length * 1000 / ROUND)) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function encoded(value: unknown): string {
  return new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Tokens of a service account as the server issues them, but for what is wrong with them. */
async function badTokens(server: TestServer): Promise<Record<string, readonly string[]>> {
  const request = { spec: { expirationSeconds: 3600 } };
  const path = "/api/v1/namespaces/default/serviceaccounts/default/token";
  const { status } = await server.json<{ status: { token: string } }>("POST", path, request);
  const [header, payload] = status.token.split(".");
  const claims = JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(payload, { alphabet: "base64url" })));
  const key = createPrivateKey(await Deno.readTextFile(join(server.dir, "pki", "sa.key")));
  const ec = key.asymmetricKeyType === "ec";
  const signed = (body: string) =>
    sign("sha256", new TextEncoder().encode(`${header}.${body}`), ec ? { key, dsaEncoding: "ieee-p1363" } : key)
      .toString("base64url");
  const many = <T>(make: (i: number) => T) => Array.from({ length: 500 }, (_, i) => make(i));
  const forged = (i: number) => `${header}.${encoded({ ...claims, jti: `forged-${i}` })}.${signed("another payload")}`;
  const expired = (i: number) => {
    const body = encoded({ ...claims, jti: `expired-${i}`, exp: claims.exp - 36_000, iat: claims.iat - 72_000 });
    return `${header}.${body}.${signed(body)}`;
  };
  return {
    "one static": ["nobody-knows-this-token"],
    random: [],
    forged: many(forged),
    expired: many(expired),
  };
}

async function compare(connections: number, rounds: number, only: string): Promise<void> {
  const server = await startServer();
  try {
    const token = server.token, good = new Connection(server.port);
    await server.json("POST", "/api/v1/namespaces/default/configmaps", { metadata: { name: "a" }, data: { k: "v" } });
    await server.json("POST", "/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "default" } })
      .catch(() => {}); // The embedded controllers were faster.
    const bad = await badTokens(server), port = server.port;
    const floods: Record<string, Target> = {};
    for (const [name, tokens] of Object.entries(bad)) floods[name] = { port, tokens, connections };
    floods["random, a connection for each"] = { port, tokens: [], connections, fresh: true };
    floods["random, HTTP/2"] = { port, tokens: [], connections: Math.ceil(connections / 16), streams: 64 };
    for (let i = 0; i < 3; i++) await round(good, token);
    for (const [name, target] of Object.entries(floods)) {
      if (!name.includes(only)) continue;
      const file = join(server.dir, "flood.json");
      await Deno.writeTextFile(file, JSON.stringify(target));
      report(name, await withFlood(file, rounds, () => round(good, token)));
    }
    good.close();
  } finally {
    await server.stop();
  }
}

interface Comparison {
  quiet: Measured;
  flooded: Measured;
  refusals: number;
}

/** Rounds without and with a flood in turn. Between its rounds the flooding process stands still. */
async function withFlood(file: string, rounds: number, run: () => Promise<number[]>): Promise<Comparison> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--unsafely-ignore-certificate-errors", import.meta.filename!, "--flood", file],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const counts: number[] = [];
  const counting = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      counts.push(...text.trim().split("\n").map(Number));
    }
  })();
  const quiet: number[][] = [], flooded: number[][] = [];
  try {
    await new Promise((resolve) => setTimeout(resolve, START_UP));
    counts.length = 0;
    for (let i = 0; i < rounds; i++) {
      child.kill("SIGSTOP");
      quiet.push(await run());
      child.kill("SIGCONT");
      flooded.push(await run());
    }
    const refusals = counts.reduce((sum, n) => sum + n, 0) * 1000 / (rounds * ROUND);
    return { quiet: summary(quiet), flooded: summary(flooded), refusals };
  } finally {
    child.kill("SIGKILL");
    await child.status;
    await counting;
  }
}

function report(name: string, { quiet, flooded, refusals }: Comparison): void {
  const line = (key: keyof Measured, digits: number) => {
    const change = 100 * (flooded[key] / quiet[key] - 1);
    const sign = change >= 0 ? "+" : "";
    return `${key} ${quiet[key].toFixed(digits)} → ${flooded[key].toFixed(digits)} (${sign}${change.toFixed(0)} %)`;
  };
  console.log(
    `${name}: ${refusals.toFixed(0)} refusals/s; ${line("p50", 2)}, ${line("p99", 2)} ms; ${line("rate", 0)} /s`,
  );
}

const { values } = parseArgs({
  options: {
    connections: { type: "string", default: "32" },
    rounds: { type: "string", default: "7" },
    only: { type: "string", default: "" },
    flood: { type: "string" },
  },
});
if (values.flood !== undefined) await flood(JSON.parse(await Deno.readTextFile(values.flood)));
else await compare(Number(values.connections), Number(values.rounds), values.only);
