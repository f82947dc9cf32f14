import assert from "node:assert/strict";
import { parseExactly } from "./big_integers.ts";
import { builtinSchema } from "./schema/builtin.ts";
import { decode } from "./codec/decode.ts";
import { parseJson } from "./codec/parse.ts";
import { parseYaml } from "./yaml/mod.ts";

const TEXT = '{"big":9007199254740993,"least":-9223372036854775808,"text":"9007199254740993","whole":5}';

Deno.test("integers that are an int64 come out as they went in", async () => {
  assert.equal(JSON.stringify(parseExactly(TEXT)), TEXT);
  assert.equal(JSON.stringify(parseJson(TEXT).value), TEXT);
  const { value } = await parseYaml("big: 9007199254740993\nleast: -9223372036854775808\n");
  assert.deepEqual(value, { big: 9007199254740993n, least: -9223372036854775808n });
});

Deno.test("all others are numbers", () => {
  assert.deepEqual(parseExactly("[9007199254740991, 9223372036854775808, 9007199254740993.5, 1e17]"), [
    9007199254740991,
    9223372036854775808,
    9007199254740994,
    1e17,
  ]);
});

Deno.test("fields of built-in kinds hold numbers", () => {
  const job = builtinSchema().typeOfKind({ group: "batch", version: "v1", kind: "Job" })!;
  const { object } = decode(job, parseJson('{"spec":{"activeDeadlineSeconds":9007199254740993,"template":{}}}').value);
  assert.equal(object.spec.activeDeadlineSeconds, 9007199254740992);
});
