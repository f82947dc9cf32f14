import assert from "node:assert/strict";
import { decodePack, encodePack, type PackedRow } from "./pack_codec.ts";
import { DamagedValueError } from "./value_codec.ts";

function row(revision: number, name: string, prevRevision: number, value: string): PackedRow {
  return { revision, key: `/registry/leases/${name}`, prevRevision, expires: undefined, value };
}

const lease = (n: number) => JSON.stringify({ kind: "Lease", holder: "äöü€😀 ".repeat(10), spec: { renewTime: n } });
const rows = [
  row(1_000_000_007, "a", 12, lease(1)),
  row(1_000_000_008, "b", 1_000_000_001, ""),
  row(1_000_000_019, "a", 1_000_000_007, lease(2)),
  row(1_000_000_020, "a", 1_000_000_019, "\n{}"),
];

Deno.test("packed changes come back as they were, whatever stands behind them", () => {
  const bytes = encodePack(rows), padded = new Uint8Array(bytes.length + 1000).fill(1);
  padded.set(bytes);
  assert.deepEqual(decodePack(padded), rows);
  assert.deepEqual(decodePack(encodePack(rows.slice(0, 1))), rows.slice(0, 1));
});

Deno.test("a renewal takes few bytes of a pack", () => {
  const many = Array.from({ length: 100 }, (_, i) => row(100 + i, "a", 99 + i, lease(1_000_000 + i * 7919)));
  assert.ok(encodePack(many).length - encodePack(many.slice(0, 1)).length < 100 * 15);
});

Deno.test("packed changes with a single wrong bit are an error", () => {
  const good = encodePack(rows);
  for (let i = 0; i < good.length; i++) {
    for (let bit = 0; bit < 8; bit++) {
      const bad = good.slice();
      bad[i] ^= 1 << bit;
      assert.throws(() => decodePack(bad), DamagedValueError);
    }
  }
});
