// --admission-control-config-file: an AdmissionConfiguration with what it says to each plugin, in it or in files of its own.
import { dirname, resolve } from "node:path";
import { parseYaml } from "../machinery/yaml/mod.ts";
import { isObject, type Json, type JsonObject } from "../machinery/types.ts";

/** Which configuration a plugin takes. */
export interface ConfigurationFormat {
  /** apiVersion → kind; they differ in name only. */
  kinds: Readonly<Record<string, string>>;
  fields: readonly string[];
}

/** The file itself, and how files that it names are read. */
export interface ConfigurationFile {
  file: string;
  text: string;
}

/** Refuses other members: what is misspelt would be left out silently. */
function refuseUnknown(value: JsonObject, fields: readonly string[], where: string): void {
  const unknown = Object.keys(value).find((name) => !fields.includes(name));
  if (unknown !== undefined) throw new Error(`unknown field "${where}${unknown}"`);
}

/** Checks kind and fields; undefined stays undefined. Throws an Error that says what does not fit. */
export function readConfiguration<T>(value: Json | undefined, format: ConfigurationFormat): T | undefined {
  if (value === undefined) return undefined;
  const { kinds, fields } = format;
  const { apiVersion = "", kind = "" } = isObject(value) ? value : {};
  if (
    !isObject(value) || typeof apiVersion !== "string" || !Object.hasOwn(kinds, apiVersion) ||
    kinds[apiVersion] !== kind
  ) {
    throw new Error(`no kind "${kind}" is registered for version "${apiVersion}"`);
  }
  refuseUnknown(value, ["apiVersion", "kind", ...fields], "");
  return value as T;
}

async function parse(text: string): Promise<Json> {
  const { value, duplicates } = await parseYaml(text);
  if (duplicates.length > 0) throw new Error(duplicates[0]);
  return value;
}

/** Files of two plugins that came before AdmissionConfiguration are taken as they are. */
const BARE: Readonly<Record<string, string>> = {
  imagePolicy: "ImagePolicyWebhook",
  podNodeSelectorPluginConfig: "PodNodeSelector",
};

const FORMAT: ConfigurationFormat = {
  kinds: {
    "apiserver.config.k8s.io/v1": "AdmissionConfiguration",
    "apiserver.k8s.io/v1alpha1": "AdmissionConfiguration",
  },
  fields: ["plugins"],
};

/**
 * What is said to each plugin, by its name. Throws an Error that names what is wrong.
 * @param options.known names of plugins; paths in the file are relative to its folder
 */
export async function parseAdmissionConfiguration(
  { file, text }: ConfigurationFile,
  options: { known: readonly string[]; read(file: string): string },
): Promise<Map<string, Json>> {
  const root = await parse(text);
  if (isObject(root) && root.kind === undefined && root.apiVersion === undefined) {
    const bare = Object.keys(BARE).filter((name) => name in root);
    if (bare.length > 0) return new Map(bare.map((name) => [BARE[name], root]));
  }
  const { plugins = [] } = readConfiguration<{ plugins?: Json }>(root, FORMAT)!;
  if (!Array.isArray(plugins)) throw new Error("plugins has to be a list");
  const configurations = new Map<string, Json>();
  for (const [i, plugin] of plugins.entries()) {
    const where = `plugins[${i}]`;
    if (!isObject(plugin)) throw new Error(`${where} has to be an object`);
    refuseUnknown(plugin, ["name", "path", "configuration"], `${where}.`);
    const { name, path, configuration } = plugin;
    if (typeof name !== "string" || !options.known.includes(name)) {
      throw new Error(`${where}.name: unknown admission plugin "${name ?? ""}"`);
    }
    if (configurations.has(name)) continue;
    if (configuration !== undefined && configuration !== null) configurations.set(name, configuration);
    else if (typeof path === "string" && path !== "") {
      configurations.set(name, await parse(options.read(resolve(dirname(file), path))));
    }
  }
  return configurations;
}
