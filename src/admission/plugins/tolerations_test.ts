import assert from "node:assert/strict";
import { areAllowed, mergeTolerations } from "./tolerations.ts";

const EVERYTHING = { operator: "Exists" };
const KEY = { key: "a", operator: "Exists" };
const VALUE = { key: "a", operator: "Equal", value: "x", effect: "NoSchedule" };

Deno.test("merging keeps the widest toleration and the first of equal ones", () => {
  assert.deepEqual(mergeTolerations([VALUE], [KEY]), [KEY]);
  assert.deepEqual(mergeTolerations([KEY], [VALUE]), [KEY]);
  assert.deepEqual(mergeTolerations([VALUE], [{ ...VALUE }]), [VALUE]);
  assert.deepEqual(mergeTolerations([VALUE], [{ ...VALUE, value: "y" }]), [VALUE, { ...VALUE, value: "y" }]);
});

Deno.test("a longer stay covers a shorter one, and none is for ever", () => {
  const stay = (tolerationSeconds?: number) => ({
    key: "a",
    operator: "Exists",
    effect: "NoExecute",
    ...tolerationSeconds === undefined ? {} : { tolerationSeconds },
  });
  assert.deepEqual(mergeTolerations([stay(5)], [stay(9)]), [stay(9)]);
  assert.deepEqual(mergeTolerations([stay(5)], [stay()]), [stay()]);
});

Deno.test("tolerations are allowed by what covers them", () => {
  assert.equal(areAllowed([VALUE], [KEY]), true);
  assert.equal(areAllowed([EVERYTHING], [KEY]), false);
  assert.equal(areAllowed([EVERYTHING], []), true);
});
