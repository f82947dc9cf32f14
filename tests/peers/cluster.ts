// A cluster that does by itself what clusters do: kube-controller-manager, kube-scheduler and kwok's nodes on Kubelith or on
// kube-apiserver. At the end stands what the three components have logged as errors and warnings:
//
//   deno task peers [--against kubelith] [--against kube-apiserver] [--minutes 1]
//
// The programs are looked for as programs.ts says. Servers come one after the other; the demonstration is walked through
// until the minutes are over, once at least. The exit code is 1 when a step has failed.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { inTempDir } from "../support/temp_dir.ts";
import { type ApiServer, type ClusterFiles, makeClusterFiles, type ServerName, startApiServer } from "./api_servers.ts";
import { type Component, COMPONENTS, startComponents } from "./cluster/components.ts";
import { type StepResult, walkThrough } from "./cluster/demo.ts";
import { formatSummaries, type LogSummary, summarize } from "./cluster/log_summary.ts";
import { missingPrograms } from "./programs.ts";

interface Performance {
  failures: number;
  summaries: Record<Component, LogSummary>;
}

const { values: flags } = parseArgs({
  options: {
    against: { type: "string", multiple: true, default: ["kubelith"] },
    minutes: { type: "string", default: "1" },
    /** A folder for the logs, which are gone otherwise. */
    logs: { type: "string" },
  },
});

function tell({ name, seconds, error }: StepResult): void {
  console.log(
    `  ${error === undefined ? "ok  " : "FAIL"} ${name} (${seconds.toFixed(1)} s)${
      error === undefined ? "" : `: ${error}`
    }`,
  );
}

async function perform(name: ServerName, minutes: number): Promise<Performance> {
  let performance: Performance | undefined;
  await inTempDir(async (dir) => {
    const files = await makeClusterFiles(dir);
    const server = await startApiServer(name, files);
    try {
      performance = await performOn(server, files, minutes);
    } finally {
      await server.stop();
      if (flags.logs !== undefined) await keepLogs(dir, join(flags.logs, name));
    }
  });
  return performance!;
}

async function performOn(server: ApiServer, files: ClusterFiles, minutes: number): Promise<Performance> {
  const components = await startComponents(server, files);
  let failures = 0;
  try {
    const end = Date.now() + minutes * 60_000;
    for (let round = 1; round === 1 || Date.now() < end; round++) {
      console.log(`${server.name}, round ${round}`);
      await walkThrough(server.peer, round, (result) => {
        if (result.error !== undefined) failures++;
        tell(result);
      });
    }
    const logs = COMPONENTS.map(async (component) =>
      [component, summarize(await Deno.readTextFile(components[component].logFile))] as const
    );
    return { failures, summaries: Object.fromEntries(await Promise.all(logs)) as Record<Component, LogSummary> };
  } finally {
    await Promise.all(COMPONENTS.map((component) => components[component].stop()));
  }
}

async function keepLogs(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) {
    if (name.endsWith(".log")) await Deno.copyFile(join(from, name), join(to, name));
  }
}

const servers = flags.against as ServerName[];
const needed = servers.includes("kube-apiserver") ? [...COMPONENTS, "kube-apiserver", "etcd"] : COMPONENTS;
const missing = missingPrograms(...needed);
if (missing !== undefined) {
  console.error(missing);
  Deno.exit(2);
}
const performances: Performance[] = [];
for (const name of servers) performances.push(await perform(name, Number(flags.minutes)));
for (const component of COMPONENTS) {
  console.log(`\n${component}: errors and warnings on ${servers.join(", ")}`);
  console.log(formatSummaries(performances.map(({ summaries }) => summaries[component])) || "  none");
}
Deno.exit(performances.some(({ failures }) => failures > 0) ? 1 : 0);
