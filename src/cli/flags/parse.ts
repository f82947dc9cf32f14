// Reads a command line by pflag's rules: `--name=value`, `--name value`, `--bool`, `-v=3`, `-v3`, `--` ends the flags,
// flags and arguments mix, `_` in a name is `-`.
import type { Flag } from "./kinds.ts";

/** Says where a flag is defined; undefined for an unknown one. */
export interface FlagSet {
  lookup(name: string): Flag | undefined;
  lookupShorthand(letter: string): { name: string; flag: Flag } | undefined;
}

/** A command line that cannot be understood, in pflag's words. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Flags as they were given. */
export interface ParsedFlags {
  /** What each flag that was given amounts to. */
  values: Map<string, unknown>;
  args: string[];
}

/** Throws a UsageError at the first thing that is wrong. */
export function parseFlags(argv: readonly string[], flags: FlagSet): ParsedFlags {
  const values = new Map<string, unknown>();
  const args: string[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      args.push(...rest);
      break;
    }
    if (word.startsWith("--")) parseLong(word, rest, { flags, values });
    else if (word.startsWith("-") && word !== "-") parseShort(word, rest, { flags, values });
    else args.push(word);
  }
  return { values, args };
}

interface State {
  flags: FlagSet;
  values: Map<string, unknown>;
}

function parseLong(word: string, rest: string[], state: State): void {
  const equals = word.indexOf("=");
  const given = equals < 0 ? word.slice(2) : word.slice(2, equals);
  if (given === "" || given.startsWith("-")) throw new UsageError(`bad flag syntax: ${word}`);
  const name = normalizeName(given);
  const flag = state.flags.lookup(name);
  if (flag === undefined) throw new UsageError(`unknown flag: --${name}`);
  const text = equals >= 0 ? word.slice(equals + 1) : flag.kind.bare ?? rest.shift();
  if (text === undefined) throw new UsageError(`flag needs an argument: --${name}`);
  setFlag(name, flag, { text, values: state.values });
}

function parseShort(word: string, rest: string[], state: State): void {
  let letters = word.slice(1);
  while (letters !== "") {
    const letter = letters[0];
    const found = state.flags.lookupShorthand(letter);
    if (found === undefined) throw new UsageError(`unknown shorthand flag: '${letter}' in -${letters}`);
    const { name, flag } = found;
    letters = letters.slice(1);
    let text: string | undefined;
    if (letters.startsWith("=")) {
      text = letters.slice(1);
      letters = "";
    } else if (flag.kind.bare !== undefined) {
      text = flag.kind.bare;
    } else {
      text = letters !== "" ? letters : rest.shift();
      letters = "";
    }
    if (text === undefined) throw new UsageError(`flag needs an argument: '${letter}' in ${word}`);
    setFlag(name, flag, { text, values: state.values });
  }
}

/** `secure_port` is `secure-port`. */
export function normalizeName(name: string): string {
  return name.replaceAll("_", "-");
}

/** Puts one more use of a flag to its value. Throws a UsageError when the text is wrong for its kind. */
export function setFlag(name: string, flag: Flag, { text, values }: { text: string; values: Map<string, unknown> }) {
  try {
    const value = flag.kind.parse(text, values.get(name));
    if (flag.only?.includes(String(value)) === false) {
      throw new Error(`only ${flag.only.join(" or ")} is supported yet`);
    }
    values.set(name, value);
  } catch (e) {
    const shown = flag.shorthand === undefined ? `--${name}` : `-${flag.shorthand}, --${name}`;
    throw new UsageError(`invalid argument ${JSON.stringify(text)} for "${shown}" flag: ${(e as Error).message}`);
  }
}
