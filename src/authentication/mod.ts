// Builds the authenticator out of the configuration: kube-apiserver's, in its order.
import { anonymous } from "./anonymous.ts";
import { audienceAgnostic } from "./audiences.ts";
import { authenticatedGroup } from "./authenticated_group.ts";
import { bearerToken, webSocketToken } from "./bearer_token.ts";
import { clientCertificate } from "./client_certificate.ts";
import {
  ALL_AUTHENTICATED,
  type Authenticator,
  SYSTEM_MASTERS,
  type TokenAuthenticator,
  type UserInfo,
} from "./interface.ts";
import { requestHeader, type RequestHeaderOptions } from "./request_header.ts";
import { DEFAULT_TOKEN_CACHE, tokenCache, type TokenCacheObserver } from "./token_cache.ts";
import { tokenTable } from "./token_table.ts";
import { requestUnion, tokenUnion } from "./union.ts";
import { authorities, type CABundle } from "./x509/authorities.ts";

/** As the server's configuration has it. */
export interface AuthenticatorConfig {
  anonymous: boolean;
  /** Where anonymous requests are let in; everywhere unless given. */
  anonymousPaths?: readonly string[];
  /** --client-ca-file */
  clientCA?: CABundle;
  requestHeader?: Omit<RequestHeaderOptions, "authorities"> & { clientCA: CABundle };
  /** --token-auth-file */
  tokenFile?: { rows: readonly { token: string; user: string; uid: string; groups: readonly string[] }[] };
  /** --api-audiences */
  audiences: readonly string[];
}

/** What the rest of the process brings. */
export interface AuthenticatorDependencies {
  /** By which the server's own client is known. */
  loopbackToken: string;
  /** Token authenticators beyond the file: service accounts, bootstrap tokens, OIDC, webhooks. */
  tokenAuthenticators?: readonly TokenAuthenticator[];
  observe?: {
    tokenCache: TokenCacheObserver;
    /** A request came with a certificate that ends in so many seconds. */
    certificate(remaining: number): void;
  };
}

const APISERVER_USER: UserInfo = {
  name: "system:apiserver",
  uid: crypto.randomUUID(),
  groups: [ALL_AUTHENTICATED, SYSTEM_MASTERS],
  extra: {},
};

/** Throws an Error when a CA bundle is broken. */
export function buildAuthenticator(
  config: AuthenticatorConfig,
  dependencies: AuthenticatorDependencies,
): Authenticator {
  const { audiences, clientCA } = config, { observe } = dependencies;
  const authenticators: Authenticator[] = [];
  if (config.requestHeader !== undefined) {
    const { clientCA: proxyCA, ...options } = config.requestHeader;
    authenticators.push(requestHeader({ ...options, authorities: authorities(proxyCA) }));
  }
  if (clientCA !== undefined) authenticators.push(clientCertificate(authorities(clientCA), observe?.certificate));
  const tokens = tokenCache(tokenUnion(tokenAuthenticators(config, dependencies)), {
    ...DEFAULT_TOKEN_CACHE,
    observe: observe?.tokenCache,
  });
  authenticators.push(bearerToken(tokens, audiences), webSocketToken(tokens, audiences));
  const known = authenticatedGroup(requestUnion(authenticators));
  return config.anonymous ? orElse(known, anonymous(config.anonymousPaths)) : known;
}

function tokenAuthenticators(
  { audiences, tokenFile }: AuthenticatorConfig,
  { loopbackToken, tokenAuthenticators: others = [] }: AuthenticatorDependencies,
): TokenAuthenticator[] {
  const rows = (tokenFile?.rows ?? []).map(({ token, user, uid, groups }) => ({
    token,
    user: { name: user, uid, groups, extra: {} },
  }));
  const own = tokenTable([{ token: loopbackToken, user: APISERVER_USER }]);
  const file = rows.length === 0 ? [] : [audienceAgnostic(audiences, tokenTable(rows))];
  return [audienceAgnostic(audiences, own), ...file, ...others];
}

/** A credential that is wrong is an error; only who shows none is asked for by the second. */
function orElse(first: Authenticator, second: Authenticator): Authenticator {
  return {
    authenticateRequest(request) {
      const found = first.authenticateRequest(request);
      if (found instanceof Promise) return found.then((f) => f ?? second.authenticateRequest(request));
      return found ?? second.authenticateRequest(request);
    },
  };
}
