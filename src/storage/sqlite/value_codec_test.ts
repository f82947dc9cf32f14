import assert from "node:assert/strict";
import { DamagedValueError, ValueCodec } from "./value_codec.ts";

const codec = new ValueCodec();
const owner = { key: "/registry/a", revision: 5 };

function stored(value: string): Uint8Array {
  return codec.encode(value, owner).slice();
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
  for (const value of values) assert.equal(codec.decode(stored(value), owner), value);
});

Deno.test("objects get smaller, noise stays as it is", () => {
  const lease = JSON.stringify({
    kind: "Lease",
    apiVersion: "coordination.k8s.io/v1",
    metadata: { name: "node-1", namespace: "kube-node-lease", uid: crypto.randomUUID(), labels: {} },
    spec: { holderIdentity: "node-1", leaseDurationSeconds: 40, renewTime: "2026-03-04T05:06:07.000000Z" },
  });
  assert.ok(stored(lease).length < lease.length * 0.6);
  const noise = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(3000))));
  assert.ok(stored(noise).length < noise.length + 10);
});

Deno.test("a value with a single wrong bit is an error, and so is one that is cut off", () => {
  for (const good of [stored("some text that repeats, ".repeat(40)), stored("short")]) {
    for (let i = 0; i < good.length; i++) {
      for (let bit = 0; bit < 8; bit++) {
        const bad = good.slice();
        bad[i] ^= 1 << bit;
        assert.throws(() => codec.decode(bad, owner), DamagedValueError);
      }
      assert.throws(() => codec.decode(good.slice(0, i), owner), DamagedValueError);
    }
  }
});

Deno.test("another's value is an error", () => {
  const value = stored("text");
  assert.throws(() => codec.decode(value, { ...owner, revision: 6 }), DamagedValueError);
  assert.throws(() => codec.decode(value, { ...owner, key: "/registry/b" }), /revision 5 of \/registry\/b/);
});
