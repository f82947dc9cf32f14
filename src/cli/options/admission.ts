// Admission flags: which plugins run.
import { parseAdmissionConfiguration } from "../../admission/configuration.ts";
import { PLUGINS } from "../../admission/plugins.ts";
import facts from "../../facts/features.json" with { type: "json" };
import { flag } from "../flags/kinds.ts";
import { optionGroup, type OptionsOf } from "../flags/group.ts";
import { fileTrouble, notNegative, problem } from "./problems.ts";

const ORDER: readonly string[] = [...PLUGINS.keys()];
const ON_BY_DEFAULT = new Set(facts.admission_plugins_on_by_default);
const NAMES = [...ORDER].sort().join(", ");
const DEFAULTS = ORDER.filter((name) => ON_BY_DEFAULT.has(name)).join(", ");

const flags = {
  "admission-control": flag.strings("The plugins to run, and no others.", {
    deprecated: "Use --enable-admission-plugins or --disable-admission-plugins instead.",
  }),
  "admission-control-config-file": flag.string("File with an AdmissionConfiguration: what it says to plugins."),
  "default-not-ready-toleration-seconds": flag.int("How long pods stay on a node that is not ready."),
  "default-unreachable-toleration-seconds": flag.int("How long pods stay on a node that cannot be reached."),
  "disable-admission-plugins": flag.strings(
    `Plugins not to run although they do by default (${DEFAULTS}). Comma-delimited list of: ${NAMES}. Their order does not matter.`,
  ),
  "enable-admission-plugins": flag.strings(
    `Plugins to run beside those that do by default (${DEFAULTS}). Comma-delimited list of: ${NAMES}. Their order does not matter.`,
  ),
};

export type AdmissionOptions = OptionsOf<typeof flags>;

export const admission = optionGroup({
  name: "Admission",
  flags,
  async validate(o, { files }) {
    const enabled = o["enable-admission-plugins"], disabled = o["disable-admission-plugins"];
    const only = o["admission-control"];
    const problems = (["admission-control", "enable-admission-plugins", "disable-admission-plugins"] as const).flatMap(
      (name) => o[name].filter((plugin) => !ORDER.includes(plugin)).map((p) => problem(name, p, "plugin is unknown")),
    );
    const both = enabled.filter((plugin) => disabled.includes(plugin));
    if (both.length > 0) {
      problems.push(problem("enable-admission-plugins", both, "is also in --disable-admission-plugins"));
    }
    if (only.length > 0 && enabled.length + disabled.length > 0) {
      const why = "excludes --enable-admission-plugins and --disable-admission-plugins";
      problems.push(problem("admission-control", only, why));
    }
    const file = o["admission-control-config-file"];
    if (file !== "") {
      try {
        await parseAdmissionConfiguration({ file, text: files.read(file) }, {
          known: ORDER,
          read: (path) => files.read(path),
        });
      } catch (e) {
        problems.push(fileTrouble("admission-control-config-file", file, e));
      }
    }
    return [
      ...problems,
      ...notNegative(o, ["default-not-ready-toleration-seconds", "default-unreachable-toleration-seconds"]),
    ];
  },
  applyTo(o, config, { files }) {
    const file = o["admission-control-config-file"];
    config.generic.admission = {
      plugins: ORDER.filter((plugin) => runs(plugin, o)),
      configFile: file === "" ? undefined : { file, text: files.read(file) },
    };
    config.extra.defaultNotReadyTolerationSeconds = o["default-not-ready-toleration-seconds"];
    config.extra.defaultUnreachableTolerationSeconds = o["default-unreachable-toleration-seconds"];
  },
});

function runs(plugin: string, o: AdmissionOptions): boolean {
  if (o["admission-control"].length > 0) return o["admission-control"].includes(plugin);
  if (o["enable-admission-plugins"].includes(plugin)) return true;
  return ON_BY_DEFAULT.has(plugin) && !o["disable-admission-plugins"].includes(plugin);
}
