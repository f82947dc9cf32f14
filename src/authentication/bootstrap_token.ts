// Bootstrap tokens: `id.secret`, with which a node joins. Each is a secret in kube-system that says what it is for.
import { timingSafeEqual } from "node:crypto";
import { logInfo } from "../logging/mod.ts";
import { parseTime } from "../machinery/time.ts";
import type { KubeObject } from "../machinery/types.ts";
import type { AuthenticationResponse, ObjectGetter, TokenAuthenticator } from "./interface.ts";

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const NAMESPACE = "kube-system", NAME_PREFIX = "bootstrap-token-";
const TYPE = "bootstrap.kubernetes.io/token";
const USER_PREFIX = "system:bootstrap:", GROUP = "system:bootstrappers";
const EXTRA_GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** Whatever is wrong with a token's secret makes it nobody's token, with a word in the log. */
export function bootstrapTokens(getter: ObjectGetter, now: () => number = Date.now): TokenAuthenticator {
  return {
    async authenticateToken(token) {
      const [, id, secretPart] = TOKEN.exec(token) ?? [];
      if (id === undefined) return undefined;
      const secret = await getter("secrets", NAMESPACE, NAME_PREFIX + id);
      if (secret === undefined) return undefined;
      const answer = judge(secret, { id, secret: secretPart }, now());
      if (typeof answer !== "string") return answer;
      const name = `${NAMESPACE}/${NAME_PREFIX}${id}`;
      logInfo("A bootstrap secret that matches a bearer token is of no use", { secret: name, why: answer }, 3);
      return undefined;
    },
  };
}

/** The user, or what is wrong. */
function judge(
  { metadata, type, data }: KubeObject,
  token: { id: string; secret: string },
  now: number,
): AuthenticationResponse | string {
  const text = (key: string) => typeof data?.[key] === "string" ? decode(data[key]) : "";
  if (metadata.deletionTimestamp !== undefined) return "is deleted and awaiting removal";
  if (type !== TYPE || !data) return `has invalid type, expected ${TYPE}`;
  if (!isSame(text("token-secret"), token.secret)) return "has invalid value for key token-secret";
  if (text("token-id") !== token.id) return "has invalid value for key token-id";
  if (hasExpired(text("expiration"), now)) return "has expired";
  if (text("usage-bootstrap-authentication") !== "true") return "not marked usage-bootstrap-authentication=true";
  const groups = groupsOf(text("auth-extra-groups"));
  if (groups === undefined) return "has invalid value for key auth-extra-groups";
  return { user: { name: USER_PREFIX + token.id, uid: "", groups, extra: {} } };
}

function decode(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return "";
  }
}

function isSame(kept: string, given: string): boolean {
  const a = new TextEncoder().encode(kept), b = new TextEncoder().encode(given);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A time that cannot be read is over. */
function hasExpired(expiration: string, now: number): boolean {
  return expiration !== "" && (parseTime(expiration) ?? 0) <= now;
}

/** Sorted; undefined when one of them is not a bootstrapper's. */
function groupsOf(extra: string): string[] | undefined {
  const more = extra === "" ? [] : extra.split(",");
  if (!more.every((group) => EXTRA_GROUP.test(group))) return undefined;
  return [...new Set([GROUP, ...more])].sort();
}
