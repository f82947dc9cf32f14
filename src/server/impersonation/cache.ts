// Remembers for a short while which impersonations were allowed.
import { hash } from "node:crypto";
import type { UserInfo } from "../../authentication/interface.ts";
import type { AuthorizationAttributes } from "../../authorization/interface.ts";

/** As long as tokens are remembered. */
const TTL_MS = 10_000;
const SIZE = 10_000;

export class ImpersonationCache {
  readonly #entries = new Map<string, { user: UserInfo; expires: number }>();

  get(key: string): UserInfo | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expires > Date.now()) return entry.user;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, user: UserInfo): void {
    // In the order in which they were set, so that the first is the first to end.
    if (this.#entries.size >= SIZE) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.delete(key);
    this.#entries.set(key, { user, expires: Date.now() + TTL_MS });
  }
}

/** A digest of who wants to be whom, and for what. */
export function keyOf(wanted: UserInfo, attributes: Partial<AuthorizationAttributes>): string {
  return hash("sha256", JSON.stringify([wanted, attributes]), "base64");
}
