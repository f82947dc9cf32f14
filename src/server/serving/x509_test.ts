import assert from "node:assert/strict";
import { der, oid } from "./der.ts";
import { issueCertificate } from "./issue.ts";
import { isX509v3 } from "./x509.ts";

function derOf(pem: string): Uint8Array {
  return Uint8Array.fromBase64(pem.replace(/-----[^-]+-----|\s/g, ""));
}

Deno.test("only certificates of version 3 say so", () => {
  const { cert } = issueCertificate({ commonName: "x", usage: "client", lifetime: 1000 });
  assert.equal(isX509v3(derOf(cert)), true);
  const serial = der.integer(Uint8Array.of(1)), algorithm = der.sequence(oid("1.2.840.10045.4.3.2"));
  const certificate = (...fields: Uint8Array[]) => der.sequence(der.sequence(...fields, serial, algorithm), algorithm);
  const version = (n: number) => der.explicit(0, der.integer(Uint8Array.of(n)));
  assert.equal(isX509v3(certificate(version(2))), true);
  assert.equal(isX509v3(certificate(version(1))), false);
  // Version 1 is left out.
  assert.equal(isX509v3(certificate()), false);
  assert.equal(isX509v3(new Uint8Array([0x30, 0x80])), false);
  assert.equal(isX509v3(new Uint8Array(0)), false);
});
