// A proxy in front that authenticated the user and says in headers who it is: believed when the proxy's own certificate
// comes from the front-proxy CA.
import type { Authenticator } from "./interface.ts";
import { fieldValues, valuesByKey } from "./header_fields.ts";
import type { Authorities } from "./x509/authorities.ts";
import { COMMON_NAME } from "./x509/certificate.ts";
import { certificateVerifier } from "./x509/verifier.ts";

/** --requestheader-* */
export interface RequestHeaderOptions {
  authorities: Authorities;
  /** Common names of proxies; empty: any. */
  allowedNames: readonly string[];
  usernameHeaders: readonly string[];
  uidHeaders: readonly string[];
  groupHeaders: readonly string[];
  extraHeadersPrefix: readonly string[];
}

export function requestHeader(options: RequestHeaderOptions): Authenticator {
  const verify = certificateVerifier(options.authorities);
  const lower = (names: readonly string[]) => names.map((name) => name.trim().toLowerCase());
  const usernameHeaders = lower(options.usernameHeaders);
  const uidHeaders = lower(options.uidHeaders);
  const groupHeaders = lower(options.groupHeaders);
  const prefixes = lower(options.extraHeadersPrefix);
  return {
    authenticateRequest({ headers, peerCertificates }) {
      if (peerCertificates === undefined || peerCertificates.length === 0) return undefined;
      const leaf = verify(peerCertificates);
      const proxy = leaf.subject.get(COMMON_NAME)?.at(-1) ?? "";
      if (options.allowedNames.length > 0 && !options.allowedNames.includes(proxy)) {
        throw new Error(`x509: subject with cn=${proxy} is not in the allowed list`);
      }
      const name = firstValue(headers, usernameHeaders);
      if (name === "") return undefined;
      return {
        user: {
          name,
          uid: firstValue(headers, uidHeaders),
          groups: groupHeaders.flatMap((header) => fieldValues(headers, header)).filter((group) => group !== ""),
          extra: valuesByKey(headers, prefixes),
        },
      };
    },
  };
}

function firstValue(headers: Headers, names: readonly string[]): string {
  for (const name of names) {
    const [value = ""] = fieldValues(headers, name);
    if (value !== "") return value;
  }
  return "";
}
