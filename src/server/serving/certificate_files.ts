// Certificates and keys in files: reading them, checking that they fit, and noticing that they changed.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { logInfo, logWarning } from "../../logging/mod.ts";
import type { CertificateFiles, SecureServingConfig } from "../config.ts";

/** How often files are looked at; milliseconds. Kubernetes looks once a minute and is told by the system in between. */
const POLL_INTERVAL = 10_000;

/** Reads a pair. Throws an Error that names the file which cannot be read, makes no sense or does not fit the other. */
function readCertificateFiles(certFile: string, keyFile: string): CertificateFiles {
  const cert = Deno.readTextFileSync(certFile);
  const key = Deno.readTextFileSync(keyFile);
  checkPair({ certFile, keyFile, cert, key });
  return { certFile, keyFile, cert, key };
}

/** Throws an Error when a certificate or its key is no such thing, or they do not belong together. */
export function checkPair({ certFile, keyFile, cert, key }: CertificateFiles): void {
  const certificate = parse(() => new X509Certificate(cert), certFile, "is not a PEM certificate");
  const privateKey = parse(() => createPrivateKey(key), keyFile, "is not a PEM private key");
  if (!certificate.checkPrivateKey(privateKey)) throw new Error(`the key in ${keyFile} does not fit ${certFile}`);
}

function parse<T>(read: () => T, file: string, complaint: string): T {
  try {
    return read();
  } catch {
    throw new Error(`${file} ${complaint}`);
  }
}

type Certificates = Pick<SecureServingConfig, "certificate" | "sniCertificates">;

/**
 * Looks at the files until `stop`; tells when any changed and all make sense. The interval is in milliseconds. Names that
 * stay the same while the content moves (mounted secrets) are what makes polling the right thing.
 */
export function watchCertificates(
  { certificate, sniCertificates }: Certificates,
  stop: AbortSignal,
  changed: (now: Certificates) => void,
  interval: number = POLL_INTERVAL,
): void {
  let current = { certificate, sniCertificates };
  let complaint = "";
  const timer = setInterval(() => {
    try {
      const now = reread(current);
      complaint = "";
      if (sameCertificates(now, current)) return;
      current = now;
      logInfo("Serving certificates changed, loading them again", { certFile: certificate.certFile });
      changed(now);
    } catch (e) {
      const { message } = e as Error;
      if (message !== complaint) logWarning("Cannot use the changed serving certificates", { err: message });
      complaint = message;
    }
  }, interval);
  timer.unref();
  stop.addEventListener("abort", () => clearInterval(timer), { once: true });
}

function reread({ certificate, sniCertificates }: Certificates): Certificates {
  return {
    certificate: readCertificateFiles(certificate.certFile, certificate.keyFile),
    sniCertificates: sniCertificates.map((entry) => ({
      ...readCertificateFiles(entry.certFile, entry.keyFile),
      names: entry.names,
    })),
  };
}

function sameCertificates(a: Certificates, b: Certificates): boolean {
  const same = (x: CertificateFiles, y: CertificateFiles) => x.cert === y.cert && x.key === y.key;
  return same(a.certificate, b.certificate) &&
    a.sniCertificates.every((entry, i) => same(entry, b.sniCertificates[i]));
}
