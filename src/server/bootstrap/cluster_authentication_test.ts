import assert from "node:assert/strict";
import { issueCertificate } from "../serving/issue.ts";
import { combinedAuthenticationData } from "./cluster_authentication.ts";

const HOUR = 3_600_000, CLIENTS = "client-ca-file", NAMES = "requestheader-allowed-names";

function authority(commonName: string, lifetime = HOUR): string {
  return issueCertificate({ commonName, usage: "ca", lifetime }).cert;
}

Deno.test("servers add to what others of the cluster said", () => {
  const [one, two, over] = [authority("one"), authority("two"), authority("over", -HOUR / 2)];
  const combined = (before: string, mine: string) =>
    combinedAuthenticationData({ [CLIENTS]: before }, { [CLIENTS]: mine })[CLIENTS];
  assert.equal(combined("", one), one);
  assert.equal(combined(`# mine\n${one}`, two), one + two);
  assert.equal(combined(one + two, one), one + two);
  assert.equal(combined(over + one, two), one + two);
  assert.equal(combined("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", one), one);

  assert.deepEqual(combinedAuthenticationData({ [NAMES]: '["a","b"]', other: "x" }, { [NAMES]: '["c","a"]' }), {
    [NAMES]: '["a","b","c"]',
    other: "x",
  });
  assert.deepEqual(combinedAuthenticationData({ [NAMES]: "{" }, { [NAMES]: "[]" }), { [NAMES]: "[]" });
  assert.deepEqual(combinedAuthenticationData({ [CLIENTS]: one }, {}), { [CLIENTS]: one });
});
