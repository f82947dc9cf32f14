// The text of --help: commands, and the flags in their groups as kube-apiserver shows them.
import { Command, Option } from "commander";
import { COMMANDS } from "./commands/mod.ts";
import { defaultText, KNOWN_FLAGS } from "./flags/group.ts";
import type { Flag } from "./flags/kinds.ts";
import { ALL_FLAGS, OPTION_GROUPS, supportedFlags } from "./options/mod.ts";

const DESCRIPTION = `The Kubernetes API server in one executable, with its objects in SQLite.

Takes kube-apiserver's flags. "kubelith up" needs none: it is the API server of a local cluster, with everything that
kubectl needs in the data folder.`;

export function helpText(): string {
  const command = new Command("kubelith").usage("[command] [flags]").description(DESCRIPTION)
    .helpOption(false).helpCommand(false).configureHelp({ helpWidth: helpWidth() });
  for (const { usage, description } of Object.values(COMMANDS)) command.command(usage).description(description);
  for (const group of Object.values(OPTION_GROUPS)) {
    for (const [name, flag] of supportedFlags(group)) {
      command.addOption(toOption(name, flag).helpGroup(`${group.name} flags:`));
    }
  }
  return `${command.helpInformation()}\nNot supported yet:\n${wrap(unsupported(), helpWidth())}\n`;
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
