// Who says nothing about itself is `system:anonymous`, everywhere or at some paths only.
import { ALL_UNAUTHENTICATED, ANONYMOUS, type Authenticator, type UserInfo } from "./interface.ts";

const NOBODY: UserInfo = { name: ANONYMOUS, uid: "", groups: [ALL_UNAUTHENTICATED], extra: {} };

/** @param paths where anonymous requests are let in; empty: everywhere */
export function anonymous(paths: readonly string[] = []): Authenticator {
  const allowed = new Set(paths);
  const response = { user: NOBODY };
  return {
    authenticateRequest({ url, audiences }) {
      if (allowed.size > 0 && !allowed.has(url.pathname)) return undefined;
      return audiences === undefined ? response : { user: NOBODY, audiences };
    },
  };
}
