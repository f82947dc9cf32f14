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
  observe?: TokenCacheObserver;
}

/** Who counts what the cache is asked and asks. */
export interface TokenCacheObserver {
  /** A token was looked up. */
  request(hit: boolean, seconds: number): void;
  /** So many more (or fewer) wait for a token to be verified. */
  waiting(by: 1 | -1): void;
  fetching(): void;
  fetched(ok: boolean): void;
}

interface Entry {
  expires: number;
  response?: AuthenticationResponse;
  error?: unknown;
}

type Answer = AuthenticationResponse | undefined;

const SIZE = 32 * 1024;

/** What kube-apiserver is set to: a token that was taken back is good for this long at most. */
export const DEFAULT_TOKEN_CACHE: TokenCacheOptions = { successTtl: 10_000, failureTtl: 0 };

export function tokenCache(inner: TokenAuthenticator, options: TokenCacheOptions): TokenAuthenticator {
  return new TokenCache(inner, options);
}

class TokenCache implements TokenAuthenticator {
  readonly #inner: TokenAuthenticator;
  readonly #options: Required<TokenCacheOptions>;
  readonly #digest = keyedDigest();
  readonly #entries = new Map<string, Entry>();
  /** Look-ups under way, which everybody with the same token waits for. */
  readonly #pending = new Map<string, Promise<Answer>>();

  constructor(inner: TokenAuthenticator, options: TokenCacheOptions) {
    this.#inner = inner;
    const { successTtl, failureTtl, errors = true, size = SIZE, now = Date.now, observe = NOBODY } = options;
    this.#options = { successTtl, failureTtl, errors, size, now, observe };
  }

  authenticateToken(token: string, audiences: readonly string[]): Answer | Promise<Answer> {
    const { observe, now } = this.#options;
    const started = performance.now(), key = this.#digest(token + suffixOf(audiences));
    const known = this.#entries.get(key);
    if (known !== undefined && known.expires > now()) {
      observe.request(true, since(started));
      if (known.error !== undefined) throw known.error;
      return known.response;
    }
    let found;
    try {
      found = this.#pending.get(key) ?? this.#fetch(key, token, audiences);
    } finally {
      if (!(found instanceof Promise)) observe.request(false, since(started));
    }
    if (!(found instanceof Promise)) return found;
    observe.waiting(1);
    return found.finally(() => {
      observe.waiting(-1);
      observe.request(false, since(started));
    });
  }

  #fetch(key: string, token: string, audiences: readonly string[]): Answer | Promise<Answer> {
    this.#options.observe.fetching();
    let found;
    try {
      found = this.#inner.authenticateToken(token, audiences);
    } catch (error) {
      this.#remember(key, { error });
      throw error;
    }
    if (!(found instanceof Promise)) {
      this.#remember(key, { response: found });
      return found;
    }
    const settled = found.then((response) => {
      this.#remember(key, { response });
      return response;
    }, (error) => {
      this.#remember(key, { error });
      throw error;
    }).finally(() => this.#pending.delete(key));
    this.#pending.set(key, settled);
    return settled;
  }

  #remember(key: string, entry: Omit<Entry, "expires">): void {
    const { successTtl, failureTtl, errors, size, now, observe } = this.#options, entries = this.#entries;
    observe.fetched(entry.error === undefined);
    const ttl = entry.response === undefined ? failureTtl : successTtl;
    if (ttl <= 0 || (entry.error !== undefined && !errors)) return;
    entries.delete(key);
    if (entries.size >= size) evict(entries, now());
    entries.set(key, { ...entry, expires: now() + ttl });
  }
}

function since(started: number): number {
  return (performance.now() - started) / 1000;
}

const NOBODY: TokenCacheObserver = { request() {}, waiting() {}, fetching() {}, fetched() {} };

/** Lists by what they add to a key: requests bring the server's own list again and again. */
const suffixes = new WeakMap<readonly string[], string>();

/** Different for different audiences, whatever is in their names. */
function suffixOf(audiences: readonly string[]): string {
  let suffix = suffixes.get(audiences);
  if (suffix === undefined) suffixes.set(audiences, suffix = `\n${JSON.stringify(audiences)}`);
  return suffix;
}

/** What is over of the oldest; the very oldest when nothing is. */
function evict(entries: Map<string, Entry>, time: number): void {
  let first = true;
  for (const [key, { expires }] of entries) {
    if (!first && expires > time) return;
    entries.delete(key);
    first = false;
  }
}
