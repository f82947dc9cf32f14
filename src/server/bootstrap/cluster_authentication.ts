// Keeps up what extension servers read to trust the same clients as this server: the client CA, and who may be a front
// proxy. The config map belongs to all servers of a cluster: each adds its own to what the others say.
import { authorities } from "../../authentication/x509/authorities.ts";
import { type Certificate, parseBundle } from "../../authentication/x509/certificate.ts";
import type { ServerConfig } from "../config.ts";
import type { PostStartHook } from "../delegation.ts";
import type { LoopbackClient } from "../loopback_client.ts";
import { ensureNamespace, repeat } from "./hooks.ts";

type AuthenticationConfig = Pick<ServerConfig["generic"]["authentication"], "clientCA" | "requestHeader">;
type Data = Record<string, string>;

const NAMESPACE = "kube-system", NAME = "extension-apiserver-authentication";
const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
/** As in kube-apiserver. */
const EVERY_MS = 60_000;

export function clusterAuthenticationHook(client: LoopbackClient, config: AuthenticationConfig): PostStartHook {
  const wanted = authenticationData(config);
  return {
    name: "start-cluster-authentication-info-controller",
    async run(signal) {
      const reconcile = async () => {
        await ensureNamespace(client, NAMESPACE);
        const found = await client.get(`${CONFIG_MAPS}/${NAME}`);
        const data = combinedAuthenticationData(found?.data ?? {}, wanted());
        if (found === undefined) {
          const metadata = { name: NAME, namespace: NAMESPACE };
          await client.create(CONFIG_MAPS, { apiVersion: "v1", kind: "ConfigMap", metadata, data });
        } else if (Object.entries(data).some(([key, value]) => found.data?.[key] !== value)) {
          await client.update(`${CONFIG_MAPS}/${NAME}`, { ...found, data });
        }
      };
      await reconcile();
      repeat(reconcile, EVERY_MS, signal);
    },
  };
}

/** What this server would say alone; files are read again when they changed. */
function authenticationData({ clientCA, requestHeader }: AuthenticationConfig): () => Data {
  const clients = clientCA && authorities(clientCA), proxies = requestHeader && authorities(requestHeader.clientCA);
  return () => ({
    ...clients && { "client-ca-file": bundle(clients.current()) },
    ...requestHeader && proxies && {
      "requestheader-client-ca-file": bundle(proxies.current()),
      "requestheader-allowed-names": JSON.stringify(requestHeader.allowedNames),
      "requestheader-username-headers": JSON.stringify(requestHeader.usernameHeaders),
      "requestheader-uid-headers": JSON.stringify(requestHeader.uidHeaders),
      "requestheader-group-headers": JSON.stringify(requestHeader.groupHeaders),
      "requestheader-extra-headers-prefix": JSON.stringify(requestHeader.extraHeadersPrefix),
    },
  });
}

/** Authorities whose time is over go, what others have said stays. */
export function combinedAuthenticationData(existing: Data, wanted: Data): Data {
  const combined = { ...existing };
  for (const [key, value] of Object.entries(wanted)) {
    const before = existing[key] ?? "";
    combined[key] = key.endsWith("-ca-file") ? combinedBundles(before, value) : combinedLists(before, value);
  }
  return combined;
}

function combinedBundles(...bundles: string[]): string {
  const certificates = bundles.flatMap(parsedBundle).filter(({ notAfter }) => notAfter > Date.now());
  return bundle([...new Map(certificates.map((each) => [each.x509.fingerprint256, each])).values()]);
}

/** Nothing of one that somebody broke. */
function parsedBundle(pem: string): Certificate[] {
  try {
    return parseBundle(pem);
  } catch {
    return [];
  }
}

function combinedLists(...lists: string[]): string {
  return JSON.stringify([...new Set(lists.flatMap(parsedList))]);
}

function parsedList(json: string): unknown[] {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

function bundle(certificates: readonly Certificate[]): string {
  return certificates.map(({ x509 }) => x509.toString()).join("");
}
