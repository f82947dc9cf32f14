// Clusters of real etcd members for the tests, where there is an etcd ($ETCD, or on the PATH).
import { find, freePort, startMember } from "../../src/storage/etcd3/testing.ts";

/** The path of etcd; undefined: there is none. */
export const program = Deno.env.get("ETCD") ?? find("etcd");

export interface Cluster {
  servers: string[];
  members: { process: Deno.ChildProcess; restart(): Promise<Deno.ChildProcess> }[];
}

/** Runs a cluster of so many members until the body is done. */
export async function withCluster(size: number, body: (cluster: Cluster) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  const ports = await Promise.all(Array.from({ length: 2 * size }, freePort));
  const names = Array.from({ length: size }, (_, i) => `m${i}`);
  const cluster = names.map((name, i) => `${name}=http://127.0.0.1:${ports[size + i]}`).join(",");
  const start = async (i: number) => {
    const options = { program: program!, dir, name: names[i], port: ports[i], peerPort: ports[size + i], cluster };
    return (await startMember(options)).process;
  };
  const members = await Promise.all(names.map(async (_, i) => ({ process: await start(i), restart: () => start(i) })));
  try {
    await body({ servers: ports.slice(0, size).map((port) => `http://127.0.0.1:${port}`), members });
  } finally {
    for (const { process } of members) await killProcess(process);
    await Deno.remove(dir, { recursive: true });
  }
}

/** Ends a process with SIGKILL, and waits for it. */
export async function killProcess(process: Deno.ChildProcess): Promise<void> {
  try {
    process.kill("SIGKILL");
  } catch {
    // It is gone already.
  }
  await process.status;
}
