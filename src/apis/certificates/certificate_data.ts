// Certificates that a signer put into the status of a request.
import { X509Certificate } from "node:crypto";

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n([\s\S]*?)-----END \1-----/g;
const HEADER = /^[\w-]+:/m;

/** What is wrong with a chain in PEM; undefined when nothing is. @param data base64 of the PEM text */
export function certificateProblem(data: string | undefined): string | undefined {
  if (!data) return undefined;
  const blocks = [...atob(data).matchAll(BLOCK)];
  for (const [block, type, body] of blocks) {
    if (type !== "CERTIFICATE") return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(type)}`;
    if (HEADER.test(body)) return "no PEM block headers are permitted";
    try {
      new X509Certificate(block);
    } catch {
      return "x509: malformed certificate";
    }
  }
  return blocks.length === 0 ? "must contain at least one CERTIFICATE PEM block" : undefined;
}
