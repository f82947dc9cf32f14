// PodSecurityConfiguration: defaults for namespaces without labels, and what is exempt.
import { aggregate, duplicate, type FieldError, invalid, path } from "../../../machinery/field_error.ts";
import type { Json } from "../../../machinery/types.ts";
import { nameIsDNSLabel, nameIsDNSSubdomain } from "../../../machinery/validation/mod.ts";
import { readConfiguration } from "../../configuration.ts";
import { LEVEL_PROBLEM, MODES, parseLevel, parseVersion, type Policy, VERSION_PROBLEM } from "./levels.ts";

export interface Exemptions {
  namespaces: ReadonlySet<string>;
  usernames: ReadonlySet<string>;
  runtimeClasses: ReadonlySet<string>;
}

export interface PodSecurityConfiguration {
  defaults: Policy;
  exemptions: Exemptions;
}

type Given = {
  defaults?: Readonly<Record<string, string>>;
  exemptions?: { [name in keyof Exemptions]?: string[] };
};

function policyIn(given: Readonly<Record<string, string>>, errors: FieldError[]): Policy {
  const policy = {} as Policy;
  for (const mode of MODES) {
    const level = given[mode] || "privileged", version = given[`${mode}-version`] || "latest";
    const known = parseLevel(level), minor = parseVersion(version);
    if (known === undefined) errors.push(invalid(path("defaults", mode), level, LEVEL_PROBLEM));
    if (minor === undefined) errors.push(invalid(path("defaults", `${mode}-version`), version, VERSION_PROBLEM));
    policy[mode] = { level: known ?? "privileged", minor: minor ?? Infinity };
  }
  return policy;
}

const NAME_RULES: { [name in keyof Exemptions]: (value: string) => string[] } = {
  namespaces: (value) => nameIsDNSLabel(value, false),
  runtimeClasses: (value) => nameIsDNSSubdomain(value, false),
  usernames: (value) => value === "" ? ["username must not be empty"] : [],
};

function exempt(list: keyof Exemptions, given: readonly string[], errors: FieldError[]): Set<string> {
  const names = new Set<string>();
  given.forEach((name, i) => {
    const at = path("exemptions", list).index(i), wrong = NAME_RULES[list](name);
    if (wrong.length > 0) errors.push(invalid(at, name, wrong.join(", ")));
    else if (names.has(name)) errors.push(duplicate(at, name));
    names.add(name);
  });
  return names;
}

const VERSIONS = ["v1", "v1beta1", "v1alpha1"].map((version) => `pod-security.admission.config.k8s.io/${version}`);

/** Throws an Error with everything that is wrong. */
export function podSecurityConfiguration(configuration: Json | undefined): PodSecurityConfiguration {
  const given = readConfiguration<Given>(configuration, {
    kinds: Object.fromEntries(VERSIONS.map((version) => [version, "PodSecurityConfiguration"])),
    fields: ["defaults", "exemptions"],
  }) ?? {};
  const errors: FieldError[] = [];
  const defaults = policyIn(given.defaults ?? {}, errors);
  const exemptions = {
    namespaces: exempt("namespaces", given.exemptions?.namespaces ?? [], errors),
    runtimeClasses: exempt("runtimeClasses", given.exemptions?.runtimeClasses ?? [], errors),
    usernames: exempt("usernames", given.exemptions?.usernames ?? [], errors),
  };
  if (errors.length > 0) throw new Error(aggregate(errors));
  return { defaults, exemptions };
}
