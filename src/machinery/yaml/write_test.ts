import assert from "node:assert/strict";
import { writeYaml } from "./write.ts";

/** What stands behind `k: `. */
function scalar(text: string): string {
  return writeYaml({ k: text }).slice(3, -1);
}

Deno.test("maps are sorted, lists stand below their keys", () => {
  const value = { b: [{ y: 1, x: [] }, "s", [1, [2]]], a: { c: {}, d: null }, "k.10": true, "k.2": 1.5 };
  assert.equal(
    writeYaml(value),
    `a:
  c: {}
  d: null
b:
- x: []
  "y": 1
- s
- - 1
  - - 2
k.2: 1.5
k.10: true
`,
  );
});

Deno.test("text that would be read as something else is quoted", () => {
  for (const text of ["", "y", "true", "123", "0x1f", "1:30", "2020-01-01", "2020-01-01T00:00:00Z", "null", ".inf"]) {
    assert.equal(scalar(text), JSON.stringify(text));
  }
  for (const text of ["a: b", "a #b", "- a", "[a]", "*a", "@a", " lead", "trail ", "---", "'q'"]) {
    assert.equal(scalar(text), `'${text.replaceAll("'", "''")}'`);
  }
  for (const text of ["a:b", "a#b", "-a", "10.0.0.1", "it's", "1e", "http://x/?a=b#c", "日本"]) {
    assert.equal(scalar(text), text);
  }
  assert.equal(scalar("tab\there\u0001😀"), '"tab\\there\\x01\\U0001F600"');
});

Deno.test("lines: blocks, and folding behind the width", () => {
  assert.equal(scalar("two\nlines"), "|-\n  two\n  lines");
  assert.equal(scalar("two\nlines\n"), "|\n  two\n  lines");
  assert.equal(scalar("end\n\n"), "|+\n  end\n");
  assert.equal(scalar("  indented\n"), "|2\n    indented");
  const words = "word ".repeat(20).trim();
  assert.equal(scalar(words), "word ".repeat(16).trim() + "\n  " + "word ".repeat(4).trim());
  assert.equal(scalar("x".repeat(100)), "x".repeat(100));
});
