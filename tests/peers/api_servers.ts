// Kubelith and kube-apiserver started in the same way: the same flags, one CA, one administrator.
import { Buffer } from "node:buffer";
import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { startMember } from "../../src/storage/etcd3/testing.ts";
import { issueCertificate } from "../../src/server/serving/issue.ts";
import { freePort } from "../support/server.ts";
import { Peer } from "./client.ts";
import { findProgram, type Running, startProgram } from "./programs.ts";

export type ServerName = "kubelith" | "kube-apiserver";

/** Files that servers and controllers of one cluster share. */
export interface ClusterFiles {
  dir: string;
  caCert: string;
  caKey: string;
  serviceAccountKey: string;
  servingCert: string;
  servingKey: string;
  tokens: string;
}

export interface ApiServer {
  name: ServerName;
  url: string;
  process: Running;
  /** An administrator's. */
  kubeconfig: string;
  /** Who signed its certificate, in PEM. */
  ca: string;
  peer: Peer;
  stop(): Promise<void>;
}

const TOKEN = "administrator";
const LIFETIME = 24 * 3_600_000;
const READY_MS = 60_000;
const main = join(import.meta.dirname!, "..", "..", "main.ts");

/** Makes the keys and certificates of a cluster in an empty folder. */
export async function makeClusterFiles(dir: string): Promise<ClusterFiles> {
  const file = (name: string) => join(dir, name);
  const files: ClusterFiles = {
    dir,
    caCert: file("ca.crt"),
    caKey: file("ca.key"),
    serviceAccountKey: file("sa.key"),
    servingCert: file("serving.crt"),
    servingKey: file("serving.key"),
    tokens: file("tokens.csv"),
  };
  const ca = issueCertificate({ commonName: "cluster-ca", usage: "ca", lifetime: LIFETIME });
  const names = ["127.0.0.1", "localhost", "kubernetes.default.svc"];
  const serving = issueCertificate({ commonName: "server", names, usage: "server", lifetime: LIFETIME }, ca);
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const contents: [string, string][] = [
    [files.caCert, ca.cert],
    [files.caKey, ca.key],
    [files.servingCert, serving.cert + ca.cert],
    [files.servingKey, serving.key],
    [files.serviceAccountKey, privateKey.export({ type: "pkcs1", format: "pem" }) as string],
    [files.tokens, `${TOKEN},admin,admin,"system:masters"\n`],
  ];
  for (const [path, text] of contents) await Deno.writeTextFile(path, text, { mode: 0o600 });
  return files;
}

export interface ApiServerOptions {
  /** Where the objects are; an etcd of its own (kube-apiserver) or SQLite (Kubelith) unless given. */
  etcd?: string;
  flags?: string[];
}

/** Starts a server and waits until it is ready; what it keeps and logs is in the folder of the files. */
export async function startApiServer(
  name: ServerName,
  files: ClusterFiles,
  options: ApiServerOptions = {},
): Promise<ApiServer> {
  const port = await freePort(), url = `https://127.0.0.1:${port}`;
  const flags = [
    ...["--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", `--secure-port=${port}`],
    ...[`--tls-cert-file=${files.servingCert}`, `--tls-private-key-file=${files.servingKey}`],
    ...[`--client-ca-file=${files.caCert}`, `--token-auth-file=${files.tokens}`, "--authorization-mode=Node,RBAC"],
    ...["--service-account-issuer=https://kubernetes.default.svc", "--service-cluster-ip-range=10.0.0.0/24"],
    `--service-account-key-file=${files.serviceAccountKey}`,
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    ...["--allow-privileged=true", ...options.flags ?? []],
  ];
  const etcd = name === "kube-apiserver" && options.etcd === undefined ? await ownEtcd(files.dir) : undefined;
  const servers = etcd?.url ?? options.etcd;
  flags.push(servers === undefined ? `--sqlite-path=${join(files.dir, "state.db")}` : `--etcd-servers=${servers}`);
  const [program, args] = name === "kubelith"
    ? [Deno.execPath(), ["run", "-A", main, ...flags]]
    : [findProgram(name)!, flags];
  const process = startProgram(program, args, join(files.dir, `${name}.log`));
  const stop = async () => {
    await process.stop();
    etcd?.process.kill("SIGKILL");
    await etcd?.process.status;
  };
  const ca = await Deno.readTextFile(files.caCert);
  const client = Deno.createHttpClient({ caCerts: [ca] });
  const peer = new Peer(url, TOKEN, client);
  try {
    await ready(peer, process);
  } catch (e) {
    await stop();
    throw e;
  }
  return { name, url, process, ca, peer, kubeconfig: await writeKubeconfig(name, url, files), stop };
}

function ownEtcd(dir: string): Promise<{ url: string; process: Deno.ChildProcess }> {
  return startMember({ program: findProgram("etcd")!, dir, fsync: true });
}

async function ready(peer: Peer, process: Running): Promise<void> {
  let ended = false;
  process.exited.then(() => ended = true);
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline && !ended;) {
    const answer = await peer.request("GET", "/readyz").catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the server does not get ready: ${(await Deno.readTextFile(process.logFile)).slice(-2000)}`);
}

async function writeKubeconfig(name: string, server: string, { dir, caCert }: ClusterFiles): Promise<string> {
  const path = join(dir, `${name}.kubeconfig`);
  const authority = Buffer.from(await Deno.readTextFile(caCert)).toString("base64");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server, "certificate-authority-data": authority } }],
    users: [{ name, user: { token: TOKEN } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  };
  await Deno.writeTextFile(path, JSON.stringify(config), { mode: 0o600 });
  return path;
}
