import assert from "node:assert/strict";
import { ValueCodec } from "./value_codec.ts";

const codec = new ValueCodec();

function stored(value: string): string | Uint8Array {
  const column = codec.encode(value);
  return typeof column === "string" ? column : column.slice();
}

function randomText(length: number, alphabet: string): string {
  let text = "";
  const letters = [...alphabet];
  while (text.length < length) text += letters[Math.floor(Math.random() * letters.length)];
  return text;
}

Deno.test("values come back as they were", () => {
  const pod = JSON.stringify({ kind: "Pod", apiVersion: "v1", metadata: { name: "a", labels: { app: "x" } } });
  const values = ["", "a", pod, pod.repeat(50), "x".repeat(100_000), "äöü€😀".repeat(100), randomText(5000, "ab😀")];
  for (let length = 100; length < 600; length++) values.push(randomText(length, "abcdefgh"));
  for (let length = 120; length < 400; length++) values.push(pod.repeat(9).slice(0, length));
  for (const value of values) assert.equal(codec.decode(stored(value)), value);
});

Deno.test("objects get smaller, noise stays text", () => {
  const lease = JSON.stringify({
    kind: "Lease",
    apiVersion: "coordination.k8s.io/v1",
    metadata: { name: "node-1", namespace: "kube-node-lease", uid: crypto.randomUUID(), labels: {} },
    spec: { holderIdentity: "node-1", leaseDurationSeconds: 40, renewTime: "2026-03-04T05:06:07.000000Z" },
  });
  assert.ok(stored(lease).length < lease.length * 0.6);
  const noise = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(3000))));
  assert.equal(stored(noise), noise);
});

Deno.test("a damaged value is an error, never another value's end or an endless loop", () => {
  const good = stored("some text that repeats, ".repeat(40)) as Uint8Array;
  for (let i = 0; i < good.length; i++) {
    for (const bits of [1, 0x80, 0xff]) {
      const bad = good.slice();
      bad[i] ^= bits;
      try {
        assert.equal(typeof codec.decode(bad), "string");
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error));
      }
    }
  }
  assert.throws(() => codec.decode(good.slice(0, good.length - 3)), RangeError);
  assert.throws(() => codec.decode(new Uint8Array([9, 0, 0, 0, 0])), /unknown format 9/);
});
