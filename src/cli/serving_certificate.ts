// The certificate of --cert-dir: made when there is none, as kube-apiserver does.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { logInfo } from "../logging/mod.ts";
import { issueCertificate } from "../server/serving/issue.ts";
import { fileProblem } from "./flags/files.ts";
import { UsageError } from "./flags/parse.ts";
import type { CompletedOptions } from "./options/complete.ts";
import { servingCertificateFiles } from "./options/secure_serving.ts";
import { firstServiceAddress } from "./options/service_ranges.ts";

const YEAR = 365 * 24 * 3_600_000;

/** Makes the serving certificate unless there is one. Throws a UsageError when it cannot be written. */
export function ensureServingCertificate(options: CompletedOptions): void {
  const { secureServing } = options;
  if (secureServing["tls-cert-file"] !== "") return;
  const [certFile, keyFile] = servingCertificateFiles(secureServing);
  const haveCert = exists(certFile), haveKey = exists(keyFile);
  if (haveCert && haveKey) return;
  if (haveCert !== haveKey) {
    const missing = haveCert ? keyFile : certFile;
    throw new UsageError(`--cert-dir=${secureServing["cert-dir"]}: ${missing} is missing beside its other half`);
  }
  const host = options.generic["advertise-address"];
  const stamp = Math.trunc(Date.now() / 1000);
  const ca = issueCertificate({ commonName: `${host}-ca@${stamp}`, usage: "ca", lifetime: YEAR });
  const pair = issueCertificate({
    commonName: `${host}@${stamp}`,
    names: servingNames(options),
    usage: "server",
    lifetime: YEAR,
  }, ca);
  try {
    writeNew(certFile, pair.cert + ca.cert, 0o644);
    writeNew(keyFile, pair.key, 0o600);
  } catch (e) {
    throw new UsageError(`--cert-dir=${secureServing["cert-dir"]}: cannot write the certificate: ${fileProblem(e)}`);
  }
  logInfo("Generated self-signed cert", { certFile, keyFile });
}

/** Names and addresses under which clients reach the server. */
export function servingNames({ generic, secureServing, misc }: CompletedOptions): string[] {
  const bind = secureServing["bind-address"];
  const unspecified = bind === "" || bind === "0.0.0.0" || bind === "::";
  const range = misc["service-cluster-ip-range"].split(",")[0].trim();
  return [
    ...new Set([
      generic["advertise-address"],
      "kubernetes.default.svc",
      "kubernetes.default",
      "kubernetes",
      firstServiceAddress(range),
      unspecified ? "localhost" : bind,
    ]),
  ];
}

function exists(file: string): boolean {
  try {
    Deno.statSync(file);
    return true;
  } catch (e) {
    if (e instanceof Deno.errors.NotFound) return false;
    throw new UsageError(`--cert-dir: cannot look at ${file}: ${fileProblem(e)}`);
  }
}

/** Writes a file with its folder, readable by whom the mode says from the start. */
export function writeNew(file: string, text: string, mode: number): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}
