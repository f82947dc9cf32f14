// An etcd for tests, where there is one: the program named by $ETCD, or one of the PATH.
import { createServer } from "node:net";

/** The URL of a member that lives as long as this process; undefined: there is no etcd on this machine. */
export async function startEtcd(): Promise<string | undefined> {
  const program = Deno.env.get("ETCD") ?? find("etcd");
  if (program === undefined) return undefined;
  const dir = await Deno.makeTempDir({ prefix: "kubelith-etcd-" });
  const member = await startMember({ program, dir });
  member.process.unref();
  globalThis.addEventListener("unload", () => {
    member.process.kill("SIGKILL");
    Deno.removeSync(dir, { recursive: true });
  });
  return member.url;
}

export interface MemberOptions {
  program: string;
  dir: string;
  /** Ports of clients and of the other members; free ones unless given. */
  port?: number;
  peerPort?: number;
  /** `name=http://127.0.0.1:port,…` of all members; this one alone unless given. */
  name?: string;
  cluster?: string;
  /** Keep what is acknowledged on the disk, as in production. */
  fsync?: boolean;
}

/** Starts a member and, when it is alone, waits until it serves. */
export async function startMember(options: MemberOptions): Promise<{ url: string; process: Deno.ChildProcess }> {
  const { program, dir, name = "default" } = options;
  const url = `http://127.0.0.1:${options.port ?? await freePort()}`;
  const peer = `http://127.0.0.1:${options.peerPort ?? await freePort()}`;
  const process = new Deno.Command(program, {
    args: [
      ...["--name", name, "--data-dir", `${dir}/${name}`, "--listen-client-urls", url, "--advertise-client-urls", url],
      ...["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer],
      ...["--initial-cluster", options.cluster ?? `${name}=${peer}`],
      ...options.fsync ? [] : ["--unsafe-no-fsync"],
    ],
    stdout: "null",
    stderr: "null",
  }).spawn();
  for (let i = 0; options.cluster === undefined && i < 500; i++) {
    const answer = await fetch(`${url}/health`).then((response) => response.text(), () => "");
    if (answer.includes('"true"')) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { url, process };
}

/** The path of a program. */
export function find(name: string): string | undefined {
  const paths = (Deno.env.get("PATH") ?? "").split(":");
  return paths.map((dir) => `${dir}/${name}`).find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

/** A port that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
