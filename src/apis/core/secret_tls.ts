// Whether a certificate and a key in PEM (RFC 7468) go together, in the words of Go's crypto/tls.
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";

interface Block {
  type: string;
  text: string;
}

const BLOCK = /-----BEGIN ([^\n-]+)-----\r?\n[\s\S]*?-----END \1-----/g;

function blocksOf(pem: string): Block[] {
  return [...pem.matchAll(BLOCK)].map(([text, type]) => ({ type, text }));
}

/** What is wrong with the pair; undefined when it can be served with. */
export function keyPairProblem(certificatePem: string, keyPem: string): string | undefined {
  const certificates = blocksOf(certificatePem), keys = blocksOf(keyPem);
  const certificate = certificates.find(({ type }) => type === "CERTIFICATE");
  if (certificate === undefined) return noCertificate(certificates);
  const key = keys.find(({ type }) => type === "PRIVATE KEY" || type.endsWith(" PRIVATE KEY"));
  if (key === undefined) return noKey(keys);
  return mismatch(certificate.text, key.text);
}

function noCertificate(blocks: readonly Block[]): string {
  if (blocks.length === 0) return "tls: failed to find any PEM data in certificate input";
  if (blocks.length === 1 && blocks[0].type.endsWith("PRIVATE KEY")) {
    return "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may " +
      "have been switched";
  }
  return 'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following ' +
    `types: [${blocks.map(({ type }) => type).join(" ")}]`;
}

function noKey(blocks: readonly Block[]): string {
  if (blocks.length === 0) return "tls: failed to find any PEM data in key input";
  if (blocks.length === 1 && blocks[0].type === "CERTIFICATE") {
    return "tls: found a certificate rather than a key in the PEM for the private key";
  }
  return 'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of ' +
    `the following types: [${blocks.map(({ type }) => type).join(" ")}]`;
}

function mismatch(certificatePem: string, keyPem: string): string | undefined {
  let certified: KeyObject, key: KeyObject;
  try {
    certified = new X509Certificate(certificatePem).publicKey;
  } catch {
    return "x509: malformed certificate";
  }
  try {
    key = createPublicKey(createPrivateKey(keyPem) as unknown as string);
  } catch {
    return "tls: failed to parse private key";
  }
  if (certified.asymmetricKeyType !== key.asymmetricKeyType) {
    return "tls: private key type does not match public key type";
  }
  const der = (k: KeyObject) => k.export({ type: "spki", format: "der" }) as Uint8Array;
  const a = der(certified), b = der(key);
  const same = a.length === b.length && a.every((byte, i) => byte === b[i]);
  return same ? undefined : "tls: private key does not match public key";
}
