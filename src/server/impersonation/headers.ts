// Who a request wants to be taken for: the Impersonate-* headers.
import { fieldValues, hasFieldWithPrefix, valuesByKey } from "../../authentication/header_fields.ts";
import type { UserInfo } from "../../authentication/interface.ts";
import { badRequestError } from "../../machinery/errors.ts";
import { goQuote, goStrings } from "../../machinery/go_text.ts";

const PREFIX = "impersonate-", EXTRA_PREFIX = "impersonate-extra-";

export function wantsImpersonation(headers: Headers): boolean {
  return hasFieldWithPrefix(headers, PREFIX);
}

/** Undefined when nobody is wanted. Throws 400 when there are groups, a uid or extras without a user. */
export function wantedUser(headers: Headers): UserInfo | undefined {
  const [name = ""] = fieldValues(headers, "impersonate-user");
  const [uid = ""] = fieldValues(headers, "impersonate-uid");
  const groups = fieldValues(headers, "impersonate-group");
  const extra = valuesByKey(headers, [EXTRA_PREFIX]);
  const wanted = { name, uid, groups, extra };
  if (name !== "") return wanted;
  if (uid === "" && groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  throw badRequestError(`requested ${shown(wanted)} without impersonating a user name`);
}

/** As Go prints the structure. */
function shown({ name, uid, groups, extra }: UserInfo): string {
  const keys = Object.keys(extra).sort();
  const list = groups.length === 0 ? "[]string(nil)" : goStrings(groups);
  const map = keys.length === 0
    ? "map[string][]string(nil)"
    : `map[string][]string{${keys.map((key) => `${goQuote(key)}:${goStrings(extra[key])}`).join(", ")}}`;
  return `&user.DefaultInfo{Name:${goQuote(name)}, UID:${goQuote(uid)}, Groups:${list}, Extra:${map}}`;
}
