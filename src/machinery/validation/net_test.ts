import assert from "node:assert/strict";
import { formatFieldError } from "../field_error.ts";
import { collect } from "./field.ts";
import {
  parseCIDR,
  parseIP,
  validateCIDR,
  validateIP,
  validateLegacyIP,
  warningsForCIDR,
  warningsForIP,
} from "./net.ts";

function first(check: Parameters<typeof collect>[0]): string {
  return collect(check).map(formatFieldError).join("; ");
}

Deno.test("addresses", () => {
  for (const text of ["10.0.0.1", "::1", "2001:db8::ffff", "fd00:1:2:3:4:5:6:7"]) {
    assert.equal(first((at) => validateIP(text, at.child("ip"))), "");
  }
  for (
    const text of ["", "10.0.0", "10.0.0.256", "0x0a.0.0.1", "10.0.0.1 ", "fe80::1%eth0", "1::2::3", "12345::", "a"]
  ) {
    assert.equal(parseIP(text), undefined, text);
  }
  assert.equal(
    first((at) => validateIP("2001:DB8:0::1", at.child("ip"))),
    'ip: Invalid value: "2001:DB8:0::1": must be in canonical form ("2001:db8::1")',
  );
  assert.equal(
    first((at) => validateLegacyIP("010.0.0.1", at.child("ip"))),
    'ip: Invalid value: "010.0.0.1": must not have leading 0s',
  );
  assert.equal(first((at) => validateLegacyIP("010.0.0.1", at, { old: ["010.0.0.1"] })), "");
  assert.equal(
    first((at) => validateLegacyIP("::ffff:1.2.3.4", at.child("ip"))),
    'ip: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
  );
});

Deno.test("networks", () => {
  assert.equal(parseCIDR("10.1.2.3/8")?.text, "10.0.0.0/8");
  assert.equal(parseCIDR("2001:db8::1/33")?.text, "2001:db8::/33");
  assert.equal(parseCIDR("10.0.0.0/33"), undefined);
  assert.equal(first((at) => validateCIDR("10.0.0.0/8", at)), "");
  assert.equal(
    first((at) => validateCIDR("10.0.0.1/8", at.child("c"))),
    'c: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
  );
});

Deno.test("warnings about unusual forms", () => {
  assert.deepEqual(warningsForIP("2001:db8:0::1", "spec.ip"), [
    'spec.ip: IPv6 address "2001:db8:0::1" should be in RFC 5952 canonical format ("2001:db8::1")',
  ]);
  assert.deepEqual(warningsForCIDR("10.1.2.3/8", "c"), [
    'c: CIDR value "10.1.2.3/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.1.2.3/32"?)',
  ]);
});
