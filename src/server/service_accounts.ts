// Tokens of service accounts: what verifies, issues and publishes them, put together from the configuration.
import type { ServedDocument } from "../endpoints/routes/documents.ts";
import { issuerDocuments } from "../authentication/service_accounts/discovery.ts";
import type { ObjectGetter, TokenAuthenticator } from "../authentication/interface.ts";
import { tokenIssuer } from "../authentication/service_accounts/issuer.ts";
import { VerificationKeys } from "../authentication/service_accounts/keys.ts";
import type { TokenUse } from "../authentication/service_accounts/interface.ts";
import { serviceAccountAuthenticators } from "../authentication/service_accounts/mod.ts";
import { signingKeyOf } from "../authentication/service_accounts/pem.ts";
import { logError, logWarning } from "../logging/mod.ts";
import type { BuiltinOptions } from "../registry/builtin.ts";
import { tokenStorage } from "../registry/serviceaccounts/token.ts";
import type { GenericConfig, ServerConfig, ServiceAccountIssuerConfig } from "./config.ts";
import type { LoopbackClient } from "./loopback_client.ts";

export interface ServiceAccountParts {
  authenticators: TokenAuthenticator[];
  /** The token subresource, where tokens are issued. */
  subresources: NonNullable<BuiltinOptions["subresources"]>;
  /** For relying parties. */
  documents: ServedDocument[];
}

export interface ServiceAccountDependencies {
  getter: ObjectGetter;
  client: LoopbackClient;
  /** Called for each use of a token that somebody should replace. */
  count(use: TokenUse): void;
}

export function serviceAccountParts(
  { generic, extra }: ServerConfig,
  { getter, client, count }: ServiceAccountDependencies,
): ServiceAccountParts {
  const { audiences, serviceAccounts: { issuers, keyFiles, lookup } } = generic.authentication;
  if (issuers.length === 0 || keyFiles.length === 0) return { authenticators: [], subresources: {}, documents: [] };
  const keys = new VerificationKeys(keyFiles);
  const label = async (secret: { metadata: { namespace?: string; name?: string; uid?: string } }, labels: object) => {
    const { namespace, name, uid } = secret.metadata;
    try {
      await client.mergePatch(`/api/v1/namespaces/${namespace}/secrets/${name}`, { metadata: { uid, labels } });
    } catch (e) {
      logError("Unable to note the use of a legacy service account token", e, { secret: `${namespace}/${name}` });
    }
  };
  return {
    authenticators: serviceAccountAuthenticators({ issuers, keys, audiences, lookup, getter, label, count }),
    subresources: extra.serviceAccountIssuer === undefined ? {} : issuing(extra.serviceAccountIssuer, audiences),
    documents: documentsOf(generic, keys),
  };
}

function issuing(
  { issuer, signingKey, maxTokenExpiration, extendTokenExpiration }: ServiceAccountIssuerConfig,
  audiences: readonly string[],
): ServiceAccountParts["subresources"] {
  return {
    "serviceaccounts/token": (accounts, resources) =>
      tokenStorage(accounts, resources, {
        issue: tokenIssuer({ issuer, signingKey: signingKeyOf(signingKey.pem) }),
        audiences,
        maxExpiration: maxTokenExpiration / 1000,
        extendExpiration: extendTokenExpiration,
      }),
  };
}

/** None, and a word in the log, when the issuer is no URL. */
function documentsOf({ authentication, externalAddress }: GenericConfig, keys: VerificationKeys): ServedDocument[] {
  const { issuers: [issuer], jwksUri } = authentication.serviceAccounts;
  try {
    return issuerDocuments({ issuer, jwksUri, externalAddress, keys: () => keys.all });
  } catch (e) {
    logWarning("Not publishing how to verify service account tokens", { issuer, why: (e as Error).message });
    return [];
  }
}
