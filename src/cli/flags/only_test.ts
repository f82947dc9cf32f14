import assert from "node:assert/strict";
import { ALL_FLAGS } from "../options/mod.ts";
import { parseFlags, UsageError } from "./parse.ts";

Deno.test("a value whose feature is not built is refused, the others are taken", () => {
  for (const name of ["profiling", "contention-profiling", "enable-priority-and-fairness", "enable-logs-handler"]) {
    assert.equal(parseFlags([`--${name}=false`], ALL_FLAGS).values.get(name), false);
    assert.throws(() => parseFlags([`--${name}`], ALL_FLAGS), {
      name: UsageError.name,
      message: `invalid argument "true" for "--${name}" flag: only false is supported yet`,
    });
  }
  assert.equal(parseFlags(["--watch-cache=false"], ALL_FLAGS).values.get("watch-cache"), false);
});
