// Completion scripts for shells: commands, flags, and files as their values.
import { COMMANDS } from "./commands/mod.ts";
import type { Flag } from "./flags/kinds.ts";
import { UsageError } from "./flags/parse.ts";
import { OPTION_GROUPS, supportedFlags } from "./options/mod.ts";

const SHELLS: Record<string, (flags: readonly [string, Flag][]) => string> = {
  bash: (flags) =>
    `_kubelith() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "${flags.map(([name]) => `--${name}`).join(" ")}" -- "$word"))
  elif [[ \${COMP_WORDS[COMP_CWORD-1]} == completion ]]; then
    COMPREPLY=($(compgen -W "${Object.keys(SHELLS).join(" ")}" -- "$word"))
  elif [[ $COMP_CWORD == 1 ]]; then
    COMPREPLY=($(compgen -W "${Object.keys(COMMANDS).join(" ")}" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _kubelith kubelith`,

  zsh: (flags) =>
    `#compdef kubelith
_kubelith() {
  _arguments \\
    '1:command:((${
      Object.entries(COMMANDS).map(([name, { description }]) => `${name}\\:"${quoteZsh(description)}"`).join(" ")
    }))' \\
${flags.map(([name, flag]) => zshFlag(name, flag)).join(" \\\n")}
}
compdef _kubelith kubelith`,

  fish: (flags) =>
    [
      ...Object.entries(COMMANDS).map(([name, { description }]) =>
        `complete -c kubelith -n __fish_use_subcommand -a ${name} -d ${quote(description)}`
      ),
      `complete -c kubelith -f -n '__fish_seen_subcommand_from completion' -a '${Object.keys(SHELLS).join(" ")}'`,
      ...flags.map(([name, { help, shorthand, kind }]) =>
        `complete -c kubelith -l ${name}${shorthand ? ` -s ${shorthand}` : ""}${
          kind.bare === undefined ? " -r" : ""
        } -d ${quote(help)}`
      ),
    ].join("\n"),
};

/** The script for a shell. Throws a UsageError for a shell that there is none for. */
export function completionScript(args: readonly string[]): string {
  const known = Object.keys(SHELLS).join(", ");
  if (args.length !== 1) throw new UsageError(`"kubelith completion" takes one argument, of ${known}`);
  const script = Object.hasOwn(SHELLS, args[0]) ? SHELLS[args[0]] : undefined;
  if (script === undefined) throw new UsageError(`unknown shell ${JSON.stringify(args[0])}, known are ${known}`);
  return script(Object.values(OPTION_GROUPS).flatMap(supportedFlags));
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function quoteZsh(text: string): string {
  return text.replaceAll("'", "'\\''").replace(/[[\]:"]/g, "\\$&");
}

function zshFlag(name: string, { kind, help }: Flag): string {
  return `    '--${name}${kind.bare === undefined ? "=" : ""}[${quoteZsh(help)}]${
    kind.bare === undefined ? ":value:_files" : ""
  }'`;
}
