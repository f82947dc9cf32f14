// Builds the authenticator out of the configuration: kube-apiserver's, in its order.
import { clientCertificate } from "./client_certificate.ts";
import {
  ALL_AUTHENTICATED,
  ALL_UNAUTHENTICATED,
  ANONYMOUS,
  type AuthenticationResponse,
  type Authenticator,
  SYSTEM_MASTERS,
  type TokenAuthenticator,
  type UserInfo,
} from "./interface.ts";
import { bearerToken, tokenTable } from "./tokens.ts";

export interface AuthenticatorOptions {
  /** PEM of --client-ca-file. */
  clientCA?: string;
  /** Rows of --token-auth-file. */
  tokens: readonly { token: string; user: string; uid: string; groups: readonly string[] }[];
  anonymous: boolean;
  /** By which the server's own client is known. */
  loopbackToken: string;
  /** Token authenticators beyond the file: service accounts, bootstrap tokens, OIDC, webhooks. */
  tokenAuthenticators?: readonly TokenAuthenticator[];
}

export const APISERVER_USER: UserInfo = {
  name: "system:apiserver",
  uid: crypto.randomUUID(),
  groups: [SYSTEM_MASTERS, ALL_AUTHENTICATED],
  extra: {},
};

export function buildAuthenticator(options: AuthenticatorOptions): Authenticator {
  const users = new Map<string, UserInfo>([[options.loopbackToken, APISERVER_USER]]);
  for (const { token, user, uid, groups } of options.tokens) {
    users.set(token, { name: user, uid, groups, extra: {} });
  }
  const authenticators: Authenticator[] = [];
  if (options.clientCA !== undefined) authenticators.push(clientCertificate(options.clientCA));
  authenticators.push(bearerToken([tokenTable(users), ...options.tokenAuthenticators ?? []]));
  return requestUnion(authenticators.map(authenticated), options.anonymous);
}

/** The first that knows somebody. An error of one is told only when no other does; nobody at all is anonymous. */
function requestUnion(authenticators: readonly Authenticator[], anonymous: boolean): Authenticator {
  return {
    authenticateRequest(request) {
      let failure: unknown;
      return next(0);
      function next(i: number): ReturnType<Authenticator["authenticateRequest"]> {
        for (; i < authenticators.length; i++) {
          try {
            const found = authenticators[i].authenticateRequest(request);
            if (found instanceof Promise) {
              return found.then((f) => f ?? next(i + 1), (e) => {
                failure ??= e;
                return next(i + 1);
              });
            }
            if (found !== undefined) return found;
          } catch (e) {
            failure ??= e;
          }
        }
        if (failure !== undefined) throw failure;
        return anonymous ? NOBODY : undefined;
      }
    },
  };
}

const NOBODY: AuthenticationResponse = {
  user: { name: ANONYMOUS, uid: "", groups: [ALL_UNAUTHENTICATED], extra: {} },
};

/** Whoever is known is one of `system:authenticated`. */
function authenticated(authenticator: Authenticator): Authenticator {
  return {
    authenticateRequest(request) {
      const found = authenticator.authenticateRequest(request);
      return found instanceof Promise ? found.then(withGroup) : withGroup(found);
    },
  };
}

const grouped = new WeakMap<UserInfo, AuthenticationResponse>();

function withGroup(found: AuthenticationResponse | undefined): AuthenticationResponse | undefined {
  if (found === undefined) return undefined;
  const { user } = found;
  if (user.groups.includes(ALL_AUTHENTICATED) || user.groups.includes(ALL_UNAUTHENTICATED)) return found;
  let known = grouped.get(user);
  if (known === undefined) {
    known = { ...found, user: { ...user, groups: [...user.groups, ALL_AUTHENTICATED] } };
    grouped.set(user, known);
  }
  return known;
}
