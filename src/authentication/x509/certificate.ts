// What authentication reads off a certificate (RFC 5280): the names of its subject and what its key may be used for.
import { X509Certificate } from "node:crypto";
import { derChildren, derName, derOid, type DerValue, readDer, TAG } from "../../machinery/der.ts";
import { type GeneralName, generalName, type NameConstraints, nameConstraints } from "./name_constraints.ts";

export interface Certificate {
  x509: X509Certificate;
  /** Object identifier → values in order. */
  subject: ReadonlyMap<string, readonly string[]>;
  /** Object identifiers of extended key usages; undefined: any. */
  extendedKeyUsages: readonly string[] | undefined;
  /** How many certificates may be between it and a leaf; undefined: any number. */
  pathLength: number | undefined;
  alternativeNames: readonly GeneralName[];
  nameConstraints: NameConstraints | undefined;
  /** Says something that must be understood and is not. */
  unhandledCritical: boolean;
  /** Milliseconds since the epoch. */
  notBefore: number;
  notAfter: number;
}

export const COMMON_NAME = "2.5.4.3", ORGANIZATION = "2.5.4.10", KUBERNETES_UID = "1.3.6.1.4.1.57683.2";

const KEY_USAGE = "2.5.29.15", ALTERNATIVE_NAME = "2.5.29.17", BASIC_CONSTRAINTS = "2.5.29.19";
const NAME_CONSTRAINTS = "2.5.29.30", EXTENDED_KEY_USAGE = "2.5.29.37";
/** Read by node:crypto, or of no consequence here: distribution points, policies and identifiers of keys. */
const OTHERS_HANDLED = new Set([KEY_USAGE, "2.5.29.31", "2.5.29.32", "2.5.29.14", "2.5.29.35"]);
/** Explicit tags in TBSCertificate: version and extensions. */
const VERSION_TAG = 0xa0, EXTENSIONS_TAG = 0xa3;
const TAG_BOOLEAN = 1, TAG_INTEGER = 2;

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
    ...readExtensions(fields),
    notBefore: Date.parse(x509.validFrom),
    notAfter: Date.parse(x509.validTo),
  };
}

type Extensions = Pick<
  Certificate,
  "extendedKeyUsages" | "pathLength" | "alternativeNames" | "nameConstraints" | "unhandledCritical"
>;

function readExtensions(fields: readonly DerValue[]): Extensions {
  const read: Extensions = {
    extendedKeyUsages: undefined,
    pathLength: undefined,
    alternativeNames: [],
    nameConstraints: undefined,
    unhandledCritical: false,
  };
  const explicit = fields.find((field) => field.tag === EXTENSIONS_TAG);
  if (explicit === undefined) return read;
  for (const extension of derChildren(derChildren(explicit)[0])) {
    const parts = derChildren(extension);
    const { bytes } = parts.find((part) => part.tag === TAG.octetString)!;
    const critical = parts.some(({ tag, bytes }) => tag === TAG_BOOLEAN && bytes[0] !== 0);
    if (!readExtension(derOid(parts[0]), bytes, read) && critical) read.unhandledCritical = true;
  }
  return read;
}

/** Whether it is understood. */
function readExtension(oid: string, bytes: Uint8Array, read: Extensions): boolean {
  switch (oid) {
    case EXTENDED_KEY_USAGE:
      read.extendedKeyUsages = derChildren(readDer(bytes).value).map(derOid);
      return true;
    case BASIC_CONSTRAINTS: {
      const length = derChildren(readDer(bytes).value).find(({ tag }) => tag === TAG_INTEGER);
      read.pathLength = length?.bytes.reduce((sum, octet) => sum * 256 + octet, 0);
      return true;
    }
    case ALTERNATIVE_NAME:
      read.alternativeNames = derChildren(readDer(bytes).value).map(generalName).filter((name) => name !== undefined);
      return read.alternativeNames.length > 0;
    case NAME_CONSTRAINTS:
      read.nameConstraints = nameConstraints(readDer(bytes).value);
      return read.nameConstraints !== undefined;
    default:
      return OTHERS_HANDLED.has(oid);
  }
}

/** The certificates of a PEM bundle. Throws an Error when one of them is broken. */
export function parseBundle(pem: string): Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => parseCertificate(new Uint8Array(new X509Certificate(block).raw)));
}
