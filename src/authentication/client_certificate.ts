// Client certificates: the common name is the user, the organizations are the groups.
import { type AuthenticationResponse, type Authenticator, CREDENTIAL_ID } from "./interface.ts";
import type { Authorities } from "./x509/authorities.ts";
import { type Certificate, COMMON_NAME, KUBERNETES_UID, ORGANIZATION } from "./x509/certificate.ts";
import { certificateVerifier } from "./x509/verifier.ts";

/**
 * @param authorities those of --client-ca-file
 * @param observe told how many seconds each certificate is still good for
 */
export function clientCertificate(authorities: Authorities, observe?: (remaining: number) => void): Authenticator {
  const verify = certificateVerifier(authorities, observe);
  const users = new WeakMap<Certificate, { response: AuthenticationResponse | undefined }>();
  return {
    authenticateRequest({ peerCertificates }) {
      if (peerCertificates === undefined || peerCertificates.length === 0) return undefined;
      const leaf = verify(peerCertificates);
      let known = users.get(leaf);
      if (known === undefined) users.set(leaf, known = { response: userOf(leaf) });
      return known.response;
    },
  };
}

/** Undefined when the certificate has no common name. */
function userOf({ subject, x509 }: Certificate): AuthenticationResponse | undefined {
  const name = subject.get(COMMON_NAME)?.at(-1) ?? "";
  if (name === "") return undefined;
  const fingerprint = x509.fingerprint256.replaceAll(":", "").toLowerCase();
  return {
    user: {
      name,
      uid: uidOf(subject.get(KUBERNETES_UID) ?? []),
      groups: subject.get(ORGANIZATION) ?? [],
      extra: { [CREDENTIAL_ID]: [`X509SHA256=${fingerprint}`] },
    },
  };
}

function uidOf(uids: readonly string[]): string {
  if (uids.length > 1) throw new Error(`expected 1 UID, but found multiple: [${uids.join(" ")}]`);
  if (uids[0] === "") throw new Error("UID cannot be an empty string");
  return uids[0] ?? "";
}
