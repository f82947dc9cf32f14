// Remembers for a short while whose a token is, so that the one that is used all the time is verified now and then only.
import { keyedDigest } from "./digest.ts";
import type { AuthenticationResponse, TokenAuthenticator } from "./interface.ts";

export interface TokenCacheOptions {
  /** Milliseconds; 0: not remembered. */
  successTtl: number;
  failureTtl: number;
  /** Remember refusals that are errors too. True unless set. */
  errors?: boolean;
  /** Most entries kept. */
  size?: number;
  now?: () => number;
}

interface Entry {
  expires: number;
  response?: AuthenticationResponse;
  error?: unknown;
}

const SIZE = 32 * 1024;

/** What kube-apiserver is set to: a token that was taken back is good for this long at most. */
export const DEFAULT_TOKEN_CACHE: TokenCacheOptions = { successTtl: 10_000, failureTtl: 0 };

export function tokenCache(inner: TokenAuthenticator, options: TokenCacheOptions): TokenAuthenticator {
  const { successTtl, failureTtl, errors = true, size = SIZE, now = Date.now } = options;
  const digest = keyedDigest();
  const entries = new Map<string, Entry>();
  /** Look-ups under way, which everybody with the same token waits for. */
  const pending = new Map<string, Promise<AuthenticationResponse | undefined>>();

  function remember(key: string, entry: Omit<Entry, "expires">): void {
    const ttl = entry.response === undefined ? failureTtl : successTtl;
    if (ttl <= 0 || (entry.error !== undefined && !errors)) return;
    if (entries.size >= size) evict(entries, now());
    entries.set(key, { ...entry, expires: now() + ttl });
  }

  return {
    authenticateToken(token, audiences) {
      const key = digest(token + suffixOf(audiences));
      const known = entries.get(key);
      if (known !== undefined && known.expires > now()) {
        if (known.error !== undefined) throw known.error;
        return known.response;
      }
      const underway = pending.get(key);
      if (underway !== undefined) return underway;
      let found;
      try {
        found = inner.authenticateToken(token, audiences);
      } catch (error) {
        remember(key, { error });
        throw error;
      }
      if (!(found instanceof Promise)) {
        remember(key, { response: found });
        return found;
      }
      const settled = found.then((response) => {
        remember(key, { response });
        return response;
      }, (error) => {
        remember(key, { error });
        throw error;
      }).finally(() => pending.delete(key));
      pending.set(key, settled);
      return settled;
    },
  };
}

/** Lists by what they add to a key: requests bring the server's own list again and again. */
const suffixes = new WeakMap<readonly string[], string>();

/** Different for different audiences, whatever is in their names. */
function suffixOf(audiences: readonly string[]): string {
  let suffix = suffixes.get(audiences);
  if (suffix === undefined) suffixes.set(audiences, suffix = `\n${JSON.stringify(audiences)}`);
  return suffix;
}

/** What is over first; the oldest when that is not enough. */
function evict(entries: Map<string, Entry>, time: number): void {
  const before = entries.size;
  for (const [key, entry] of entries) if (entry.expires <= time) entries.delete(key);
  if (entries.size < before) return;
  for (const key of entries.keys()) {
    entries.delete(key);
    return;
  }
}
