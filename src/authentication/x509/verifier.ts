// Verifies client certificates against authorities, each chain once: the check of a signature costs more than the rest of
// a request.
import type { Authorities } from "./authorities.ts";
import { type Certificate, parseCertificate } from "./certificate.ts";
import { allows } from "./name_constraints.ts";

const CLIENT_AUTH = "1.3.6.1.5.5.7.3.2", ANY_USAGE = "2.5.29.37.0";
const LONGEST_CHAIN = 10;

interface Verdict {
  leaf: Certificate;
  authorities: readonly Certificate[];
  error?: Error;
  /** Until when the verdict holds: the earliest end of the chain. */
  until: number;
}

/** Gives back the leaf of a chain that is good. Throws an Error that says what is wrong with it. */
export type CertificateVerifier = (chain: readonly Uint8Array[]) => Certificate;

/**
 * @param trusted where chains have to end
 * @param observe told how many seconds each certificate is still good for, whatever comes of it
 */
export function certificateVerifier(trusted: Authorities, observe?: (remaining: number) => void): CertificateVerifier {
  // A connection gives the same array with each of its requests.
  const verdicts = new WeakMap<readonly Uint8Array[], Verdict>();
  return (chain) => {
    const authorities = trusted.current();
    let verdict = verdicts.get(chain);
    if (verdict === undefined || verdict.authorities !== authorities) {
      verdict = judge(chain, authorities);
      verdicts.set(chain, verdict);
    }
    const now = Date.now();
    observe?.((verdict.leaf.notAfter - now) / 1000);
    if (verdict.error !== undefined) throw verdict.error;
    if (now > verdict.until) throw new Error("x509: certificate has expired or is not yet valid");
    return verdict.leaf;
  };
}

function judge(der: readonly Uint8Array[], authorities: readonly Certificate[]): Verdict {
  const chain = der.map(parseCertificate);
  const [leaf] = chain;
  try {
    return { leaf, authorities, until: verifyChain(chain, authorities) };
  } catch (e) {
    return { leaf, authorities, until: Infinity, error: e as Error };
  }
}

/** From the leaf up to an authority; the rest of what the client sent may help on the way. */
function verifyChain([leaf, ...intermediates]: readonly Certificate[], authorities: readonly Certificate[]): number {
  const now = Date.now();
  const path = [leaf];
  let until = checkedEnd(leaf, now);
  for (let current = leaf; path.length < LONGEST_CHAIN;) {
    const root = authorities.find((ca) => issued(current, ca) || current.x509.raw.equals(ca.x509.raw));
    const issuer = root ?? intermediates.find((ca) => !path.includes(ca) && issued(current, ca));
    if (issuer === undefined) break;
    until = Math.min(until, checkedEnd(issuer, now));
    // What is trusted itself is nobody's to limit.
    if (!current.x509.raw.equals(issuer.x509.raw)) checkLimits(issuer, path);
    if (root !== undefined) return until;
    path.push(issuer);
    current = issuer;
  }
  throw new Error("x509: certificate signed by unknown authority");
}

/** @param path what it signed, from the leaf on */
function checkLimits({ pathLength, nameConstraints }: Certificate, path: readonly Certificate[]): void {
  if (pathLength !== undefined && path.length - 1 > pathLength) {
    throw new Error("x509: too many intermediates for path length constraint");
  }
  if (nameConstraints === undefined) return;
  const names = path.flatMap(({ alternativeNames }) => alternativeNames);
  if (!names.every((name) => allows(nameConstraints, name))) {
    throw new Error("x509: a root or intermediate certificate is not authorized to sign for this name");
  }
}

function issued({ x509 }: Certificate, { x509: ca }: Certificate): boolean {
  return ca.ca && x509.checkIssued(ca) && x509.verify(ca.publicKey);
}

/** When it ends. Throws when it is not valid now, not for clients or more than is understood. */
function checkedEnd(certificate: Certificate, now: number): number {
  const { notBefore, notAfter, extendedKeyUsages: usages, unhandledCritical } = certificate;
  if (unhandledCritical) throw new Error("x509: unhandled critical extension");
  if (now < notBefore || now > notAfter) throw new Error("x509: certificate has expired or is not yet valid");
  if (usages !== undefined && !usages.includes(CLIENT_AUTH) && !usages.includes(ANY_USAGE)) {
    throw new Error("x509: certificate specifies an incompatible key usage");
  }
  return notAfter;
}
