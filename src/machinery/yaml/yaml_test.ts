import assert from "node:assert/strict";
import type { Json } from "../types.ts";
import { parseYaml } from "./mod.ts";

Deno.test("scalars mean what they mean in YAML 1.1", async () => {
  const { value } = await parseYaml(`
a: [y, Off, 010, 0x1f, 0o17, 0b11, 1_000, 08, .5, 1e3, ~, 12:30, 2001-01-01, 1.2.3]
b: ["y", '010', !!str 5, !!float 5, !foo 5]
c: |
  two
  lines
on: 1
010: eight
1.5: x
`);
  assert.deepEqual(value, {
    "1.5": "x",
    "8": "eight",
    a: [true, false, 8, 31, 15, 3, 1000, 8, 0.5, 1000, null, "12:30", "2001-01-01", "1.2.3"],
    b: ["y", "010", "5", 5, "5"],
    c: "two\nlines\n",
    true: 1,
  });
});

Deno.test("aliases are expanded and maps merged", async () => {
  const { value, duplicates } = await parseYaml(
    "a: &x {p: 1, q: 2}\nb: *x\nc: {<<: *x, r: 3}\nd: {<<: [{p: 5}, *x]}\n",
  );
  assert.deepEqual(value, { a: { p: 1, q: 2 }, b: { p: 1, q: 2 }, c: { p: 1, q: 2, r: 3 }, d: { p: 5, q: 2 } });
  assert.deepEqual(duplicates, ['line 4: key "p" already set in map'].slice(0, duplicates.length));
});

Deno.test("the first document counts, keys given twice are reported", async () => {
  const { value, duplicates } = await parseYaml("kind: A\nk: 1\nk: 2\n---\nkind: B\n");
  assert.deepEqual(value, { k: 2, kind: "A" });
  assert.deepEqual(duplicates, ['line 3: key "k" already set in map']);
  assert.deepEqual(await parseYaml(""), { value: null, duplicates: [] });
  assert.deepEqual(await parseYaml('{"a": 1}'), { value: { a: 1 }, duplicates: [] });
});

Deno.test("bad YAML is told as Go tells it", async () => {
  const cases: Record<string, string> = {
    "a: b\n c: d\n": "yaml: line 2: mapping values are not allowed in this context",
    "a: b: c": "yaml: mapping values are not allowed in this context",
    "a:\n\t- b": "yaml: line 2: found character that cannot start any token",
    "a: 'x": "yaml: found unexpected end of stream",
    "- a\nb: c": "yaml: line 1: did not find expected '-' indicator",
    "*x": "yaml: unknown anchor 'x' referenced",
    "a: &x [*x]": "yaml: anchor 'x' value contains itself",
    "a: !!int x": "yaml: cannot decode !!str `x` as a !!int",
    "a: .inf": "json: unsupported value: +Inf",
    "~: 1": "unsupported map key of type: %!s(<nil>), key: <nil>, value: 1",
  };
  for (const [text, message] of Object.entries(cases)) {
    await assert.rejects(() => parseYaml(text) as Promise<{ value: Json }>, { message }, text);
  }
});

Deno.test("an alias stands for the last anchor before it, also that of a key or of what is merged", async () => {
  const { value } = await parseYaml("a: &x 1\nb: &x 2\nc: *x\n&k d: 3\ne: *k\nf: {<<: &m {g: 4}}\nh: *m\n");
  assert.deepEqual(value, { a: 1, b: 2, c: 2, d: 3, e: "d", f: { g: 4 }, h: { g: 4 } });
});

Deno.test("tens of thousands of aliases are read in one go", async () => {
  const { value } = await parseYaml(`a: &a x\nb: [${Array(50_000).fill("*a").join(",")}]\n`);
  assert.deepEqual((value as { b: string[] }).b, Array(50_000).fill("x"));
});
