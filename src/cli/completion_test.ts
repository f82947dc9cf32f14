import assert from "node:assert/strict";
import { COMMANDS } from "./commands/mod.ts";
import { completionScript } from "./completion.ts";

const noBash = await new Deno.Command("bash", { args: ["--version"], stdout: "null" }).output().then(
  ({ success }) => !success,
  () => true,
);

/** What bash makes of the last word. */
async function complete(...words: string[]): Promise<string[]> {
  const script = `${completionScript(["bash"])}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kubelith 2> /dev/null; echo "\${COMPREPLY[*]}"`;
  const { stdout } = await new Deno.Command("bash", { args: ["-c", script, "bash", "kubelith", ...words] }).output();
  return new TextDecoder().decode(stdout).trim().split(" ");
}

Deno.test({
  name: "bash completes commands, what each of them takes, and files",
  ignore: noBash,
  async fn() {
    const cases: [words: string[], completed: string[]][] = [
      [[""], Object.keys(COMMANDS)],
      [["ba"], ["backup"]],
      [["backup", "--"], ["--sqlite-path", "--data-dir", "--config", "--help"]],
      [["import-kine", "--re"], ["--replace"]],
      [["db", ""], ["check", "stats"]],
      [["db", "--data-dir", import.meta.filename!.slice(0, -1)], [import.meta.filename!]],
      [["db", "--data-dir", "=", import.meta.filename!.slice(0, -1)], [import.meta.filename!]],
      [["completion", "z"], ["zsh"]],
      [["--secure"], ["--secure-port"]],
      [["up", "--secure"], ["--secure-port"]],
      [["up", "--repl"], [""]],
    ];
    for (const [words, completed] of cases) assert.deepEqual(await complete(...words), completed, words.join(" "));
  },
});

Deno.test("each shell's script knows every command and its own flags", () => {
  for (const shell of COMMANDS.completion.choices!) {
    const script = completionScript([shell]);
    for (const word of [...Object.keys(COMMANDS), "replace", "secure-port"]) {
      assert.ok(script.includes(word), `${shell}: ${word}`);
    }
  }
});
