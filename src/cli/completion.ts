// Completion scripts for shells: commands, what each of them takes, and files as values.
import { type Command, COMMANDS, flagsOf } from "./commands/mod.ts";
import type { Flag } from "./flags/kinds.ts";
import { UsageError } from "./flags/parse.ts";
import { OPTION_GROUPS, supportedFlags } from "./options/mod.ts";
import { lookUp } from "../machinery/look_up.ts";

type Flags = readonly [name: string, flag: Flag][];

const SHELLS: Readonly<Record<string, (server: Flags) => string>> = { bash, zsh, fish };

/** The script for a shell. Throws a UsageError for a shell that there is none for. */
export function completionScript(args: readonly string[]): string {
  const known = Object.keys(SHELLS).join(", ");
  if (args.length !== 1) throw new UsageError(`"kubelith completion" takes one argument, of ${known}`);
  const script = lookUp(SHELLS, args[0]);
  if (script === undefined) throw new UsageError(`unknown shell ${JSON.stringify(args[0])}, known are ${known}`);
  return script(Object.values(OPTION_GROUPS).flatMap(supportedFlags));
}

/** The commands that do not take all of the server's flags. */
function ownCommands(): [name: string, command: Command][] {
  return Object.entries(COMMANDS).filter(([, { run }]) => run !== undefined);
}

function bash(server: Flags): string {
  const names = (flags: Flags) => flags.map(([name]) => `--${name}`).join(" ");
  const cases = ownCommands().map(([name, command]) =>
    `    ${name}) flags="${names(flagsOf(command))}" choices="${command.choices?.join(" ") ?? ""}" ;;`
  );
  return `_kubelith() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} flags choices=
  case \${COMP_WORDS[1]} in
${cases.join("\n")}
    *) flags="${names(server)}" ;;
  esac
  [[ $COMP_CWORD == 1 ]] && choices="${Object.keys(COMMANDS).join(" ")}"
  # Bash takes the sign between a flag and its value for a word.
  [[ $word == = ]] && word= before==
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif [[ -n $choices && $before != --* && $before != = ]]; then
    COMPREPLY=($(compgen -W "$choices" -- "$word"))
  else
    compopt -o filenames 2> /dev/null
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -F _kubelith kubelith`;
}

function zsh(server: Flags): string {
  const argumentsOf = (first: string, rest: string, flags: Flags) =>
    [`      _arguments '1:command:(${first})' '*:${rest}'`, ...flags.map(zshFlag)].join(" \\\n");
  const cases = ownCommands().map(([name, command]) => {
    const rest = command.choices === undefined ? "file:_files" : `argument:(${command.choices.join(" ")})`;
    return `    ${name})\n${argumentsOf(name, rest, flagsOf(command))} ;;`;
  });
  const commands = Object.entries(COMMANDS).map(([name, c]) => `${name}\\:"${quoteZsh(c.description)}"`);
  return `#compdef kubelith
_kubelith() {
  case $words[2] in
${cases.join("\n")}
    *)
${argumentsOf(`(${commands.join(" ")})`, "file:_files", server)} ;;
  esac
}
compdef _kubelith kubelith`;
}

function zshFlag([name, { kind, help }]: Flags[number]): string {
  const takesValue = kind.bare === undefined;
  return `        '--${name}${takesValue ? "=" : ""}[${quoteZsh(help)}]${takesValue ? ":value:_files" : ""}'`;
}

function fish(server: Flags): string {
  const own = ownCommands();
  const flagLines = (condition: string, flags: Flags) =>
    flags.map(([name, { help, shorthand, kind }]) =>
      `complete -c kubelith -n '${condition}' -l ${name}${shorthand ? ` -s ${shorthand}` : ""}${
        kind.bare === undefined ? " -r" : ""
      } -d ${quote(help)}`
    );
  const lines = own.flatMap(([name, command]) => {
    const seen = `__fish_seen_subcommand_from ${name}`;
    const choices = command.choices === undefined
      ? []
      : [`complete -c kubelith -f -n '${seen}' -a '${command.choices.join(" ")}'`];
    return [...choices, ...flagLines(seen, flagsOf(command))];
  });
  return [
    ...Object.entries(COMMANDS).map(([name, { description }]) =>
      `complete -c kubelith -f -n __fish_use_subcommand -a ${name} -d ${quote(description)}`
    ),
    ...lines,
    ...flagLines(`not __fish_seen_subcommand_from ${own.map(([name]) => name).join(" ")}`, server),
  ].join("\n");
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function quoteZsh(text: string): string {
  return text.replaceAll("'", "'\\''").replace(/[[\]:"]/g, "\\$&");
}
