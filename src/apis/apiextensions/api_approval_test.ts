import assert from "node:assert/strict";
import { apiApprovalOf, isCommunityGroup } from "./api_approval.ts";

Deno.test("groups of the community", () => {
  for (const group of ["k8s.io", "a.k8s.io", "kubernetes.io", "a.b.kubernetes.io"]) assert.ok(isCommunityGroup(group));
  for (const group of ["example.com", "ak8s.io", "k8s.io.example.com", ""]) assert.ok(!isCommunityGroup(group));
});

Deno.test("an approval is a URL or says that there is none", () => {
  const state = (text: string) => apiApprovalOf({ "api-approved.kubernetes.io": text }).state;
  assert.equal(state("https://github.com/kubernetes/kubernetes/pull/78458"), "Approved");
  assert.equal(state("http://user@host:80?x"), "Approved");
  assert.equal(state("unapproved, experimental"), "Bypassed");
  for (const text of ["nope", "/path", "https://", "https:///x", "mailto:a@b", "https://h/%zz", "https://a b"]) {
    assert.equal(state(text), "Invalid", text);
  }
  assert.equal(apiApprovalOf(undefined).state, "Missing");
});
