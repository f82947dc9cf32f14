// The keys of an issuer (RFC 7517): fetched when they are needed, and again when a token was signed with none of them.
import type { CryptoKey, JWK } from "jose";
import type { SignatureHeader } from "../jwt_claims.ts";

export interface RemoteKeysOptions {
  /** Throws an Error when the keys cannot be had. */
  fetch(): Promise<string>;
  /** Told the keys whenever they were fetched; undefined: they could not be had. */
  fetched?(keys: string | undefined): void;
  /** Milliseconds between two fetches at least: whoever makes up tokens that no key has signed waits for the next. */
  cooldown?: number;
}

interface RemoteKey {
  kid: string;
  jwk: JWK;
  /** By algorithm; undefined for those that it is not for. */
  imported: Map<string, Promise<CryptoKey | undefined>>;
}

const COOLDOWN_MS = 1_000;

export class RemoteKeys {
  readonly #options: RemoteKeysOptions;
  #keys: readonly RemoteKey[] = [];
  #fetching: Promise<void> | undefined;
  #last = -Infinity;

  constructor(options: RemoteKeysOptions) {
    this.#options = options;
  }

  /** Whether one of the keys has signed the token. Throws an Error when that needs keys which cannot be had. */
  async verifies(token: string, header: SignatureHeader): Promise<boolean> {
    if (await signed(this.#keys, token, header)) return true;
    await (this.#fetching ??= this.#fetch().finally(() => this.#fetching = undefined));
    return await signed(this.#keys, token, header);
  }

  /** One for all who wait for it. */
  async #fetch(): Promise<void> {
    const { cooldown = COOLDOWN_MS } = this.#options, wait = this.#last + cooldown - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    let text: string | undefined;
    try {
      text = await this.#options.fetch();
      this.#keys = parseKeys(text);
    } catch (e) {
      throw new Error(`fetching keys ${(e as Error).message}`);
    } finally {
      this.#last = performance.now();
      this.#options.fetched?.(text);
    }
  }
}

/** Throws an Error. */
function parseKeys(text: string): RemoteKey[] {
  let keys: unknown;
  try {
    ({ keys } = JSON.parse(text));
    if (!Array.isArray(keys)) throw new Error("it has no keys");
  } catch (e) {
    throw new Error(`oidc: failed to decode keys: ${(e as Error).message}`);
  }
  // Only the key itself counts: what it says of its use is not for us.
  return keys.map(({ kty, n, e, crv, x, y, kid = "" }: JWK) => ({
    kid,
    jwk: { kty, n, e, crv, x, y } as JWK,
    imported: new Map(),
  }));
}

async function signed(keys: readonly RemoteKey[], token: string, { alg, kid }: SignatureHeader): Promise<boolean> {
  for (const key of keys) {
    if (kid !== "" && key.kid !== kid) continue;
    const imported = await importedFor(key, alg);
    if (imported !== undefined && await hasSigned(imported, token, alg)) return true;
  }
  return false;
}

function importedFor({ jwk, imported }: RemoteKey, alg: string): Promise<CryptoKey | undefined> {
  let key = imported.get(alg);
  if (key === undefined) {
    key = import("jose").then(({ importJWK }) => importJWK(jwk, alg) as Promise<CryptoKey>).catch(() => undefined);
    imported.set(alg, key);
  }
  return key;
}

async function hasSigned(key: CryptoKey, token: string, alg: string): Promise<boolean> {
  const { compactVerify } = await import("jose");
  return await compactVerify(token, key, { algorithms: [alg] }).then(() => true, () => false);
}
