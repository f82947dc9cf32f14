// From completed options to a server that runs until it is told to stop.
import { resolve } from "node:path";
import { collectWhenIdle } from "../garbage_collection.ts";
import { logError, logInfo } from "../logging/mod.ts";
import type { BuiltinResources } from "../registry/builtin.ts";
import { createServerChain } from "../server/chain.ts";
import type { ServerConfig } from "../server/config.ts";
import { GenericServer } from "../server/generic_server.ts";
import { KUBELITH_VERSION, KUBERNETES_VERSION } from "../version.ts";
import { workerEntry } from "../worker.ts";
import type { ServerCommand } from "./main.ts";
import { configOf, logUnenforced } from "./options/mod.ts";
import { ensureServingCertificate } from "./serving_certificate.ts";

/** How often `up` looks whether its certificate is about to expire; milliseconds. */
const RENEWAL_INTERVAL = 24 * 3_600_000;

/** Serves until `stop` is aborted. Throws an Error with one line for the operator when it cannot. */
export async function run(command: ServerCommand, stop: AbortSignal): Promise<void> {
  const { options, given, files } = command;
  logInfo("Version", { kubelith: KUBELITH_VERSION, kubernetes: KUBERNETES_VERSION });
  const told: Told = command.local ? await prepareLocal(command, stop) : {};
  ensureServingCertificate(options);
  logUnenforced(given);
  const config = configOf(options, { files, given });
  config.extra.embedControllers = command.local;
  await serve(config, stop, told);
}

/** Who wants to know how far the server is. */
interface Told {
  listening?(): void;
  ready?(): void;
}

/** Makes what a local cluster needs, and what else once the server is there. */
async function prepareLocal({ options }: ServerCommand, stop: AbortSignal): Promise<Told> {
  const { prepareUp, renewServingCertificate, writeKubeconfig } = await import("./up.ts");
  prepareUp(options);
  const timer = setInterval(() => {
    try {
      renewServingCertificate(options);
    } catch (e) {
      logError("The serving certificate cannot be renewed, trying again later", e);
    }
  }, RENEWAL_INTERVAL);
  stop.addEventListener("abort", () => clearInterval(timer), { once: true });
  let kubeconfig = "";
  return {
    listening: () => kubeconfig = writeKubeconfig(options),
    ready: () => console.log(`export KUBECONFIG=${resolve(kubeconfig)}`),
  };
}

/** createServerChain → prepareRun → run. */
async function serve(config: ServerConfig, stop: AbortSignal, told: Told): Promise<void> {
  const server = new GenericServer(config.generic);
  const { notAcceptingNewRequest, hasBeenReady } = server.lifecycle;
  const chain = await createServerChain(config, {
    workerUrl: workerEntry(),
    stopped: notAcceptingNewRequest.abortSignal,
  });
  const active = collectWhenIdle();
  const prepared = server.prepareRun({
    handler(request, connection) {
      active();
      return chain.app.fetch(request, connection);
    },
    postStartHooks: chain.postStartHooks,
    preShutdownHooks: chain.preShutdownHooks,
    addHealthChecks: chain.addHealthChecks,
    destroy: () => chain.storage.close(),
  });
  hasBeenReady.wait().then(() => told.ready?.()).then(() => atRest(stop)).then(async () => {
    await readRulesOfPods(chain.resources);
    active(); // The start itself leaves more behind than most requests.
  });
  await prepared.run(stop, (listeners) => {
    told.listening?.();
    for (const { hostname, port } of listeners) logInfo("Serving", { address: `${hostname}:${port}` });
  });
}

/** Resolves a little later, when who waited for the server has been served. */
function atRest(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 1_000);
    stop.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}

/** Every cluster writes pods: the first ones need not wait for rules that are read when they are wanted. */
async function readRulesOfPods(resources: BuiltinResources): Promise<void> {
  await resources.store("", "pods").config.definition.load?.({ kind: "Pod", apiVersion: "v1", metadata: {} });
}
