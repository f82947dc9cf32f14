// The text of --help: of the server its commands, and its flags in their groups as kube-apiserver shows them; of a command
// what it is for and the flags it takes.
import { Command, Help, Option } from "commander";
import { COMMANDS, flagsOf } from "./commands/mod.ts";
import { defaultText, KNOWN_FLAGS } from "./flags/group.ts";
import type { Flag } from "./flags/kinds.ts";
import { ALL_FLAGS, OPTION_GROUPS, supportedFlags } from "./options/mod.ts";
import { lookUp } from "../machinery/look_up.ts";

const DESCRIPTION = `The Kubernetes API server in one executable, with its objects in SQLite.

Takes kube-apiserver's flags. "kubelith up" needs none: it is the API server of a local cluster, with everything that
kubectl needs in the data folder.`;

/** @param name of a command; the server's help for any other word */
export function helpText(name = ""): string {
  const command = lookUp(COMMANDS, name);
  if (command === undefined) return serverHelp("[command]", `${DESCRIPTION}\n\n${commandList()}`);
  if (command.run === undefined) return serverHelp(command.usage, command.description);
  const help = newHelp(command.usage, command.description);
  for (const [name, flag] of flagsOf(command)) help.addOption(toOption(name, flag).helpGroup("Flags:"));
  return help.helpInformation();
}

function newHelp(usage: string, description: string): Command {
  return new Command("kubelith").usage(`${usage} [flags]`).description(description)
    .helpOption(false).helpCommand(false).configureHelp({ helpWidth: helpWidth() });
}

function serverHelp(usage: string, description: string): string {
  const help = newHelp(usage, description);
  for (const group of Object.values(OPTION_GROUPS)) {
    for (const [name, flag] of supportedFlags(group)) {
      help.addOption(toOption(name, flag).helpGroup(`${group.name} flags:`));
    }
  }
  return `${help.helpInformation()}\nNot supported yet:\n${wrap(unsupported(), helpWidth())}\n`;
}

function commandList(): string {
  const commands = Object.values(COMMANDS), width = Math.max(...commands.map(({ usage }) => usage.length));
  const help = new Help();
  help.prepareContext({ helpWidth: helpWidth() });
  const rows = commands.map(({ usage, description }) => help.formatItem(usage, width, description, help));
  return ["Commands:", ...rows, "", '"kubelith <command> --help" tells what a command takes.'].join("\n");
}

function helpWidth(): number {
  try {
    return Math.max(Deno.consoleSize().columns, 60);
  } catch {
    return 120; // Not a terminal.
  }
}

function toOption(name: string, flag: Flag): Option {
  const { type, bare } = flag.kind;
  const short = flag.shorthand === undefined ? "    " : `-${flag.shorthand}, `;
  const value = bare === undefined ? ` <${type}>` : "";
  const fallback = defaultText(name, flag);
  const help = [
    flag.help,
    ...fallback === undefined || fallback === "[]" || fallback === "false" ? [] : [`(default ${fallback})`],
    ...flag.deprecated === undefined ? [] : [`(DEPRECATED: ${flag.deprecated})`],
  ].join(" ");
  const option = new Option(`--${name}${value}`, help);
  option.flags = `${short}--${name}${value}`;
  return option;
}

/** Flags of kube-apiserver that are refused by name. */
function unsupported(): string[] {
  return [...KNOWN_FLAGS.keys()].filter((name) => {
    try {
      return ALL_FLAGS.lookup(name) === undefined;
    } catch {
      return true;
    }
  }).map((name) => `--${name}`);
}

function wrap(words: readonly string[], width: number): string {
  let line = " ";
  const lines: string[] = [];
  for (const word of words) {
    if (line.length + word.length + 1 > width) {
      lines.push(line);
      line = " ";
    }
    line += ` ${word}`;
  }
  return [...lines, line].join("\n");
}
