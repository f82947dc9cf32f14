import assert from "node:assert/strict";
import { mergeRepeats } from "./repeats.ts";

Deno.test("objects that are there twice are merged, of everything else the last one counts", () => {
  const text =
    ` {"data": {"k":"1", "a":[1,{"x":null}]}, "n":1.5e3 , "data":{"k":"2,}","l":"\\"}"}, "n": {"b":true}, "e":[]}`;
  assert.deepEqual(mergeRepeats(text), {
    data: { k: "2,}", a: [1, { x: null }], l: '"}' },
    n: { b: true },
    e: [],
  });
  assert.deepEqual(mergeRepeats("[{}, {}]"), [{}, {}]);
});
