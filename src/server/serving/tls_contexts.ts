// The certificates that the secure port shows: one for everybody, and others by server name.
import { createSecureContext, type SecureContext } from "node:tls";
import type { SecureServingConfig } from "../config.ts";
import { opensslCiphers } from "./cipher_suites.ts";
import { certificateNames, matchServerName } from "./x509.ts";

export type Certificates = Pick<SecureServingConfig, "certificate" | "sniCertificates">;

interface SniContext {
  names: readonly string[];
  context: SecureContext;
}

export class TlsContexts {
  readonly #ciphers: string;
  readonly #minVersion: SecureServingConfig["minVersion"];
  readonly #clientCAs: readonly string[];
  #sni: SniContext[];

  /** @param clientCAs PEM bundles whose subjects clients are shown as acceptable */
  constructor(config: SecureServingConfig, clientCAs: readonly string[]) {
    this.#ciphers = opensslCiphers(config.cipherSuites);
    this.#minVersion = config.minVersion;
    this.#clientCAs = clientCAs;
    this.#sni = this.#sniContexts(config.sniCertificates);
  }

  /** Options of a context that shows this certificate. */
  options({ cert, key }: SecureServingConfig["certificate"]) {
    return {
      cert,
      key,
      ca: this.#clientCAs.length > 0 ? [...this.#clientCAs] : undefined,
      minVersion: this.#minVersion,
      ...(this.#ciphers === "" ? {} : { ciphers: this.#ciphers }),
    };
  }

  get hasNames(): boolean {
    return this.#sni.length > 0;
  }

  /** Undefined: the one for everybody. */
  contextFor(name: string): SecureContext | undefined {
    const index = matchServerName(name, this.#sni.map((entry) => entry.names));
    return index === undefined ? undefined : this.#sni[index].context;
  }

  /** Other certificates by name from now on. Throws when one of them is none; then those from before stay. */
  setNamed(certificates: SecureServingConfig["sniCertificates"]): void {
    this.#sni = this.#sniContexts(certificates);
  }

  #sniContexts(certificates: SecureServingConfig["sniCertificates"]): SniContext[] {
    return certificates.map((entry) => ({
      names: entry.names.length > 0 ? entry.names : certificateNames(entry.cert),
      context: createSecureContext(this.options(entry)),
    }));
  }
}
