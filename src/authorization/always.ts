// The authorizers that need not look.
import { SYSTEM_MASTERS } from "../authentication/interface.ts";
import type { AuthorizationResult, Authorizer, RuleResolver } from "./interface.ts";

const ALLOWED: AuthorizationResult = { decision: "allow", reason: "" };
const NO_OPINION: AuthorizationResult = { decision: "no opinion", reason: "" };
const FORBIDDEN: AuthorizationResult = { decision: "no opinion", reason: "Everything is forbidden." };

export const alwaysAllow: Authorizer & RuleResolver = {
  authorize: () => ALLOWED,
  rulesFor: () =>
    Promise.resolve({
      resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
      nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
      incomplete: false,
    }),
};

export const alwaysDeny: Authorizer & RuleResolver = {
  authorize: () => FORBIDDEN,
  rulesFor: () => Promise.resolve({ resourceRules: [], nonResourceRules: [], incomplete: false }),
};

/** `system:masters` may do everything, before anybody else is asked. */
export const privilegedGroups: Authorizer = {
  authorize: ({ user }) => user.groups.includes(SYSTEM_MASTERS) ? ALLOWED : NO_OPINION,
};
