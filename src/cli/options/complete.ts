// Completes options: what was left out follows from the rest and from this machine.
import { isIP } from "node:net";
import { join } from "node:path";
import { logInfo, logWarning } from "../../logging/mod.ts";
import { UsageError } from "../flags/parse.ts";
import type { Options } from "./mod.ts";
import { defaultDatabase } from "./storage.ts";

const DEFAULT_SERVICE_RANGE = "10.0.0.0/24";

/** Options that nothing is left out of. */
export type CompletedOptions = Options & { readonly completed: true };

/** Throws a UsageError when something cannot be found out. */
export function completeOptions(options: Options): CompletedOptions {
  const { generic, secureServing, authentication, authorization, kubelith, misc } = options;
  const dataDir = kubelith["data-dir"] || defaultDataDir();
  const advertised = advertiseAddress(generic["advertise-address"], secureServing["bind-address"]);
  if (generic["external-hostname"] === "") logInfo("External host was not specified", { using: advertised }, 1);
  if (misc["service-cluster-ip-range"] === "") {
    logWarning("No CIDR for service cluster IPs specified, give --service-cluster-ip-range", {
      using: DEFAULT_SERVICE_RANGE,
    });
  }
  const given = authorization["authorization-mode"], byFile = authorization["authorization-config"] !== "";
  const modes = given.length > 0 || byFile ? given : ["AlwaysAllow"];
  const anonymous = authentication["anonymous-auth"] && !modes.includes("AlwaysAllow");
  if (anonymous !== authentication["anonymous-auth"]) {
    logWarning("Anonymous requests are not allowed with the AlwaysAllow authorizer, going on without them");
  }
  return {
    ...options,
    generic: {
      ...generic,
      "advertise-address": advertised,
      "external-hostname": generic["external-hostname"] || advertised,
    },
    authentication: { ...authentication, "anonymous-auth": anonymous },
    authorization: { ...authorization, "authorization-mode": modes },
    misc: { ...misc, "service-cluster-ip-range": misc["service-cluster-ip-range"] || DEFAULT_SERVICE_RANGE },
    kubelith: {
      ...kubelith,
      "data-dir": dataDir,
      "sqlite-path": kubelith["sqlite-path"] || defaultDatabase(dataDir),
    },
    completed: true,
  };
}

/** $XDG_DATA_HOME/kubelith, by the XDG base directory specification. */
export function defaultDataDir(): string {
  const base = Deno.env.get("XDG_DATA_HOME");
  if (base) return join(base, "kubelith");
  const home = Deno.env.get("HOME");
  if (!home) throw new UsageError("--data-dir is needed: neither $XDG_DATA_HOME nor $HOME says where to keep data");
  return join(home, ".local", "share", "kubelith");
}

function isUnspecified(address: string): boolean {
  return address === "" || address === "0.0.0.0" || address === "::";
}

function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "::1";
}

/** What was given, or the address that is listened at, or else the first one that others may reach. */
function advertiseAddress(given: string, bind: string): string {
  if (!isUnspecified(given)) return given;
  if (!isUnspecified(bind) && !isLoopback(bind)) return bind;
  const reachable = Deno.networkInterfaces().filter(({ address }) => {
    return isIP(address) !== 0 && !isLoopback(address) && !address.startsWith("fe80:");
  });
  const chosen = reachable.find(({ family }) => family === "IPv4") ?? reachable[0];
  if (chosen === undefined) {
    throw new UsageError(`--advertise-address is needed: --bind-address=${bind} and this machine offer no address`);
  }
  return chosen.address;
}
