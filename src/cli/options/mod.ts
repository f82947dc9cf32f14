// All options: what was parsed becomes options, options are completed, checked and become the server's configuration.
import type { ServerConfig } from "../../server/config.ts";
import { newServerConfig } from "../../server/new_config.ts";
import { logInfo } from "../../logging/mod.ts";
import { defaultValue, KNOWN_FLAGS, type OptionContext, type OptionGroup, type OptionsOf } from "../flags/group.ts";
import type { Flag } from "../flags/kinds.ts";
import { type FlagSet, UsageError } from "../flags/parse.ts";
import { admission } from "./admission.ts";
import { apiEnablement } from "./api_enablement.ts";
import { authentication } from "./authentication.ts";
import { authorization } from "./authorization.ts";
import { features } from "./features.ts";
import { generic } from "./generic.ts";
import { global } from "./global.ts";
import { kubelith } from "./kubelith.ts";
import { kubelet } from "./kubelet.ts";
import { logs } from "./logs.ts";
import { misc } from "./misc.ts";
import { secureServing } from "./secure_serving.ts";
import { storage } from "./storage.ts";
import { validateTogether } from "./together.ts";

/** In the order of the help. */
const GROUPS = {
  generic,
  storage,
  secureServing,
  features,
  authentication,
  authorization,
  apiEnablement,
  admission,
  logs,
  misc,
  kubelet,
  kubelith,
  global,
} as const;

/** Every option by group and flag name: `options.secureServing["secure-port"]`. */
export type Options = {
  -readonly [group in keyof typeof GROUPS]: typeof GROUPS[group] extends OptionGroup<infer T> ? OptionsOf<T> : never;
};

/** Groups without the types of their options, for what goes through all of them. */
export const OPTION_GROUPS = GROUPS as unknown as Readonly<Record<keyof Options, OptionGroup>>;

const SUPPORTED = new Map<string, { flag: Flag; pending: boolean }>(
  Object.values(OPTION_GROUPS).flatMap(({ flags, pending = [] }) =>
    Object.entries(flags).map(([name, flag]) => [name, { flag, pending: pending.includes(name) }] as const)
  ),
);

/** Knows every flag; those whose feature is not built are refused by name. */
export const ALL_FLAGS: FlagSet = {
  lookup(name) {
    const known = SUPPORTED.get(name);
    if (known && !known.pending) return known.flag;
    if (known || KNOWN_FLAGS.has(name)) throw new UsageError(`not supported yet: --${name}`);
    return undefined;
  },
  lookupShorthand(letter) {
    for (const [name, { flag }] of SUPPORTED) {
      if (flag.shorthand === letter) return { name, flag };
    }
    return undefined;
  },
};

/** Flags that can be given, by group, for the help and for shells. */
export function supportedFlags(group: OptionGroup): [name: string, flag: Flag][] {
  return Object.entries(group.flags).filter(([name]) => !group.pending?.includes(name));
}

/** Options out of values by flag name; the rest gets defaults. */
export function newOptions(values: ReadonlyMap<string, unknown>): Options {
  const options: Record<string, Record<string, unknown>> = {};
  for (const [key, group] of Object.entries(OPTION_GROUPS)) {
    options[key] = Object.fromEntries(
      Object.entries(group.flags).map(([name, flag]) => [
        name,
        values.has(name) ? values.get(name) : defaultValue(name, flag),
      ]),
    );
  }
  return options as unknown as Options;
}

/** Everything that is wrong with completed options; empty when all is well. */
export async function validateOptions(options: Options, context: OptionContext): Promise<string[]> {
  const problems: string[] = [];
  for (const [key, group] of Object.entries(OPTION_GROUPS)) {
    problems.push(...await group.validate?.(options[key as keyof Options] as never, context) ?? []);
  }
  return problems.length > 0 ? problems : validateTogether(options);
}

/** The server's configuration. The options have to be completed and valid, and their files in place. */
export function configOf(options: Options, context: OptionContext): ServerConfig {
  const config = newServerConfig();
  for (const [key, group] of Object.entries(OPTION_GROUPS)) {
    group.applyTo?.(options[key as keyof Options] as never, config, context);
  }
  const signingKey = options.misc["service-account-signing-key-file"];
  config.extra.serviceAccountIssuer = {
    issuer: options.authentication["service-account-issuer"][0],
    signingKey: { file: signingKey, pem: context.files.read(signingKey) },
    maxTokenExpiration: options.authentication["service-account-max-token-expiration"],
    extendTokenExpiration: options.authentication["service-account-extend-token-expiration"],
  };
  const { generic } = config;
  if (!/:\d+$/.test(generic.externalAddress)) {
    const { externalAddress: host, secureServing: { port } } = generic;
    generic.externalAddress = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  }
  return config;
}

/** Says in the log which of the flags given do nothing yet. */
export function logUnenforced(given: ReadonlySet<string>): void {
  for (const { unenforced } of Object.values(OPTION_GROUPS)) {
    for (const [name, why] of Object.entries(unenforced ?? {})) {
      if (given.has(name)) logInfo("A flag is not enforced yet", { flag: `--${name}`, why });
    }
  }
}
