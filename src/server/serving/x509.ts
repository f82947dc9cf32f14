// The little that the secure port reads in certificates itself.
import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { derElement } from "./der.ts";

/** Whether a DER certificate says that it is X.509 version 3 (RFC 5280, 4.1.2.1). */
export function isX509v3(der: Uint8Array): boolean {
  const certificate = derElement(der, 0);
  if (certificate?.tag !== 0x30) return false;
  const tbs = derElement(der, certificate.start);
  if (tbs?.tag !== 0x30) return false;
  const version = derElement(der, tbs.start);
  if (version?.tag !== 0xa0) return false; // Left out: version 1.
  const number = derElement(der, version.start);
  return number?.tag === 0x02 && number.end - number.start === 1 && der[number.start] === 2;
}

/** The DNS names of a certificate (PEM): its subject alternative names, or else its common name. */
export function certificateNames(pem: string): string[] {
  const certificate = new X509Certificate(pem);
  const names: string[] = [];
  for (const part of certificate.subjectAltName?.split(", ") ?? []) {
    if (part.startsWith("DNS:")) names.push(part.slice(4));
  }
  if (names.length === 0) {
    const name = /^CN=(.*)$/m.exec(certificate.subject)?.[1];
    if (name && isIP(name) === 0) names.push(name);
  }
  return names;
}

/** Which of several lists of patterns a server name falls under: exact names win over wildcards, the first over later. */
export function matchServerName(name: string, patterns: readonly (readonly string[])[]): number | undefined {
  const wanted = name.toLowerCase();
  const exact = patterns.findIndex((names) => names.some((pattern) => pattern.toLowerCase() === wanted));
  if (exact >= 0) return exact;
  const dot = wanted.indexOf(".");
  if (dot < 0) return undefined;
  const wildcard = "*" + wanted.slice(dot);
  const found = patterns.findIndex((names) => names.some((pattern) => pattern.toLowerCase() === wildcard));
  return found >= 0 ? found : undefined;
}
