import assert from "node:assert/strict";
import * as names from "./names.ts";

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and " +
  "must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

Deno.test("names of DNS", () => {
  assert.deepEqual(names.isDNS1123Subdomain("a-1.example.com"), []);
  assert.deepEqual(names.isDNS1123Subdomain("Bad_"), [SUBDOMAIN]);
  assert.deepEqual(names.isDNS1123Subdomain("a".repeat(254)), ["must be no more than 253 characters"]);
  assert.deepEqual(names.isDNS1123Label("a.b"), ["must not contain dots"]);
  assert.deepEqual(names.isDNS1123Label("a".repeat(64)), ["must be no more than 63 characters"]);
  assert.match(names.isDNS1035Label("1a")[0], /^a DNS-1035 label must .*\(e\.g\. 'my-name', {2}or 'abc-123', regex/);
});

Deno.test("qualified names", () => {
  assert.deepEqual(names.isQualifiedName("example.com/name"), []);
  assert.deepEqual(names.isQualifiedName("/name"), ["prefix part must be non-empty"]);
  assert.deepEqual(names.isQualifiedName("a".repeat(64)), ["name part must be no more than 63 bytes"]);
  assert.deepEqual(names.isQualifiedName("").length, 2);
  assert.match(
    names.isQualifiedName("a/b/c")[0],
    /^a valid label key must consist .* \(e\.g\. 'example\.com\/MyName'\)$/,
  );
  assert.deepEqual(names.isQualifiedName("B_/x"), [`prefix part ${SUBDOMAIN}`]);
});

Deno.test("ports, paths, keys and variables", () => {
  assert.deepEqual(names.isPortName("http-alt"), []);
  assert.deepEqual(names.isPortName("-A--toolongportname-"), [
    "must be no more than 15 characters",
    "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
    "must not contain consecutive hyphens",
    "must not begin or end with a hyphen",
  ]);
  assert.deepEqual(names.isPathSegmentName("a/b%"), ["may not contain '/'", "may not contain '%'"]);
  assert.deepEqual(names.isPathSegmentName(".."), ["may not be '..'"]);
  assert.deepEqual(names.isConfigMapKey("..a"), ["must not start with '..'"]);
  assert.deepEqual(names.isRelaxedEnvVarName("1 odd{name}"), []);
  assert.equal(names.isRelaxedEnvVarName("a=b").length, 1);
});

Deno.test("bytes, not characters, are counted", () => {
  assert.equal(names.byteLength("aé€😀"), 1 + 2 + 3 + 4);
});
