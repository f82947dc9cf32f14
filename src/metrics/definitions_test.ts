import assert from "node:assert/strict";
import { join } from "node:path";
import { METRICS } from "./definitions.ts";

const SRC = join(import.meta.dirname!, "..");
/** Its figures go by the names of metrics. */
const FIGURES = join(SRC, "storage", "interface.ts");

/** The program's own files below a folder that may record metrics. */
function* recorders(dir: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(dir)) {
    const path = join(dir, name);
    if (isDirectory) {
      if (name !== "generated" && path !== import.meta.dirname) yield* recorders(path);
    } else if (name.endsWith(".ts") && !name.endsWith("_test.ts")) {
      const text = Deno.readTextFileSync(path);
      if (path === FIGURES || /\bmetrics\b/.test(text)) yield text;
    }
  }
}

Deno.test("every metric that is defined is recorded somewhere", () => {
  const words = new Set([...recorders(SRC)].flatMap((text) => text.match(/\w+/g) ?? []));
  assert.deepEqual(Object.keys(METRICS).filter((name) => !words.has(name)), []);
});

Deno.test("no two metrics have the same name", () => {
  const names = Object.values(METRICS).map(({ name }) => name);
  assert.deepEqual(names.filter((name, i) => names.indexOf(name) < i), []);
});
