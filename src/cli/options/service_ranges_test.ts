import assert from "node:assert/strict";
import { firstServiceAddress, validateServiceRanges } from "./service_ranges.ts";

Deno.test("ranges that are none are told in one line each", () => {
  for (const range of ["fe80::1%eth0/112", "10.0.0.0", "10.0.0.0/33", "::/129", "10.0.0/24", "", "10.0.0.0/24/1"]) {
    const problems = validateServiceRanges(range);
    assert.equal(problems.length, 1, range);
    assert.match(problems[0], /is not a valid CIDR/);
    assert.doesNotMatch(problems[0], /\n/);
  }
  assert.match(validateServiceRanges("10.0.0.0/30")[0], /must hold at least 8 IP addresses/);
  assert.match(validateServiceRanges("10.0.0.0/24,10.1.0.0/24")[0], /same IP family/);
});

Deno.test("the kubernetes service has the first address of its range", () => {
  assert.deepEqual(validateServiceRanges("10.0.0.0/24, fd00::/112"), []);
  assert.equal(firstServiceAddress("10.0.0.9/24"), "10.0.0.1");
  assert.equal(firstServiceAddress("fd00::9/112"), "fd00::1");
  assert.equal(firstServiceAddress("::ffff:0.0.0.0/112"), "::ffff:0:1");
});
