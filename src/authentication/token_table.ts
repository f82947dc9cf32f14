// Tokens that are known from the start: those of --token-auth-file, and the one by which the server knows itself.
import { keyedDigest } from "./digest.ts";
import type { TokenAuthenticator, UserInfo } from "./interface.ts";

export interface KnownToken {
  token: string;
  user: UserInfo;
}

/** The first of equal tokens counts. */
export function tokenTable(tokens: readonly KnownToken[]): TokenAuthenticator {
  const digest = keyedDigest();
  const users = new Map<string, UserInfo>();
  for (const { token, user } of tokens) {
    const key = digest(token);
    if (!users.has(key)) users.set(key, user);
  }
  return {
    authenticateToken(token) {
      const user = users.get(digest(token));
      return user && { user };
    },
  };
}
