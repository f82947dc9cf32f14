// Where a webhook is: at a URL, or behind a service.
import { goQuote } from "../../machinery/go_text.ts";
import type { ServicePort } from "../../apis/generated/types.ts";
import type { ObjectLookup } from "../plugins/lookup.ts";

/** admissionregistration.k8s.io/v1 WebhookClientConfig. */
export interface WebhookClientConfig {
  url?: string;
  service?: { namespace: string; name: string; path?: string; port?: number };
  /** PEM in base64; empty: the system's authorities are trusted. */
  caBundle?: string;
}

export interface WebhookEndpoint {
  /** As messages name it, without the query. */
  url: string;
  /** Where the connection goes to. */
  host: string;
  port: number;
  path: string;
  /** The name that the certificate has to be for, and that is asked for. */
  serverName: string;
  /** The port that the configuration names. */
  targetPort: number;
  ca: string | undefined;
}

/** The address of a service's port as the server reaches it. Throws an Error. */
async function resolveService(lookup: ObjectLookup, namespace: string, name: string, port: number) {
  const service = await lookup.get("", "services", name, namespace);
  if (service === undefined) throw new Error(`service ${goQuote(name)} not found`);
  const { type = "ClusterIP", clusterIP, externalName = "", ports = [] } = service.spec ?? {};
  if (type === "ExternalName") return { host: externalName, port };
  if (clusterIP === "None") throw new Error('cannot route to service with ClusterIP "None"');
  if (!(ports as ServicePort[]).some((known) => known.port === port)) {
    throw new Error(`no service port ${port} found for service ${goQuote(name)}`);
  }
  return { host: clusterIP as string, port };
}

/** The text of the URL, which is known before the service has been looked up. */
export function urlOf({ url, service }: WebhookClientConfig): URL {
  if (url !== undefined) return new URL(url);
  const { namespace, name, path = "", port = 443 } = service!;
  return new URL(`https://${name}.${namespace}.svc:${port}${path.startsWith("/") ? "" : "/"}${path}`);
}

/** Throws an Error about a service that does not lead anywhere. */
export async function endpointOf(config: WebhookClientConfig, lookup: ObjectLookup): Promise<WebhookEndpoint> {
  const url = urlOf(config), { service } = config;
  const own = { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || 443) };
  const at = service === undefined ? own : await resolveService(lookup, service.namespace, service.name, own.port);
  return {
    url: displayed(config, url),
    ...at,
    path: url.pathname,
    serverName: own.host,
    targetPort: own.port,
    ca: config.caBundle ? atob(config.caBundle) : undefined,
  };
}

/** A service's port is shown although it is the usual one. */
export function displayed({ service }: WebhookClientConfig, url: URL): string {
  const host = service === undefined ? url.host : `${url.hostname}:${url.port || 443}`;
  return `${url.protocol}//${host}${url.pathname}`;
}
