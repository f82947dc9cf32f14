// Bearer tokens: read off the request, given to one authenticator after the other.
import type {
  AuthenticationRequest,
  AuthenticationResponse,
  Authenticator,
  TokenAuthenticator,
  UserInfo,
} from "./interface.ts";

/** `Authorization: Bearer …`. A token that nobody knows is an error. */
export function bearerToken(authenticators: readonly TokenAuthenticator[]): Authenticator {
  const token = tokenUnion(authenticators);
  return {
    authenticateRequest({ headers }: AuthenticationRequest) {
      const header = headers.get("authorization");
      if (header === null) return undefined;
      const [scheme, value = ""] = header.trim().split(" ", 2);
      if (scheme.toLowerCase() !== "bearer" || value === "") return undefined;
      const found = token.authenticateToken(value);
      return found instanceof Promise ? found.then(orInvalid) : orInvalid(found);
    },
  };
}

function orInvalid(found: AuthenticationResponse | undefined): AuthenticationResponse {
  if (found === undefined) throw new Error("invalid bearer token");
  return found;
}

/** The first that knows the token. */
export function tokenUnion(authenticators: readonly TokenAuthenticator[]): TokenAuthenticator {
  return {
    authenticateToken(token, audiences) {
      return next(0);
      function next(i: number): ReturnType<TokenAuthenticator["authenticateToken"]> {
        for (; i < authenticators.length; i++) {
          const found = authenticators[i].authenticateToken(token, audiences);
          if (found instanceof Promise) return found.then((f) => f ?? next(i + 1));
          if (found !== undefined) return found;
        }
        return undefined;
      }
    },
  };
}

/** Tokens of --token-auth-file, and the one by which the server knows itself. */
export function tokenTable(users: ReadonlyMap<string, UserInfo>): TokenAuthenticator {
  return {
    authenticateToken(token) {
      const user = users.get(token);
      return user && { user };
    },
  };
}
