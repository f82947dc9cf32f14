// What a flood of bad tokens does to a client with a good one: its gets without, with and without again each flood, in
// the same run.
//
//   deno run -A tests/bench/token_flood.ts [--connections 32] [--seconds 4] [--only random]
//
// The floods come from a process of their own, in a closed loop: each connection asks again as soon as it was refused.
import { createPrivateKey, sign } from "node:crypto";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { parseArgs } from "node:util";
import { startServer, type TestServer } from "../support/server.ts";

const PATH = "/api/v1/namespaces/default/configmaps/a";
const WARM_UP = 1_000;

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

/** Gets one after the other, for so many milliseconds. */
async function measure(connection: Connection, token: string, duration: number): Promise<Measured> {
  const times: number[] = [], end = performance.now() + duration;
  for (let now = performance.now(); now < end;) {
    const status = await connection.get(token);
    if (status !== 200) throw new Error(`a good request was answered ${status}`);
    const then = performance.now();
    times.push(then - now);
    now = then;
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)];
  return { p50: at(0.5), p99: at(0.99), rate: times.length * 1000 / duration };
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

async function compare(connections: number, seconds: number, only: string): Promise<void> {
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
    await measure(good, token, 3 * WARM_UP);
    for (const [name, target] of Object.entries(floods)) {
      if (!name.includes(only)) continue;
      const before = await measure(good, token, seconds * 1000);
      const file = join(server.dir, "flood.json");
      await Deno.writeTextFile(file, JSON.stringify(target));
      const { measured, rate } = await during(file, () => measure(good, token, seconds * 1000));
      const after = await measure(good, token, seconds * 1000);
      report(name, rate, { before, measured, after });
    }
    good.close();
  } finally {
    await server.stop();
  }
}

/** Measures while another process floods; with how many refusals a second. */
async function during(file: string, run: () => Promise<Measured>): Promise<{ measured: Measured; rate: number }> {
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
  try {
    await new Promise((resolve) => setTimeout(resolve, 4 * WARM_UP));
    counts.length = 0;
    const measured = await run();
    return { measured, rate: counts.reduce((sum, n) => sum + n, 0) / Math.max(1, counts.length) };
  } finally {
    child.kill("SIGKILL");
    await child.status;
    await counting;
  }
}

function report(name: string, rate: number, phases: Record<"before" | "measured" | "after", Measured>): void {
  const { before, measured, after } = phases;
  const quiet = (key: keyof Measured) => (before[key] + after[key]) / 2;
  const line = (key: keyof Measured, digits: number) => {
    const change = 100 * (measured[key] / quiet(key) - 1);
    return `${key} ${before[key].toFixed(digits)} → ${measured[key].toFixed(digits)} → ${after[key].toFixed(digits)} (${
      change >= 0 ? "+" : ""
    }${change.toFixed(0)} %)`;
  };
  console.log(`${name}: ${rate.toFixed(0)} refusals/s; ${line("p50", 2)}, ${line("p99", 2)} ms; ${line("rate", 0)} /s`);
}

const { values } = parseArgs({
  options: {
    connections: { type: "string", default: "32" },
    seconds: { type: "string", default: "4" },
    only: { type: "string", default: "" },
    flood: { type: "string" },
  },
});
if (values.flood !== undefined) await flood(JSON.parse(await Deno.readTextFile(values.flood)));
else await compare(Number(values.connections), Number(values.seconds), values.only);
