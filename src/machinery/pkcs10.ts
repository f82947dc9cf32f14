// Reads certificate requests (PKCS #10, RFC 2986) and checks that who asks holds the key.
import { fromBase64 } from "./bytes.ts";
import { constants, createPublicKey, type KeyObject, verify } from "node:crypto";
import { derChildren, derName, derOid, type DerValue, readDer } from "./der.ts";

export const COMMON_NAME = "2.5.4.3", ORGANIZATION = "2.5.4.10";

export interface CertificateRequest {
  /** Object identifier → values in order. */
  subject: ReadonlyMap<string, readonly string[]>;
  publicKey: KeyObject;
  /** Throws an Error when the signature is not the key's. */
  checkSignature(): void;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n([\s\S]*?)-----END \1-----/;
const HEADERS = /^[\w-]+:.*\r?\n/gm;

/** The first block of a PEM text. Throws an Error when it is no request. */
export function parseCertificateRequest(pem: string): CertificateRequest {
  const [, type, body] = BLOCK.exec(pem) ?? [];
  const der = type === "CERTIFICATE REQUEST" ? fromBase64(body.replace(HEADERS, "").replace(/\s/g, "")) : undefined;
  if (der === undefined) throw new Error("PEM block type must be CERTIFICATE REQUEST");
  const { info, subject, spki, algorithm, signature } = partsOf(der);
  const publicKey = publicKeyOf(spki);
  return {
    subject,
    publicKey,
    checkSignature: () => checkSignature(publicKey, { signed: info, algorithm, signature }),
  };
}

function partsOf(der: Uint8Array) {
  try {
    const { value, rest } = readDer(der);
    if (rest.length > 0) throw new Error("trailing data");
    const [info, algorithm, signature] = derChildren(value);
    // version, subject, subjectPublicKeyInfo, attributes
    const [, subject, spki] = derChildren(info);
    // A bit string says first how many bits of its last byte are not used.
    return { info: info.encoded, subject: derName(subject), spki, algorithm, signature: signature.bytes.subarray(1) };
  } catch {
    throw new Error("asn1: syntax error: data truncated");
  }
}

function publicKeyOf(spki: DerValue): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(spki.encoded), type: "spki", format: "der" });
  } catch {
    throw new Error("x509: failed to parse public key");
  }
}

interface Signature {
  signed: Uint8Array;
  algorithm: DerValue;
  signature: Uint8Array;
}

/** Object identifier → the digest; null: the algorithm has its own. */
const DIGESTS: Readonly<Record<string, string | null>> = {
  "1.2.840.113549.1.1.5": "sha1",
  "1.2.840.113549.1.1.11": "sha256",
  "1.2.840.113549.1.1.12": "sha384",
  "1.2.840.113549.1.1.13": "sha512",
  "1.2.840.10045.4.1": "sha1",
  "1.2.840.10045.4.3.2": "sha256",
  "1.2.840.10045.4.3.3": "sha384",
  "1.2.840.10045.4.3.4": "sha512",
  "1.3.101.112": null,
};
const PSS = "1.2.840.113549.1.1.10";
/** The digest that parameters of RSASSA-PSS name (RFC 4055). */
const PSS_DIGESTS: Readonly<Record<string, string>> = {
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};
const FAILURES: Readonly<Record<string, string>> = {
  rsa: "crypto/rsa: verification error",
  ec: "x509: ECDSA verification failure",
  ed25519: "x509: Ed25519 verification failure",
};

function checkSignature(key: KeyObject, { signed, algorithm, signature }: Signature): void {
  const [type, parameters] = derChildren(algorithm);
  const oid = derOid(type), pss = oid === PSS;
  const digest = pss ? PSS_DIGESTS[pssDigest(parameters)] : DIGESTS[oid];
  const failure = FAILURES[key.asymmetricKeyType ?? ""];
  if (digest === undefined || failure === undefined) {
    throw new Error("x509: cannot verify signature: algorithm unimplemented");
  }
  if (!isValid(digest, signed, pss ? pssKey(key) : key, signature)) throw new Error(failure);
}

function pssDigest(parameters: DerValue | undefined): string {
  try {
    const [hash] = derChildren(parameters!);
    return derOid(derChildren(derChildren(hash)[0])[0]);
  } catch {
    return "";
  }
}

function pssKey(key: KeyObject) {
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
}

function isValid(digest: string | null, signed: Uint8Array, key: Parameters<typeof verify>[2], signature: Uint8Array) {
  try {
    return verify(digest, signed, key, signature);
  } catch {
    return false;
  }
}
