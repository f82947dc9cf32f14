import assert from "node:assert/strict";
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
} from "./quantity.ts";

Deno.test("quantities are written in one way", () => {
  const cases: Record<string, string | undefined> = {
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
    "+5": "5",
    "0.0000000001": "1n",
    ".5": "500m",
    "5.": "5",
    "1500Mi": "1500Mi",
    "": undefined,
    "1x": undefined,
    "1 Gi": undefined,
    "Gi": undefined,
    "1e": undefined,
  };
  for (const [text, want] of Object.entries(cases)) assert.equal(canonicalQuantity(text), want, text);
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
