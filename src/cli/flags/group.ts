// Groups of flags: each is a table of the flags that are supported, typed so that options are read by flag name.
import facts from "../../facts/flags.json" with { type: "json" };
import type { ServerConfig } from "../../server/config.ts";
import type { Flag } from "./kinds.ts";
import type { OptionFiles } from "./files.ts";

/** The flags of one group that are supported, by name. */
export type FlagTable = Readonly<Record<string, Flag>>;

/** The values of a table's flags, by name: `options["secure-port"]` is a number. */
export type OptionsOf<T extends FlagTable> = { [name in keyof T]: T[name] extends Flag<infer V> ? V : never };

/** What kube-apiserver is known to have. */
export interface KnownFlag {
  name: string;
  type: string;
  group: string;
  default?: string;
  deprecated?: boolean;
}

/** Every flag of kube-apiserver, supported or not, by name. */
export const KNOWN_FLAGS: ReadonlyMap<string, KnownFlag> = new Map(
  (facts as KnownFlag[]).map((known) => [known.name, known]),
);

/** A flag's default as text: its own, or kube-apiserver's. undefined: the zero of its kind. */
export function defaultText(name: string, flag: Flag): string | undefined {
  return flag.default ?? KNOWN_FLAGS.get(name)?.default;
}

/** The value of a flag that was not given. */
export function defaultValue(name: string, flag: Flag): unknown {
  const text = defaultText(name, flag);
  if (text === undefined || text === "[]") return flag.kind.zero;
  // Lists are shown in brackets.
  const plain = /^\[.*\]$/.test(text) && Array.isArray(flag.kind.zero) ? text.slice(1, -1) : text;
  return flag.kind.parse(plain, undefined);
}

/** What options need from outside themselves to be checked and applied. */
export interface OptionContext {
  files: OptionFiles;
  /** Names of the flags that were given, on the command line or in the --config file. */
  given: ReadonlySet<string>;
}

/** One option group: its flags, what is wrong with their values, and where they go in the configuration. */
export interface OptionGroup<T extends FlagTable = FlagTable> {
  /** As the help heads it. */
  readonly name: string;
  /** The flags that can be given. Others that kube-apiserver has are refused as not supported yet. */
  readonly flags: T;
  /** Flags that are read and checked, but that nothing acts upon so far: refused until they leave this list. */
  readonly pending?: readonly (keyof T & string)[];
  /** Flags that are taken although nothing acts upon them so far: said in a line of the log when given. */
  readonly unenforced?: { readonly [name in keyof T]?: string };
  /** Every thing that is wrong, one text each, naming flag and value. */
  validate?(options: OptionsOf<T>, context: OptionContext): string[] | Promise<string[]>;
  /** Puts valid options to where the server finds them. */
  applyTo?(options: OptionsOf<T>, config: ServerConfig, context: OptionContext): void;
}

/** Only there so that the parts of a group know each other's types. */
export function optionGroup<T extends FlagTable>(group: OptionGroup<T>): OptionGroup<T> {
  return group;
}
