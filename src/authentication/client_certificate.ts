// Client certificates: the common name is the user, the organizations are the groups.
import { X509Certificate } from "node:crypto";
import type { AuthenticationRequest, AuthenticationResponse, Authenticator } from "./interface.ts";

/** Verified certificates remembered; the check of a signature costs more than the rest of a request. */
const REMEMBERED = 1024;
const UID_ATTRIBUTE = "1.3.6.1.4.1.57683.2";

/** @param pem the bundle of --client-ca-file */
export function clientCertificate(pem: string): Authenticator {
  const authorities = splitPem(pem).map((text) => new X509Certificate(text));
  const known = new Map<string, { response: AuthenticationResponse; from: number; to: number }>();
  return {
    authenticateRequest({ peerCertificates }: AuthenticationRequest) {
      if (peerCertificates === undefined || peerCertificates.length === 0) return undefined;
      const chain = peerCertificates.map((der) => new X509Certificate(der));
      const id = chain[0].fingerprint256;
      let entry = known.get(id);
      if (entry === undefined) {
        verify(chain, authorities);
        const [leaf] = chain;
        entry = { response: { user: userOf(leaf) }, from: Date.parse(leaf.validFrom), to: Date.parse(leaf.validTo) };
        if (known.size >= REMEMBERED) known.clear();
        known.set(id, entry);
      }
      const now = Date.now();
      if (now < entry.from || now > entry.to) throw new Error("x509: certificate has expired or is not yet valid");
      return entry.response;
    },
  };
}

/** Throws unless the chain leads to one of the authorities. */
function verify(chain: readonly X509Certificate[], authorities: readonly X509Certificate[]): void {
  let [current] = chain;
  const rest = chain.slice(1);
  for (let depth = 0; depth <= chain.length; depth++) {
    if (authorities.some((ca) => current.checkIssued(ca) && ca.ca && current.verify(ca.publicKey))) {
      checkUsage(chain[0]);
      return;
    }
    const issuer = rest.find((c) => c.ca && current.checkIssued(c) && current.verify(c.publicKey));
    if (issuer === undefined) break;
    current = issuer;
  }
  throw new Error("x509: certificate signed by unknown authority");
}

const CLIENT_AUTH = "1.3.6.1.5.5.7.3.2", ANY_USAGE = "2.5.29.37.0";

function checkUsage(leaf: X509Certificate): void {
  const usages = leaf.keyUsage as string[] | undefined;
  if (usages !== undefined && usages.length > 0 && !usages.includes(CLIENT_AUTH) && !usages.includes(ANY_USAGE)) {
    throw new Error("x509: certificate specifies an incompatible key usage");
  }
}

function userOf(certificate: X509Certificate): AuthenticationResponse["user"] {
  const subject = new Map<string, string[]>();
  for (const line of certificate.subject.split("\n")) {
    const at = line.indexOf("=");
    const [key, value] = [line.slice(0, at), line.slice(at + 1)];
    subject.set(key, [...subject.get(key) ?? [], value]);
  }
  const name = subject.get("CN")?.at(-1) ?? "";
  if (name === "") throw new Error("the certificate has no common name");
  const fingerprint = certificate.fingerprint256.replaceAll(":", "").toLowerCase();
  return {
    name,
    uid: subject.get(UID_ATTRIBUTE)?.[0] ?? "",
    groups: subject.get("O") ?? [],
    extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${fingerprint}`] },
  };
}

function splitPem(pem: string): string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
}
