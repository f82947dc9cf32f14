// Builds the authorizer out of the modes given: one after the other, the first that decides is right.
import { SYSTEM_MASTERS } from "../authentication/interface.ts";
import type { AuthorizationResult, Authorizer } from "./interface.ts";
import { rbacAuthorizer } from "./rbac/authorizer.ts";
import type { RbacIndex } from "./rbac/index.ts";

const NO_OPINION: AuthorizationResult = { decision: "no opinion", reason: "" };

export interface AuthorizerOptions {
  modes: readonly string[];
  rbac: RbacIndex;
}

/** Throws an Error that names a mode which cannot be had. */
export function buildAuthorizer({ modes, rbac }: AuthorizerOptions): Authorizer {
  return union([privilegedGroups, ...modes.map((mode) => ofMode(mode, rbac))]);
}

function ofMode(mode: string, rbac: RbacIndex): Authorizer {
  switch (mode) {
    case "AlwaysAllow":
      return { authorize: () => ({ decision: "allow", reason: "" }) };
    case "AlwaysDeny":
      return { authorize: () => ({ decision: "no opinion", reason: "Everything is forbidden." }) };
    case "RBAC":
      return rbacAuthorizer(rbac);
    case "Node":
      return { authorize: () => NO_OPINION };
    default:
      throw new Error(`--authorization-mode: ${mode} is not supported yet`);
  }
}

/** `system:masters` may do everything, before anybody else is asked. */
const privilegedGroups: Authorizer = {
  authorize: ({ user }) => user.groups.includes(SYSTEM_MASTERS) ? { decision: "allow", reason: "" } : NO_OPINION,
};

/** Reasons of those without an opinion are joined: they are what a refusal says. */
export function union(authorizers: readonly Authorizer[]): Authorizer {
  return {
    authorize(attributes) {
      const reasons: string[] = [];
      return next(0);
      function next(i: number): AuthorizationResult | Promise<AuthorizationResult> {
        for (; i < authorizers.length; i++) {
          const result = authorizers[i].authorize(attributes);
          if (result instanceof Promise) return result.then((r) => decided(r) ?? next(i + 1));
          const final = decided(result);
          if (final !== undefined) return final;
        }
        return { decision: "no opinion", reason: reasons.join("\n") };
      }
      function decided(result: AuthorizationResult): AuthorizationResult | undefined {
        if (result.decision !== "no opinion") return result;
        if (result.reason !== "") reasons.push(result.reason);
        return undefined;
      }
    },
  };
}
