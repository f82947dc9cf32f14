// `up`: a local cluster's API server. What was not passed is made once and kept in the data folder.
import { generateKeyPairSync, randomBytes, X509Certificate } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { issueCertificate, type IssuedCertificate } from "../server/serving/issue.ts";
import { fileProblem } from "./flags/files.ts";
import { type FlagSet, setFlag, UsageError } from "./flags/parse.ts";
import { type CompletedOptions, defaultDataDir } from "./options/complete.ts";
import { servingCertificateFiles } from "./options/secure_serving.ts";
import { servingNames, writeNew } from "./serving_certificate.ts";

const DAY = 24 * 3_600_000;
const CA_LIFETIME = 3650 * DAY;
const LIFETIME = 365 * DAY;
/** Certificates with less left than this are made anew. */
const RENEW_BEFORE = 30 * DAY;

/** Where `up` keeps things. */
interface LocalFiles {
  dir: string;
  caCert: string;
  caKey: string;
  serviceAccountKey: string;
  tokens: string;
  kubeconfig: string;
}

function localFiles(dir: string): LocalFiles {
  return {
    dir,
    caCert: join(dir, "pki", "ca.crt"),
    caKey: join(dir, "pki", "ca.key"),
    serviceAccountKey: join(dir, "pki", "sa.key"),
    tokens: join(dir, "tokens.csv"),
    kubeconfig: join(dir, "kubeconfig"),
  };
}

/** Gives flags that were not given the values of a local cluster. Throws a UsageError when files cannot be made. */
export function applyUpDefaults(flags: FlagSet, values: Map<string, unknown>): void {
  const given = (name: string) => values.has(name);
  const dir = resolve(values.get("data-dir") as string || defaultDataDir());
  const files = localFiles(dir);
  const signs = given("service-account-signing-key-file");
  const defaults: Record<string, string> = {
    "bind-address": "127.0.0.1",
    "advertise-address": "127.0.0.1",
    ...!given("authorization-config") && { "authorization-mode": "Node,RBAC" },
    "allow-privileged": "true",
    // Its finalizers are taken off by kube-controller-manager only.
    "disable-admission-plugins": "StorageObjectInUseProtection",
    "service-cluster-ip-range": "10.0.0.0/24",
    "service-account-issuer": "https://kubernetes.default.svc",
    "service-account-signing-key-file": files.serviceAccountKey,
    "service-account-key-file": signs
      ? values.get("service-account-signing-key-file") as string
      : files.serviceAccountKey,
    "token-auth-file": files.tokens,
    "client-ca-file": files.caCert,
    "cert-dir": join(dir, "pki"),
  };
  writing(dir, () => {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    if (!signs) keep(files.serviceAccountKey, 0o600, newSigningKey);
    if (!given("token-auth-file")) {
      keep(files.tokens, 0o600, () => `${randomBytes(32).toString("hex")},admin,admin,"system:masters"\n`);
    }
    ensureCA(files);
  });
  values.set("data-dir", dir);
  for (const [name, text] of Object.entries(defaults)) {
    if (!given(name)) setFlag(name, flags.lookup(name)!, { text, values });
  }
}

/** Makes or renews the serving certificate, unless one was passed. */
export function prepareUp(options: CompletedOptions): void {
  writing(options.kubelith["data-dir"], () => renewServingCertificate(options));
}

/**
 * Writes the kubeconfig and gives its path. Only who listens may: until then the one that is there may belong to a
 * server that runs.
 */
export function writeKubeconfig(options: CompletedOptions): string {
  const files = localFiles(options.kubelith["data-dir"]);
  writing(files.dir, () => {
    writeFileSync(files.kubeconfig, kubeconfigFor(options, files), { mode: 0o600 });
    chmodSync(files.kubeconfig, 0o600);
  });
  return files.kubeconfig;
}

/** Makes the serving certificate anew when it is about to expire or lacks a name. */
export function renewServingCertificate(options: CompletedOptions): void {
  if (options.secureServing["tls-cert-file"] !== "") return;
  const [certFile, keyFile] = servingCertificateFiles(options.secureServing);
  const names = ["localhost", "127.0.0.1", ...servingNames(options)];
  const ca = ensureCA(localFiles(options.kubelith["data-dir"]));
  if (isGood(certFile, names, ca) && readIfThere(keyFile) !== undefined) return;
  const pair = issueCertificate({
    commonName: "kubelith",
    names: [...new Set(names)],
    usage: "server",
    lifetime: LIFETIME,
  }, ca);
  writeNew(keyFile, pair.key, 0o600);
  writeNew(certFile, pair.cert + ca.cert, 0o644);
}

function writing(dir: string, write: () => void): void {
  try {
    write();
  } catch (e) {
    if (e instanceof UsageError) throw e;
    throw new UsageError(`--data-dir=${dir}: cannot keep files there: ${fileProblem(e)}`);
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (e) {
    if ((e as { code?: string }).code === "ENOENT") return undefined;
    throw e;
  }
}

/** The file's text, which is made when there is no such file. */
function keep(file: string, mode: number, make: () => string): string {
  const found = readIfThere(file);
  if (found !== undefined) return found;
  const made = make();
  writeNew(file, made, mode);
  return made;
}

/** The CA of serving and client certificates. */
function ensureCA({ caCert, caKey }: LocalFiles): IssuedCertificate {
  const cert = readIfThere(caCert), key = readIfThere(caKey);
  if (cert !== undefined && key !== undefined && isGood(caCert, [])) return { cert, key };
  const ca = issueCertificate({ commonName: "kubelith-ca", usage: "ca", lifetime: CA_LIFETIME });
  writeNew(caKey, ca.key, 0o600);
  writeNew(caCert, ca.cert, 0o644);
  return ca;
}

/** Whether a certificate is there, has a while to live, is for all the names and, when a CA is given, from it. */
function isGood(file: string, names: readonly string[], ca?: IssuedCertificate): boolean {
  const text = readIfThere(file);
  if (text === undefined) return false;
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(text);
  } catch (e) {
    throw new UsageError(`${file} is not a PEM certificate: ${(e as Error).message}`);
  }
  const left = Date.parse(certificate.validTo) - Date.now();
  if (left < RENEW_BEFORE || names.some((name) => !certificate.subjectAltName?.includes(name))) return false;
  return ca === undefined || certificate.verify(new X509Certificate(ca.cert).publicKey);
}

/** ECDSA: an RSA key takes a hundred times longer to find. */
function newSigningKey(): string {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    type: "sec1",
    format: "pem",
  }) as string;
}

/** A kubeconfig (JSON is YAML) with whatever credentials are at hand. */
function kubeconfigFor(options: CompletedOptions, files: LocalFiles): string {
  const { secureServing } = options;
  const bind = secureServing["bind-address"];
  const host = bind === "" || bind === "0.0.0.0" || bind === "::" ? "127.0.0.1" : bind;
  const authority = secureServing["tls-cert-file"] || files.caCert;
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{
      name: "kubelith",
      cluster: {
        server: `https://${host.includes(":") ? `[${host}]` : host}:${secureServing["secure-port"]}`,
        "certificate-authority-data": base64(readFileSync(authority, "utf8")),
      },
    }],
    users: [{ name: "admin", user: adminCredentials(options, files) }],
    contexts: [{ name: "kubelith", context: { cluster: "kubelith", user: "admin" } }],
    "current-context": "kubelith",
  };
  return JSON.stringify(config, null, 2) + "\n";
}

/** The token where it is ours, a client certificate where the CA is ours, and nothing otherwise. */
function adminCredentials({ authentication }: CompletedOptions, files: LocalFiles): Record<string, string> {
  if (authentication["token-auth-file"] === files.tokens) {
    return { token: readFileSync(files.tokens, "utf8").split(",")[0] };
  }
  if (authentication["client-ca-file"] !== files.caCert) return {};
  const request = {
    commonName: "admin",
    organizations: ["system:masters"],
    usage: "client",
    lifetime: LIFETIME,
  } as const;
  const { cert, key } = issueCertificate(request, ensureCA(files));
  return { "client-certificate-data": base64(cert), "client-key-data": base64(key) };
}

function base64(text: string): string {
  return btoa(text);
}
