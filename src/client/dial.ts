// Why another server was not reached, in the words of Go's libraries.

/** `10.0.0.1:80`, `[::1]:80` */
export function hostAndPort(host: string, port: number | string): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

const DIAL_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connect: connection refused",
  EHOSTUNREACH: "connect: no route to host",
  ENETUNREACH: "connect: network is unreachable",
  ETIMEDOUT: "connect: connection timed out",
  TIMEOUT: "i/o timeout",
};

const NOT_VERIFIED = "tls: failed to verify certificate: x509";
const UNKNOWN_AUTHORITY = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Why a connection failed, in the words of Go's libraries. */
export function dialProblem(error: Error & { code?: string }, host: string, port: number): string {
  const { code = "" } = error;
  if (code in DIAL_ERRORS) return `dial tcp ${hostAndPort(host, port)}: ${DIAL_ERRORS[code]}`;
  if (code === "ENOTFOUND") return `dial tcp: lookup ${host}: no such host`;
  if (code === "ECONNRESET") return "EOF";
  if (UNKNOWN_AUTHORITY.has(code)) return `${NOT_VERIFIED}: certificate signed by unknown authority`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return `${NOT_VERIFIED}: certificate is not valid for ${host}`;
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER") return "tls: first record does not look like a TLS handshake";
  return error.message;
}
