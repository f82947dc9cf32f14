// What credentials are good for. Those that name no audience are good for the server's own, whatever was asked for.
import type { AuthenticationResponse, TokenAuthenticator } from "./interface.ts";

/** Those asked for that are granted, in the order in which they were asked for. */
export function intersect(granted: readonly string[], asked: readonly string[]): string[] {
  return asked.filter((audience) => granted.includes(audience));
}

/** @param own --api-audiences; empty: audiences are not looked at */
export function audienceAgnostic(own: readonly string[], inner: TokenAuthenticator): TokenAuthenticator {
  return {
    authenticateToken(token, asked) {
      if (asked.length === 0) return inner.authenticateToken(token, asked);
      const audiences = intersect(own, asked);
      if (audiences.length === 0) return undefined;
      const found = inner.authenticateToken(token, asked);
      const grant = (response: AuthenticationResponse | undefined) => response && { ...response, audiences };
      return found instanceof Promise ? found.then(grant) : grant(found);
    },
  };
}
