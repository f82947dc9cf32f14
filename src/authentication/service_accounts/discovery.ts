// What others need to verify our tokens (OpenID Connect Discovery 1.0): who issues them, and the public keys.
import type { VerificationKey } from "./keys.ts";

const CONFIGURATION_PATH = "/.well-known/openid-configuration";
const KEYS_PATH = "/openid/v1/jwks";

export interface IssuerDiscoveryOptions {
  issuer: string;
  /** --service-account-jwks-uri; "" for the server's own address. */
  jwksUri: string;
  /** host:port */
  externalAddress: string;
  keys(): readonly VerificationKey[];
}

/** One document: where it is served, and its text. */
export interface IssuerDocument {
  path: string;
  contentType: string;
  body(): string;
}

/** Throws an Error when the issuer is no URL that clients could look it up at. */
export function issuerDocuments({ issuer, jwksUri, externalAddress, keys }: IssuerDiscoveryOptions): IssuerDocument[] {
  checkIssuer(issuer);
  const configuration = () =>
    JSON.stringify({
      issuer,
      jwks_uri: jwksUri || `https://${externalAddress}${KEYS_PATH}`,
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [...new Set(keys().map(({ algorithms: [alg] }) => alg))].sort(),
    });
  return [
    { path: CONFIGURATION_PATH, contentType: "application/json", body: configuration },
    {
      path: KEYS_PATH,
      contentType: "application/jwk-set+json",
      body: () => JSON.stringify({ keys: keys().map(publishedKey) }),
    },
  ];
}

function checkIssuer(issuer: string): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url?.protocol !== "https:") throw new Error(`issuer URL must use https scheme, got: ${issuer}`);
  if (url.search !== "") throw new Error(`issuer URL may not include a query, got: ${issuer}`);
  if (url.hash !== "") throw new Error(`issuer URL may not include a fragment, got: ${issuer}`);
}

function publishedKey({ id, jwk: { kty, crv, x, y, n, e }, algorithms: [alg] }: VerificationKey) {
  return { use: "sig", kty, kid: id, crv, alg, x, y, n, e };
}
