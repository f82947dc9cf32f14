// Whoever is known is one of `system:authenticated`.
import {
  ALL_AUTHENTICATED,
  ALL_UNAUTHENTICATED,
  ANONYMOUS,
  type AuthenticationResponse,
  type Authenticator,
} from "./interface.ts";

export function authenticatedGroup(inner: Authenticator): Authenticator {
  // Answers that are remembered by those inside get their group once.
  const grouped = new WeakMap<AuthenticationResponse, AuthenticationResponse>();

  function withGroup(found: AuthenticationResponse | undefined): AuthenticationResponse | undefined {
    if (found === undefined) return undefined;
    let known = grouped.get(found);
    if (known === undefined) grouped.set(found, known = addGroup(found));
    return known;
  }

  return {
    authenticateRequest(request) {
      const found = inner.authenticateRequest(request);
      return found instanceof Promise ? found.then(withGroup) : withGroup(found);
    },
  };
}

function addGroup(found: AuthenticationResponse): AuthenticationResponse {
  const { user } = found;
  if (user.name === ANONYMOUS) return found;
  if (user.groups.includes(ALL_AUTHENTICATED) || user.groups.includes(ALL_UNAUTHENTICATED)) return found;
  return { ...found, user: { ...user, groups: [...user.groups, ALL_AUTHENTICATED] } };
}
