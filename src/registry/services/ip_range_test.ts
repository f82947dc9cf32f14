import assert from "node:assert/strict";
import { IPRange } from "./ip_range.ts";

Deno.test("a /24 leaves out network and broadcast address and gives the lower band last", () => {
  const range = new IPRange("10.0.0.0/24");
  assert.equal(range.size, 254n);
  assert.equal(range.has("10.0.0.0"), false);
  assert.equal(range.has("10.0.0.255"), false);
  assert.equal(range.has("10.0.0.254"), true);
  assert.equal(range.has("172.16.0.1"), false);
  assert.equal(range.has("fd00::1"), false);
  const order = [...range.candidates(() => 0)];
  assert.equal(order.length, 254);
  assert.equal(new Set(order).size, 254);
  assert.equal(order[0], "10.0.0.17");
  assert.equal(order[238], "10.0.0.1");
});

Deno.test("small ranges have no band, IPv6 is written canonically", () => {
  assert.deepEqual([...new IPRange("10.0.0.0/29").candidates(() => 0)].slice(0, 2), ["10.0.0.1", "10.0.0.2"]);
  const six = new IPRange("fd00::/112");
  assert.equal(six.size, 65535n);
  assert.equal(six.at(1n), "fd00::1");
  assert.equal(six.has("fd00::ffff"), true);
});
