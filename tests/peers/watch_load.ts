// How late many watches of one resource are told of writes, and what memory each takes; by hand:
//
//   deno run -A tests/peers/watch_load.ts [--watches 1000] [--rate 100] [--seconds 20] [--connections 10]
//
// Kubelith first and then kube-apiserver with etcd (where they are; see programs.ts), each alone on the machine.
import { parseArgs } from "node:util";
import { run } from "../support/server.ts";
import { inTempDir } from "../support/temp_dir.ts";
import { makeClusterFiles, type ServerName, startApiServer } from "./api_servers.ts";
import { buildGoProgram } from "./go_program.ts";
import { missingPrograms } from "./programs.ts";

const { values: flags } = parseArgs({
  options: {
    watches: { type: "string", default: "1000" },
    rate: { type: "string", default: "100" },
    seconds: { type: "string", default: "20" },
    connections: { type: "string", default: "10" },
  },
});

/** Starts a server, loads it and gives what the program has measured. */
async function measure(name: ServerName, program: string): Promise<Record<string, number>> {
  let figures = {};
  await inTempDir(async (dir) => {
    const server = await startApiServer(name, await makeClusterFiles(dir));
    try {
      const { code, stdout, stderr } = await run(program, [
        ...["-kubeconfig", server.kubeconfig, "-pid", String(server.process.pid)],
        ...["-watches", flags.watches, "-rate", flags.rate, "-connections", flags.connections],
        ...["-duration", `${flags.seconds}s`],
      ]);
      if (code !== 0) throw new Error(stderr);
      figures = JSON.parse(stdout);
    } finally {
      await server.stop();
    }
  });
  return figures;
}

const program = await buildGoProgram("watch_load");
const missing = missingPrograms("kube-apiserver", "etcd");
if (missing !== undefined) console.log(`Kubelith alone: ${missing}`);
const figures: Record<string, Record<string, number>> = { kubelith: await measure("kubelith", program) };
if (missing === undefined) figures["kube-apiserver"] = await measure("kube-apiserver", program);
console.table(figures);
