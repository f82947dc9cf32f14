import "reflect-metadata";
import assert from "node:assert/strict";
import { Pkcs10CertificateRequestGenerator } from "@peculiar/x509";
import { ORGANIZATION, parseCertificateRequest } from "./pkcs10.ts";

interface KeyAlgorithm extends EcKeyGenParams, RsaHashedKeyGenParams {
  saltLength: number;
}

const RSA = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
const ALGORITHMS: Partial<KeyAlgorithm>[] = [
  { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  { name: "ECDSA", namedCurve: "P-384", hash: "SHA-384" },
  { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", ...RSA },
  { name: "RSA-PSS", hash: "SHA-512", saltLength: 64, ...RSA },
  { name: "Ed25519" },
];

async function request(partial: Partial<KeyAlgorithm>): Promise<Uint8Array> {
  const algorithm = partial as KeyAlgorithm;
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const made = await Pkcs10CertificateRequestGenerator.create({
    name: "CN=jane, O=dev, O=ops",
    keys,
    signingAlgorithm: algorithm,
  });
  return new Uint8Array(made.rawData);
}

function pem(der: Uint8Array, type = "CERTIFICATE REQUEST"): string {
  return `-----BEGIN ${type}-----\n${der.toBase64()}\n-----END ${type}-----\n`;
}

Deno.test("requests with every usual kind of key are read and verified", async () => {
  for (const algorithm of ALGORITHMS) {
    const der = await request(algorithm);
    const parsed = parseCertificateRequest(pem(der));
    assert.deepEqual(parsed.subject.get(ORGANIZATION), ["dev", "ops"], algorithm.name);
    parsed.checkSignature();
    der[der.length - 1] ^= 1;
    assert.throws(() => parseCertificateRequest(pem(der)).checkSignature(), /verification (error|failure)/);
  }
});

Deno.test("what is no request is refused", async () => {
  const der = await request(ALGORITHMS[0]);
  for (const text of ["", "no PEM", pem(der, "CERTIFICATE"), pem(der).replace("END", "EDN")]) {
    assert.throws(() => parseCertificateRequest(text), /PEM block type must be CERTIFICATE REQUEST/);
  }
  for (const bytes of [new Uint8Array(0), der.subarray(0, 40), new Uint8Array([0x30, 0x00]), new Uint8Array(3)]) {
    assert.throws(() => parseCertificateRequest(pem(bytes)), /asn1/);
  }
});
