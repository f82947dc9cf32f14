import "reflect-metadata";
import assert from "node:assert/strict";
import { Pkcs10CertificateRequestGenerator } from "@peculiar/x509";
import type { KubeObject } from "../../machinery/types.ts";
import type { RequestContext } from "../context.ts";
import { certificateSigningRequest as kind } from "./certificatesigningrequest.ts";

const CONTEXT = {
  user: { name: "jane", uid: "uid-1", groups: ["dev"], extra: { scope: ["all"] } },
} as unknown as RequestContext;

const REQUEST = await (async () => {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, false, ["sign", "verify"]);
  const made = await Pkcs10CertificateRequestGenerator.create({ name: "CN=jane", keys, signingAlgorithm: algorithm });
  return btoa(made.toString("pem"));
})();

function csr(spec: object = {}, status: object = {}): KubeObject {
  return {
    kind: "CertificateSigningRequest",
    apiVersion: "certificates.k8s.io/v1",
    metadata: { name: "a" },
    spec: { request: REQUEST, signerName: "example.com/signer", usages: ["client auth"], ...spec },
    status,
  };
}

function problems(object: KubeObject): string[] {
  return kind.validate!(object, CONTEXT).map(({ field, detail }) => `${field}: ${detail}`);
}

function approve(old: KubeObject, conditions: object[], way: "approval" | "status" = "approval") {
  const object = structuredClone(old), strategy = kind.subresources![way];
  object.status = { ...object.status, conditions };
  strategy.prepareForUpdate!(object, old, CONTEXT);
  return { object, errors: strategy.validateUpdate!(object, old, CONTEXT).map(({ detail }) => detail) };
}

Deno.test("a request is stamped with who makes it", () => {
  const object = csr({ username: "boss", groups: ["system:masters"], extra: { x: ["y"] } }, { certificate: "x" });
  kind.prepareForCreate!(object, CONTEXT);
  const { username, uid, groups, extra } = object.spec;
  assert.deepEqual([username, uid, groups, extra], ["jane", "uid-1", ["dev"], { scope: ["all"] }]);
  assert.deepEqual(object.status, {});
});

Deno.test("a request needs a signature, usages and a signer", () => {
  assert.deepEqual(problems(csr()), []);
  assert.deepEqual(problems(csr({ request: undefined, usages: [], signerName: "" })), [
    "spec.request: PEM block type must be CERTIFICATE REQUEST",
    "spec.usages: ",
    "spec.signerName: ",
  ]);
  assert.match(problems(csr({ usages: ["any", "any"] }))[0], /^spec.usages\[1]/);
  assert.match(problems(csr({ expirationSeconds: 599 }))[0], /^spec.expirationSeconds: may not specify a duration/);
  for (const signerName of ["a/b", "a.b", "a.b/c/d", "A.b/c", "a.b/C", "kubernetes.io/legacy-unknown"]) {
    assert.equal(problems(csr({ signerName })).length > 0, true, signerName);
  }
});

Deno.test("a decision gets its times and stands", () => {
  const { object, errors } = approve(csr(), [{ type: "Approved", status: "True" }]);
  assert.deepEqual(errors, []);
  const [approved] = object.status.conditions;
  assert.ok(approved.lastUpdateTime && approved.lastTransitionTime);
  assert.deepEqual(approve(object, []).errors, ['updates may not remove a condition of type "Approved"']);
  assert.deepEqual(approve(object, [approved, { type: "Denied", status: "True" }]).errors, [
    "Approved and Denied conditions are mutually exclusive",
  ]);
  assert.equal(approve(csr(), [{ type: "Denied", status: "False" }]).errors.length, 1);
});

Deno.test("the status takes failures and a certificate, no decisions", () => {
  assert.deepEqual(approve(csr(), [{ type: "Failed", status: "True" }], "status").errors, []);
  assert.deepEqual(approve(csr(), [{ type: "Approved", status: "True" }], "status").errors, [
    'updates may not add a condition of type "Approved"',
  ]);
  const decided = csr({}, { conditions: [{ type: "Approved", status: "True", reason: "good" }] });
  const { object, errors } = approve(decided, [{ type: "Approved", status: "True", reason: "bad" }], "status");
  assert.deepEqual(errors, []);
  assert.equal(object.status.conditions[0].reason, "good");
  const signed = { ...csr(), status: { certificate: btoa("x") } };
  assert.deepEqual(
    kind.subresources!.status.validateUpdate!(signed, csr(), CONTEXT).map(({ detail }) => detail),
    ["must contain at least one CERTIFICATE PEM block"],
  );
});
