// A kubeconfig that says how to reach a webhook: where it is, whom to trust, who we are.
import { dirname, resolve } from "node:path";
import { parseYaml } from "../machinery/yaml/mod.ts";

/** Where a server is and how to speak to it. Certificates and keys are PEM. */
export interface ClientConfig {
  url: URL;
  /** The URL as errors have it, where that is another text. */
  shownUrl?: string;
  /** Authorities to trust instead of the system's. */
  ca?: string;
  /** Trust whoever answers. */
  insecure: boolean;
  /** The name that the server's certificate has to be for. */
  serverName?: string;
  /** Where to connect when that is not what the URL says: a service's address. Throws an Error with what is wrong. */
  address?: () => Promise<{ host: string; port: number }>;
  certificate?: { cert: string; key: string };
  /** The Authorization header. */
  authorization?: string;
}

/** Reads a file's text; throws an Error that says what is wrong with it. */
export type ReadFile = (file: string) => string;

type Named<K extends string> = Partial<Record<K, Record<string, unknown>>> & { name?: string };

interface KubeConfig {
  "current-context"?: string;
  clusters?: Named<"cluster">[];
  users?: Named<"user">[];
  contexts?: Named<"context">[];
}

/** Files in it are meant from its own folder. Throws an Error with what is wrong. */
export async function readKubeconfig(file: string, read: ReadFile): Promise<ClientConfig> {
  const config = await parseKubeconfig(read(file));
  const fromHere = (path: string) => read(resolve(dirname(file), path));
  const { cluster, user } = currentOf(config);
  return clientConfigOf(cluster, user, fromHere);
}

/** Who the server is: what it shows of itself. */
export type Credentials = Pick<ClientConfig, "certificate" | "authorization">;

/** Every user of a kubeconfig by name, and the name of the one that its current context has. */
export async function readKubeconfigUsers(
  file: string,
  read: ReadFile,
): Promise<{ users: ReadonlyMap<string, Credentials>; current: string | undefined }> {
  const { users = [], contexts = [], "current-context": current } = await parseKubeconfig(read(file));
  const fromHere = (path: string) => read(resolve(dirname(file), path));
  return {
    users: new Map(users.map(({ name = "", user = {} }) => [name, credentialsOf(user, fromHere)])),
    current: contexts.find(({ name }) => name === current)?.context?.user as string | undefined,
  };
}

async function parseKubeconfig(text: string): Promise<KubeConfig> {
  const config = (await parseYaml(text)).value as KubeConfig | null;
  if (typeof config !== "object" || config === null) throw new Error("is no kubeconfig");
  return config;
}

/** The current context's; the only ones there are when none is current. */
function currentOf({ "current-context": current, contexts = [], clusters = [], users = [] }: KubeConfig) {
  const context = contexts.find(({ name }) => name === current)?.context;
  if (current && context === undefined) throw new Error(`context was not found for specified context: ${current}`);
  const clusterName = context?.cluster, userName = context?.user;
  const cluster = context === undefined && clusters.length === 1
    ? clusters[0].cluster
    : clusters.find(({ name }) => name === clusterName)?.cluster;
  if (cluster === undefined) throw new Error("no cluster in its current context");
  const user = context === undefined && users.length === 1
    ? users[0].user
    : users.find(({ name }) => name === userName)?.user;
  return { cluster, user: user ?? {} };
}

function text(of: Record<string, unknown>, name: string): string | undefined {
  const value = of[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** `name-data` (base64) wins over the file `name`. */
function contents(of: Record<string, unknown>, name: string, read: ReadFile): string | undefined {
  const data = text(of, `${name}-data`), file = text(of, name);
  if (data !== undefined) return atob(data.replace(/\s/g, ""));
  return file === undefined ? undefined : read(file);
}

function clientConfigOf(
  cluster: Record<string, unknown>,
  user: Record<string, unknown>,
  read: ReadFile,
): ClientConfig {
  const server = text(cluster, "server") ?? "";
  if (!URL.canParse(server)) throw new Error(`cluster.server is no URL: ${JSON.stringify(server)}`);
  return {
    url: new URL(server),
    ca: contents(cluster, "certificate-authority", read),
    insecure: cluster["insecure-skip-tls-verify"] === true,
    serverName: text(cluster, "tls-server-name"),
    ...credentialsOf(user, read),
  };
}

function credentialsOf(user: Record<string, unknown>, read: ReadFile): Credentials {
  for (const name of ["exec", "auth-provider"]) {
    if (user[name] !== undefined) throw new Error(`user.${name} is not supported here`);
  }
  const cert = contents(user, "client-certificate", read), key = contents(user, "client-key", read);
  if ((cert === undefined) !== (key === undefined)) throw new Error("client certificate and key go together");
  return {
    certificate: cert === undefined ? undefined : { cert, key: key! },
    authorization: authorizationOf(user, read),
  };
}

function authorizationOf(user: Record<string, unknown>, read: ReadFile): string | undefined {
  const file = text(user, "tokenFile");
  const token = text(user, "token") ?? (file === undefined ? undefined : read(file).trim());
  if (token !== undefined) return `Bearer ${token}`;
  const name = text(user, "username");
  return name === undefined ? undefined : `Basic ${btoa(`${name}:${text(user, "password") ?? ""}`)}`;
}
