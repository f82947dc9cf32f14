// Makes the certificates that nobody gave: X.509 version 3 (RFC 5280) with ECDSA P-256 keys. It is written out here
// because it is on the way of the first start: a certificate takes 3 ms, loading a library for it 60 ms.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import { der, derChildren, oid } from "./der.ts";

export interface CertificateRequest {
  commonName: string;
  organizations?: readonly string[];
  /** DNS names and IP addresses that the certificate is for. */
  names?: readonly string[];
  usage: "ca" | "server" | "client";
  /** How long it is good for, in milliseconds. */
  lifetime: number;
}

/** A certificate and its key as PEM; for issuing others it has to be a CA's. */
export interface IssuedCertificate {
  cert: string;
  key: string;
}

/** Certificates begin an hour ago: clocks differ. */
const BACKDATE = 3_600_000;

/** Makes a key and its certificate, signed by `issuer` or by itself. */
export function issueCertificate(request: CertificateRequest, issuer?: IssuedCertificate): IssuedCertificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  const spki = new Uint8Array(publicKey.export({ type: "spki", format: "der" }) as ArrayLike<number>);
  const subject = distinguishedName(request);
  const signer = issuer ? readIssuer(issuer) : { name: subject, spki, key };
  const now = Date.now();
  const tbs = der.sequence(
    der.explicit(0, der.integer(Uint8Array.of(2))),
    der.integer(serialNumber()),
    ECDSA_WITH_SHA256,
    signer.name,
    der.sequence(der.time(new Date(now - BACKDATE)), der.time(new Date(now + request.lifetime))),
    subject,
    spki,
    der.explicit(3, der.sequence(...extensions(request, { spki, issuerSpki: signer.spki }))),
  );
  const signature = new Uint8Array(sign("sha256", tbs, createPrivateKey(signer.key)));
  return { cert: pem("CERTIFICATE", der.sequence(tbs, ECDSA_WITH_SHA256, der.bitString(signature))), key };
}

const ECDSA_WITH_SHA256 = der.sequence(oid("1.2.840.10045.4.3.2"));

function serialNumber(): Uint8Array {
  const serial = new Uint8Array(randomBytes(16));
  serial[0] = serial[0] & 0x7f | 0x40; // Positive, and never with a leading zero.
  return serial;
}

function distinguishedName({ commonName, organizations = [] }: CertificateRequest): Uint8Array {
  const attribute = (type: string, value: string) => der.set(der.sequence(oid(type), der.utf8(value)));
  return der.sequence(...organizations.map((o) => attribute("2.5.4.10", o)), attribute("2.5.4.3", commonName));
}

interface KeyIdentifiers {
  spki: Uint8Array;
  issuerSpki: Uint8Array;
}

function extensions({ usage, names = [] }: CertificateRequest, { spki, issuerSpki }: KeyIdentifiers): Uint8Array[] {
  const extension = (id: string, critical: boolean, value: Uint8Array) =>
    der.sequence(oid(id), ...critical ? [der.boolean(true)] : [], der.octetString(value));
  const list = [
    // digitalSignature, for a CA also keyCertSign.
    extension("2.5.29.15", true, der.bitString(Uint8Array.of(usage === "ca" ? 0x84 : 0x80), usage === "ca" ? 2 : 7)),
    extension("2.5.29.19", true, der.sequence(...usage === "ca" ? [der.boolean(true)] : [])),
    extension("2.5.29.14", false, der.octetString(keyIdentifier(spki))),
    extension("2.5.29.35", false, der.sequence(der.implicit(0, keyIdentifier(issuerSpki)))),
  ];
  if (usage !== "ca") {
    const purpose = usage === "server" ? "1.3.6.1.5.5.7.3.1" : "1.3.6.1.5.5.7.3.2";
    list.push(extension("2.5.29.37", false, der.sequence(oid(purpose))));
  }
  if (names.length > 0) list.push(extension("2.5.29.17", false, der.sequence(...names.map(generalName))));
  return list;
}

function keyIdentifier(spki: Uint8Array): Uint8Array {
  return new Uint8Array(createHash("sha1").update(spki).digest());
}

function generalName(name: string): Uint8Array {
  return isIP(name) === 0 ? der.implicit(2, new TextEncoder().encode(name)) : der.implicit(7, addressBytes(name));
}

function addressBytes(address: string): Uint8Array {
  if (isIP(address) === 4) return Uint8Array.from(address.split("."), Number);
  const [head, tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::")
    .map((side) => side === "" ? [] : side.split(":"));
  const zeros = tail === undefined ? [] : Array<string>(8 - head.length - tail.length).fill("0");
  return Uint8Array.from(
    [...head, ...zeros, ...tail ?? []].map((group) => parseInt(group, 16)).flatMap((
      group,
    ) => [group >> 8, group & 255]),
  );
}

/** What of a CA goes into the certificates that it signs. */
function readIssuer({ cert, key }: IssuedCertificate): { name: Uint8Array; spki: Uint8Array; key: string } {
  const body = Uint8Array.from(atob(cert.replace(/-----[^-]+-----|\s/g, "")), (c) => c.charCodeAt(0));
  const [tbs] = derChildren(body);
  const [, , , , , subject] = derChildren(tbs);
  const spki = createPublicKey(cert).export({ type: "spki", format: "der" });
  return { name: subject, spki: new Uint8Array(spki as ArrayLike<number>), key };
}

function pem(label: string, bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes)).replace(/.{64}/g, "$&\n");
  return `-----BEGIN ${label}-----\n${base64.trimEnd()}\n-----END ${label}-----\n`;
}
