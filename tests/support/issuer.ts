// An OpenID Connect issuer for tests, as small as can be: a discovery document, keys that change, and whatever else a
// test serves.
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer, type Server } from "node:https";
import { issueCertificate } from "../../src/server/serving/issue.ts";

export interface TestIssuer {
  url: string;
  /** PEM of who signed its certificate. */
  ca: string;
  /** Requests by path. */
  requests: Map<string, number>;
  /** What it answers at other paths. */
  pages: Map<string, (authorization: string | undefined) => string>;
  /** Signs with a new key from now on; the old one is no longer shown. */
  rotate(): void;
  token(claims: Record<string, unknown>): string;
  stop(): Promise<void>;
}

const HOUR = 3_600_000;

export async function startIssuer(): Promise<TestIssuer> {
  const ca = issueCertificate({ commonName: "issuer-ca", usage: "ca", lifetime: HOUR });
  const serving = issueCertificate({ commonName: "issuer", names: ["127.0.0.1"], usage: "server", lifetime: HOUR }, ca);
  let pair = newKey();
  const requests = new Map<string, number>(), pages: TestIssuer["pages"] = new Map();
  const server = createServer(serving, (request, response) => {
    const path = request.url ?? "";
    requests.set(path, (requests.get(path) ?? 0) + 1);
    const body = path === "/.well-known/openid-configuration"
      ? JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys` })
      : path === "/keys"
      ? JSON.stringify({ keys: [pair.jwk] })
      : pages.get(path)?.(request.headers.authorization);
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(body);
  });
  const issuer: TestIssuer = {
    url: await listen(server),
    ca: ca.cert,
    requests,
    pages,
    rotate: () => void (pair = newKey()),
    token: (claims) => tokenOf(pair, { iss: issuer.url, ...claims }),
    stop: () => close(server),
  };
  return issuer;
}

interface KeyPair {
  key: KeyObject;
  kid: string;
  jwk: Record<string, unknown>;
}

function newKey(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = publicKey.export({ format: "jwk" });
  const kid = createHash("sha256").update(JSON.stringify(jwk)).digest("hex").slice(0, 16);
  return { key: privateKey, kid, jwk: { ...jwk, kid, use: "sig", alg: "ES256" } };
}

function tokenOf({ key, kid }: KeyPair, claims: object): string {
  const encode = (value: unknown) =>
    new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: "base64url", omitPadding: true });
  const signed = `${encode({ alg: "ES256", kid })}.${encode(claims)}`;
  const signature = sign("sha256", new TextEncoder().encode(signed), { key, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

/** https://127.0.0.1:PORT */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `https://127.0.0.1:${(server.address() as { port: number }).port}`;
}

export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
