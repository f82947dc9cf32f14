import assert from "node:assert/strict";
import { type CertificateRequest, issueCertificate, type IssuedCertificate } from "../server/serving/issue.ts";
import { clientCertificate } from "./client_certificate.ts";
import type { AuthenticationResponse } from "./interface.ts";
import { requestHeader } from "./request_header.ts";
import { authorities } from "./x509/authorities.ts";

const HOUR = 3_600_000;

function authority(name: string, issuer?: IssuedCertificate): IssuedCertificate {
  return issueCertificate({ commonName: name, usage: "ca", lifetime: HOUR }, issuer);
}

function issue(ca: IssuedCertificate, changes: Partial<CertificateRequest> = {}): Uint8Array {
  const request = { commonName: "jane", usage: "client" as const, lifetime: HOUR, ...changes };
  return derOf(issueCertificate(request, ca).cert);
}

function derOf(pem: string): Uint8Array {
  return Uint8Array.fromBase64(pem.replace(/-----[^-]+-----|\s/g, ""));
}

const CA = authority("clients"), OTHER = authority("others");
const URL_ = new URL("https://server/api");
const byCertificate = clientCertificate(authorities({ file: "", pem: CA.cert + OTHER.cert }));

function ask(...peerCertificates: Uint8Array[]): AuthenticationResponse["user"] | undefined {
  const request = { headers: new Headers(), url: URL_, remoteAddress: "", peerCertificates };
  return (byCertificate.authenticateRequest(request) as AuthenticationResponse | undefined)?.user;
}

Deno.test("the subject of a certificate is its user", () => {
  const { name, groups, extra } = ask(issue(CA, { organizations: ["dev", "ops"] }))!;
  assert.deepEqual([name, groups], ["jane", ["dev", "ops"]]);
  assert.match(extra["authentication.kubernetes.io/credential-id"][0], /^X509SHA256=[0-9a-f]{64}$/);
  assert.equal(ask(issue(OTHER))?.name, "jane");
  assert.equal(ask(issue(CA, { commonName: "" })), undefined);
  assert.equal(ask(), undefined);
});

Deno.test("a chain leads to an authority, in whatever order it comes", () => {
  const middle = authority("middle", CA), last = authority("last", middle);
  const leaf = issue(last);
  assert.equal(ask(leaf, derOf(last.cert), derOf(middle.cert))?.name, "jane");
  assert.equal(ask(leaf, derOf(middle.cert), derOf(last.cert))?.name, "jane");
  assert.throws(() => ask(leaf, derOf(last.cert)), /certificate signed by unknown authority/);
});

Deno.test("certificates of strangers, of servers, of another time, and of those who are no authority", () => {
  assert.throws(() => ask(issue(authority("clients"))), /certificate signed by unknown authority/);
  assert.throws(() => ask(issue(CA, { usage: "server" })), /incompatible key usage/);
  assert.throws(() => ask(issue(CA, { lifetime: -HOUR / 2 })), /has expired or is not yet valid/);
  const user = issueCertificate({ commonName: "jane", usage: "client", lifetime: HOUR }, CA);
  assert.throws(() => ask(issue(user, { commonName: "admin" }), derOf(user.cert)), /unknown authority/);
});

const PROXY_CA = authority("proxies");
const HEADERS = {
  "x-remote-user": "alice",
  "x-remote-group": "wonderland",
  "x-remote-uid": "7",
  "x-remote-extra-acme.com%2fscopes": "all",
};
const OPTIONS = {
  authorities: authorities({ file: "", pem: PROXY_CA.cert }),
  allowedNames: ["front"],
  usernameHeaders: ["X-Remote-User"],
  uidHeaders: ["X-Remote-Uid"],
  groupHeaders: ["X-Remote-Group"],
  extraHeadersPrefix: ["X-Remote-Extra-"],
};

function askProxy(certificate: Uint8Array | undefined, headers: Record<string, string> = HEADERS, names = ["front"]) {
  const peerCertificates = certificate && [certificate];
  const request = { headers: new Headers(headers), url: URL_, remoteAddress: "", peerCertificates };
  const found = requestHeader({ ...OPTIONS, allowedNames: names }).authenticateRequest(request);
  return (found as AuthenticationResponse | undefined)?.user;
}

Deno.test("a proxy with the right certificate says who a request is from", () => {
  const front = issue(PROXY_CA, { commonName: "front" });
  assert.deepEqual(askProxy(front), {
    name: "alice",
    uid: "7",
    groups: ["wonderland"],
    extra: { "acme.com/scopes": ["all"] },
  });
  assert.equal(askProxy(front, {}), undefined);
  assert.equal(askProxy(issue(PROXY_CA, { commonName: "any" }), HEADERS, [])?.name, "alice");
});

Deno.test("without it the headers say nothing", () => {
  assert.equal(askProxy(undefined), undefined);
  assert.throws(
    () => askProxy(issue(PROXY_CA, { commonName: "back" })),
    /subject with cn=back is not in the allowed list/,
  );
  assert.throws(() => askProxy(issue(CA, { commonName: "front" })), /certificate signed by unknown authority/);
});
