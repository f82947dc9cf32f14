import assert from "node:assert/strict";
import { COMMANDS } from "./commands/mod.ts";
import { helpText } from "./help.ts";

const LINE_OF_FLAG = /^ +(?:-\w, )?--([\w-]+)/gm;

function flagsIn(text: string): string[] {
  return [...text.matchAll(LINE_OF_FLAG)].map(([, name]) => name);
}

Deno.test("the server's help lists the commands in front of the flags", () => {
  const text = helpText();
  const places = Object.values(COMMANDS).map(({ usage }) => text.indexOf(`\n  ${usage} `));
  assert.ok(places.every((place) => place > 0 && place < text.indexOf("\n      --secure-port")), text);
});

Deno.test("a command's help has its own flags alone, and up all of the server's", () => {
  assert.match(helpText("backup"), /^Usage: kubelith backup <file> \[flags\]\n\nCopy the database/);
  assert.deepEqual(flagsIn(helpText("backup")), ["sqlite-path", "data-dir", "config", "help"]);
  assert.deepEqual(flagsIn(helpText("import-kine")), ["replace", "sqlite-path", "data-dir", "config", "help"]);
  assert.deepEqual(flagsIn(helpText("completion")), ["help"]);
  assert.match(helpText("up"), /^Usage: kubelith up \[flags\]/);
  assert.deepEqual(flagsIn(helpText("up")), flagsIn(helpText()));
  assert.equal(helpText("nosuch"), helpText());
});
