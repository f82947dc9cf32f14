// Remembers for a short while which impersonations were allowed.
import { hash } from "node:crypto";
import type { UserInfo } from "../../authentication/interface.ts";
import type { AuthorizationAttributes } from "../../authorization/interface.ts";
import { ExpiringMap } from "../../machinery/expiring_map.ts";

/** As long as tokens are remembered. */
const TTL_MS = 10_000;
const SIZE = 10_000;

export class ImpersonationCache {
  readonly #users = new ExpiringMap<UserInfo>(SIZE);

  get(key: string): UserInfo | undefined {
    return this.#users.get(key);
  }

  set(key: string, user: UserInfo): void {
    this.#users.set(key, user, TTL_MS);
  }
}

/** A digest of who wants to be whom, and for what. */
export function keyOf(wanted: UserInfo, attributes: Partial<AuthorizationAttributes>): string {
  return hash("sha256", JSON.stringify([wanted, attributes]), "base64");
}
