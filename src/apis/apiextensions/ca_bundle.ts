// The certificates by which the server knows a conversion webhook.
import { X509Certificate } from "node:crypto";

const BLOCK = /-----BEGIN CERTIFICATE-----\s[^:]+?-----END CERTIFICATE-----/g;

/** Whether a bundle (PEM in base64) has a certificate in it; none at all is fine too. */
export function isCABundle(base64: string | undefined): boolean {
  if (!base64) return true;
  return (atob(base64).match(BLOCK) ?? []).some(isCertificate);
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
