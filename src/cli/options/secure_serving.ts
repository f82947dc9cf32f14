// Secure serving flags: address, certificates, TLS.
import { join } from "node:path";
import { flag } from "../flags/kinds.ts";
import { optionGroup, type OptionsOf } from "../flags/group.ts";
import type { CertificateFiles } from "../../server/config.ts";
import { CIPHER_SUITES } from "../../server/serving/cipher_suites.ts";
import { validatePair } from "./certificate_pair.ts";
import { notNegative, oneOf, portInRange, problem } from "./problems.ts";

const TLS_VERSIONS = { "": "TLSv1.2", VersionTLS12: "TLSv1.2", VersionTLS13: "TLSv1.3" } as const;

/** As kube-apiserver has it, which is less than Go's own default. */
const DEFAULT_MAX_STREAMS = 100;

const flags = {
  "bind-address": flag.ip("Address to listen on at --secure-port; 0.0.0.0 and :: are all addresses."),
  "cert-dir": flag.string("Folder of the certificate that is made when --tls-cert-file is not given."),
  "disable-http2-serving": flag.bool("Speak HTTP/1.1 only."),
  "http2-max-streams-per-connection": flag.int("HTTP/2 requests at the same time on one connection; 0 for 100."),
  "secure-port": flag.int("Port for HTTPS; cannot be switched off with 0."),
  "tls-cert-file": flag.string("Certificate for HTTPS, PEM, followed by those of its issuers."),
  "tls-cipher-suites": flag.strings(`Cipher suites of TLS 1.2 to offer, comma separated: ${CIPHER_SUITES.join(", ")}.`),
  "tls-min-version": flag.string("Lowest TLS version to speak: VersionTLS12 or VersionTLS13."),
  "tls-private-key-file": flag.string("Private key of --tls-cert-file, PEM."),
  "tls-sni-cert-key": flag.namedCertKey(
    "Certificate and key for some server names: 'cert,key' or 'cert,key:*.example.com,example.com'. May be repeated.",
  ),
};

export type SecureServingOptions = OptionsOf<typeof flags>;

export const secureServing = optionGroup({
  name: "Secure serving",
  flags,
  validate(o, context) {
    const cert = o["tls-cert-file"], key = o["tls-private-key-file"];
    return [
      ...portInRange("secure-port", o["secure-port"], 1),
      ...notNegative(o, ["http2-max-streams-per-connection"]),
      ...o["tls-cipher-suites"].flatMap((name) => oneOf("tls-cipher-suites", name, CIPHER_SUITES)),
      ...validateMinVersion(o["tls-min-version"]),
      ...cert !== "" && key === "" ? [problem("tls-cert-file", cert, "--tls-private-key-file is missing")] : [],
      ...key !== "" && cert === "" ? [problem("tls-private-key-file", key, "--tls-cert-file is missing")] : [],
      ...cert !== "" && key !== ""
        ? validatePair({ cert, key, flags: ["tls-cert-file", "tls-private-key-file"] }, context)
        : [],
      ...o["tls-sni-cert-key"].flatMap(({ certFile, keyFile }) =>
        validatePair({ cert: certFile, key: keyFile, flags: ["tls-sni-cert-key", "tls-sni-cert-key"] }, context)
      ),
    ];
  },
  applyTo(o, config, { files }) {
    const read = (certFile: string, keyFile: string): CertificateFiles => ({
      certFile,
      keyFile,
      cert: files.read(certFile),
      key: files.read(keyFile),
    });
    const { serving } = { serving: config.generic.secureServing };
    config.generic.secureServing = {
      ...serving,
      bindAddress: o["bind-address"] === "" ? "0.0.0.0" : o["bind-address"],
      port: o["secure-port"],
      certificate: read(...servingCertificateFiles(o)),
      sniCertificates: o["tls-sni-cert-key"].map((entry) => ({
        ...read(entry.certFile, entry.keyFile),
        names: entry.names,
      })),
      minVersion: TLS_VERSIONS[o["tls-min-version"] as keyof typeof TLS_VERSIONS],
      cipherSuites: o["tls-cipher-suites"],
      http2: !o["disable-http2-serving"],
      maxConcurrentStreams: o["http2-max-streams-per-connection"] || DEFAULT_MAX_STREAMS,
    };
  },
});

/** Where the serving certificate and its key are, or are to be made. */
export function servingCertificateFiles(o: SecureServingOptions): [certFile: string, keyFile: string] {
  if (o["tls-cert-file"] !== "") return [o["tls-cert-file"], o["tls-private-key-file"]];
  return [join(o["cert-dir"], "apiserver.crt"), join(o["cert-dir"], "apiserver.key")];
}

function validateMinVersion(version: string): string[] {
  if (Object.hasOwn(TLS_VERSIONS, version)) return [];
  const old = version === "VersionTLS10" || version === "VersionTLS11";
  return [
    problem(
      "tls-min-version",
      version,
      old ? "TLS below 1.2 is not served" : `unknown tls version ${JSON.stringify(version)}`,
    ),
  ];
}
