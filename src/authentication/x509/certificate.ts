// What authentication reads off a certificate (RFC 5280): the names of its subject and what its key may be used for.
import { X509Certificate } from "node:crypto";
import { derChildren, derName, derOid, type DerValue, readDer, TAG } from "../../machinery/der.ts";

export interface Certificate {
  x509: X509Certificate;
  /** Object identifier → values in order. */
  subject: ReadonlyMap<string, readonly string[]>;
  /** Object identifiers of extended key usages; undefined: any. */
  extendedKeyUsages: readonly string[] | undefined;
  /** Milliseconds since the epoch. */
  notBefore: number;
  notAfter: number;
}

export const COMMON_NAME = "2.5.4.3", ORGANIZATION = "2.5.4.10", KUBERNETES_UID = "1.3.6.1.4.1.57683.2";

const EXTENDED_KEY_USAGE = "2.5.29.37";
/** Explicit tags in TBSCertificate: version and extensions. */
const VERSION_TAG = 0xa0, EXTENSIONS_TAG = 0xa3;

/** Throws an Error when the bytes are no certificate. */
export function parseCertificate(der: Uint8Array): Certificate {
  const x509 = new X509Certificate(der as Uint8Array<ArrayBuffer>);
  const [tbs] = derChildren(readDer(der).value);
  const fields = derChildren(tbs);
  // version (optional), serialNumber, signature, issuer, validity, subject, …
  const subject = fields[fields[0].tag === VERSION_TAG ? 5 : 4];
  return {
    x509,
    subject: derName(subject),
    extendedKeyUsages: extendedKeyUsages(fields),
    notBefore: Date.parse(x509.validFrom),
    notAfter: Date.parse(x509.validTo),
  };
}

function extendedKeyUsages(fields: readonly DerValue[]): string[] | undefined {
  const explicit = fields.find((field) => field.tag === EXTENSIONS_TAG);
  if (explicit === undefined) return undefined;
  for (const extension of derChildren(derChildren(explicit)[0])) {
    const parts = derChildren(extension);
    if (derOid(parts[0]) !== EXTENDED_KEY_USAGE) continue;
    const value = parts.find((part) => part.tag === TAG.octetString)!;
    return derChildren(readDer(value.bytes).value).map(derOid);
  }
  return undefined;
}

/** The certificates of a PEM bundle. Throws an Error when one of them is broken. */
export function parseBundle(pem: string): Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => parseCertificate(new Uint8Array(new X509Certificate(block).raw)));
}
