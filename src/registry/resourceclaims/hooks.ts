// What others than the claims decide about claims for devices: who may bind them, whose namespaces administrators have
// marked.
import type { Authorizer } from "../../authorization/interface.ts";
import type { BuiltinResources } from "../builtin.ts";
import type { StoreHooks } from "../config.ts";
import { adminAccessOfSpec, adminAccessOfStatus } from "./admin_access.ts";
import { statusRights } from "./status_rights.ts";

/** Hooks of claims and their templates, by `resource.group`. */
export function resourceClaimHooks(
  authorizer: Authorizer,
): Record<string, (resources: BuiltinResources) => StoreHooks> {
  return {
    "resourceclaims.resource.k8s.io": (resources) => ({
      refusals: (context, claim) => adminAccessOfSpec(resources, context, claim.spec),
      subresourceRefusals: async (context, claim, old) => [
        ...await adminAccessOfStatus(resources, context, claim.status ?? {}, old.status ?? {}),
        ...await statusRights(authorizer, context, claim.status ?? {}, old.status ?? {}),
      ],
    }),
    "resourceclaimtemplates.resource.k8s.io": (resources) => ({
      refusals: (context, object) => adminAccessOfSpec(resources, context, object.spec?.spec),
    }),
  };
}
