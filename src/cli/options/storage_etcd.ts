// The flags of etcd as the storage backend.
import type { EtcdConfig } from "../../server/config.ts";
import { flag } from "../flags/kinds.ts";
import type { OptionContext, OptionsOf } from "../flags/group.ts";
import { fileTrouble, notNegative, problem } from "./problems.ts";

export const ETCD_FLAGS = {
  "etcd-cafile": flag.string("CA certificates of the etcd servers, PEM."),
  "etcd-certfile": flag.string("Client certificate to show to etcd, PEM."),
  "etcd-healthcheck-timeout": flag.duration("How long etcd has to answer /healthz and /livez."),
  "etcd-keyfile": flag.string("Private key of --etcd-certfile, PEM."),
  "etcd-prefix": flag.string("What the keys in etcd begin with."),
  "etcd-readycheck-timeout": flag.duration("How long etcd has to answer /readyz."),
  "etcd-servers": flag.strings("URLs of the etcd servers to keep objects in, in place of SQLite."),
  "etcd-servers-overrides": flag.strings(
    "Other etcd servers for some resources: group/resource#url;url. May be repeated.",
  ),
  "lease-reuse-duration-seconds": flag.int("For how long keys that expire may share one etcd lease."),
};

type EtcdOptions = OptionsOf<typeof ETCD_FLAGS>;

/** What is wrong with the flags of a server on etcd. */
export function validateEtcd(o: EtcdOptions, { files }: OptionContext): string[] {
  const cert = o["etcd-certfile"], key = o["etcd-keyfile"];
  return [
    ...o["etcd-servers"].length === 0 ? ["--etcd-servers must be specified"] : [],
    ...o["etcd-servers"].flatMap((server) => serverProblems("etcd-servers", server)),
    ...o["etcd-servers-overrides"].flatMap(overrideProblems),
    ...notNegative(o, ["etcd-healthcheck-timeout", "etcd-readycheck-timeout", "lease-reuse-duration-seconds"]),
    ...cert !== "" && key === "" ? [problem("etcd-certfile", cert, "--etcd-keyfile is missing")] : [],
    ...key !== "" && cert === "" ? [problem("etcd-keyfile", key, "--etcd-certfile is missing")] : [],
    ...(["etcd-cafile", "etcd-certfile", "etcd-keyfile"] as const).flatMap((name) => {
      if (o[name] === "") return [];
      try {
        files.read(o[name]);
        return [];
      } catch (e) {
        return [fileTrouble(name, o[name], e)];
      }
    }),
  ];
}

/** Flags that were given although there is no etcd. */
export function etcdFlagsGiven({ given }: OptionContext): string[] {
  return Object.keys(ETCD_FLAGS).filter((name) => given.has(name)).map((name) =>
    `--${name} needs --storage-backend=etcd3`
  );
}

export function etcdConfig(o: EtcdOptions, { files }: OptionContext): EtcdConfig {
  const read = (file: string) => file === "" ? undefined : files.read(file);
  const url = (server: string) => withScheme(server, o["etcd-cafile"] !== "" || o["etcd-certfile"] !== "");
  return {
    servers: o["etcd-servers"].map(url),
    overrides: o["etcd-servers-overrides"].map((text) => {
      const { group, resource, servers } = parseOverride(text)!;
      return { group, resource, servers: servers.map(url) };
    }),
    ca: read(o["etcd-cafile"]),
    cert: read(o["etcd-certfile"]),
    key: read(o["etcd-keyfile"]),
    prefix: "/" + o["etcd-prefix"].split("/").filter((segment) => segment !== "").join("/"),
    healthcheckTimeout: o["etcd-healthcheck-timeout"],
    readycheckTimeout: o["etcd-readycheck-timeout"],
    leaseReuseSeconds: o["lease-reuse-duration-seconds"],
  };
}

function withScheme(server: string, secure: boolean): string {
  return server.includes("://") ? server : `${secure ? "https" : "http"}://${server}`;
}

function serverProblems(name: string, server: string): string[] {
  const url = URL.parse(withScheme(server, false));
  const good = url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "";
  return good ? [] : [problem(name, server, "must be a URL, http or https")];
}

function parseOverride(text: string): { group: string; resource: string; servers: string[] } | undefined {
  const match = /^([^/#]*)\/([^/#]+)#([^#]+)$/.exec(text);
  return match === null ? undefined : { group: match[1], resource: match[2], servers: match[3].split(";") };
}

function overrideProblems(text: string): string[] {
  const parsed = parseOverride(text);
  if (parsed !== undefined) return parsed.servers.flatMap((server) => serverProblems("etcd-servers-overrides", server));
  const format = "must be of format: group/resource#servers, where servers are URLs, semicolon separated";
  return [problem("etcd-servers-overrides", text, format)];
}
