// Where a webhook is: at a URL, or behind a service.
import type { ResolveService } from "../../registry/services/resolve.ts";

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

/** The text of the URL, which is known before the service has been looked up. */
export function urlOf({ url, service }: WebhookClientConfig): URL {
  if (url !== undefined) return new URL(url);
  const { namespace, name, path = "", port = 443 } = service!;
  return new URL(`https://${name}.${namespace}.svc:${port}${path.startsWith("/") ? "" : "/"}${path}`);
}

/** Throws an Error about a service that does not lead anywhere. */
export async function endpointOf(config: WebhookClientConfig, resolve: ResolveService): Promise<WebhookEndpoint> {
  const url = urlOf(config), { service } = config;
  const own = { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || 443) };
  const at = service === undefined ? own : await resolve({ ...service, port: own.port });
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
