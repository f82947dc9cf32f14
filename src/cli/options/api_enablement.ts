// API enablement flags: which versions of the API are served.
import { flag } from "../flags/kinds.ts";
import { optionGroup } from "../flags/group.ts";
import { parseGoBool } from "../flags/go_values.ts";
import type { ResourceConfig } from "../../server/config.ts";
import { problem } from "./problems.ts";

type RuntimeConfig = Readonly<Record<string, string>>;

/** Keys that stand for many versions, from the least to the most particular. */
const STAGES: Record<string, RegExp> = {
  "api/all": /^v/,
  "api/ga": /^v\d+$/,
  "api/beta": /^v\d+beta\d+$/,
  "api/alpha": /^v\d+alpha\d+$/,
};

export const apiEnablement = optionGroup({
  name: "API enablement",
  flags: {
    "runtime-config": flag.mapStringString(
      "Versions to serve or not: 'group/version=false', 'v1=…' for the core, 'api/all', 'api/ga', 'api/beta', 'api/alpha'.",
    ),
  },
  validate(o) {
    return validateRuntimeConfig(o["runtime-config"]);
  },
  applyTo(o, config) {
    config.generic.resources = resourceConfig(o["runtime-config"]);
  },
});

async function validateRuntimeConfig(runtime: RuntimeConfig): Promise<string[]> {
  const entries = Object.entries(runtime);
  if (entries.length === 0) return [];
  if (entries.length === 1 && runtime["api/all"] === "false") {
    return [problem("runtime-config", "api/all=false", "nothing would be left to serve")];
  }
  const served = await servedVersions();
  return entries.flatMap(([key, value]) => validateEntry(key, value, served));
}

/** group → versions, as they can be served. */
async function servedVersions(): Promise<Map<string, Set<string>>> {
  const { default: facts } = await import("../../facts/discovery.json", { with: { type: "json" } });
  const groups = [...facts["/api"], ...facts["/apis"]];
  return new Map(groups.map(({ metadata, versions }) => [
    "name" in metadata ? metadata.name as string : "",
    new Set(versions.map(({ version }) => version)),
  ]));
}

function validateEntry(key: string, value: string, served: ReadonlyMap<string, Set<string>>): string[] {
  const shown = `${key}=${value}`;
  const wrong = (why: string) => [problem("runtime-config", shown, why)];
  if (key === "api/legacy") return [];
  let enabled: boolean;
  try {
    enabled = value === "" ? true : parseGoBool(value);
  } catch (e) {
    return wrong((e as Error).message);
  }
  const later = [`not supported yet: --runtime-config=${shown}`];
  if (Object.hasOwn(STAGES, key)) return enabled && key !== "api/ga" ? later : [];
  const parts = canonicalKey(key).split("/");
  if (parts.length !== 2 && parts.length !== 3) return wrong("invalid key");
  const versions = served.get(parts[0]);
  if (versions === undefined) return wrong(`unknown api groups ${parts[0]}`);
  if (versions.has(parts[1])) return [];
  return enabled ? later : [];
}

/** `v1`, `api/v1` and what is below them are the core group, whose name is empty. */
function canonicalKey(key: string): string {
  return key.replace(/^(?:api\/)?v1(?=$|\/)/, "/v1");
}

/** All is served but what the flag switches off; the most particular word counts. */
function resourceConfig(runtime: RuntimeConfig): ResourceConfig {
  const words = new Map(
    Object.entries(runtime).map(([key, value]) => [canonicalKey(key), value === "" || parseGoBool(value)]),
  );
  const versionEnabled = (group: string, version: string) => {
    let enabled = words.get(`${group}/${version}`);
    if (enabled !== undefined) return enabled;
    enabled = true;
    for (const [key, matches] of Object.entries(STAGES)) {
      if (matches.test(version)) enabled = words.get(key) ?? enabled;
    }
    return enabled;
  };
  return {
    versionEnabled,
    resourceEnabled: (group, version, resource) =>
      words.get(`${group}/${version}/${resource}`) ?? versionEnabled(group, version),
  };
}
