import assert from "node:assert/strict";
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  parseQuantity,
  QuantityError,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
} from "./quantity.ts";

Deno.test("quantities are written in one way", () => {
  const cases: Record<string, string> = {
    "1000m": "1",
    "0.5": "500m",
    "1.5Gi": "1536Mi",
    "1024Mi": "1Gi",
    "0.5Ki": "512",
    "100": "100",
    "1000": "1k",
    "12345": "12345",
    "1e3": "1e3",
    "1000e0": "1e3",
    "0": "0",
    "-5m": "-5m",
    "+5": "+5",
    "00100": "00100",
    "1.500": "1.500",
    "1.0Ki": "1Ki",
    "0.0000000001": "1n",
    ".5": "500m",
    "5.": "5.",
    "1500Mi": "1500Mi",
  };
  for (const [text, want] of Object.entries(cases)) assert.equal(canonicalQuantity(text), want, text);
});

Deno.test("what is no quantity is told why", () => {
  const format = /^quantities must match the regular expression/, suffix = /^unable to parse quantity's suffix$/;
  const cases: [string, RegExp][] = [["", format], ["1x", format], ["1 Gi", format], ["1e", suffix], ["1mi", suffix]];
  for (const [text, message] of cases) {
    assert.throws(() => canonicalQuantity(text), (e) => e instanceof QuantityError && message.test(e.message), text);
  }
  assert.equal(parseQuantity("1x"), undefined);
});

Deno.test("quantities are compared, added and rounded exactly", () => {
  assert.equal(compareQuantities("1Gi", "1G"), 1);
  assert.equal(compareQuantities("1000m", "1"), 0);
  assert.equal(addQuantities("500m", "1"), "1500m");
  assert.equal(addQuantities("0", "1Gi"), "1Gi");
  assert.equal(subtractQuantities("1Gi", "512Mi"), "512Mi");
  assert.equal(quantityValue("1001m"), 2n);
  assert.equal(quantityMilliValue("0.25"), 250n);
});
