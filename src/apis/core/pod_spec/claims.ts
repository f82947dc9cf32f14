// Rules of the claims for devices that a pod makes (KEP-4381).
import type * as v1 from "../../../facts/generated/types.ts";
import { validateDNS1123Label } from "../../../machinery/validation/domains.ts";
import type { Field } from "../../../machinery/validation/field.ts";
import { isDNS1123Subdomain } from "../../../machinery/validation/names.ts";
import type { ObjectMeta } from "../../../machinery/types.ts";
import { internalForm } from "../../internal_form.ts";
import { MIRROR_POD } from "./annotations.ts";

const SOURCES = ["resourceClaimName", "resourceClaimTemplateName"] as const;

/** Gives back the names of the claims. */
export function validatePodClaims(
  claims: readonly v1.PodResourceClaim[],
  at: Field,
  meta: ObjectMeta | undefined,
): Set<string> {
  const seen = new Set<string>();
  const mirror = meta?.annotations?.[MIRROR_POD] !== undefined;
  claims.forEach((claim, i) => {
    const field = at.index(i), { name = "" } = claim;
    if (mirror) return at.top("[]").forbidden("static pods do not support resource claims");
    if (name === "") field.child("name").required();
    else if (seen.has(name)) field.child("name").duplicate(name);
    else {
      validateDNS1123Label(name, field.child("name"));
      seen.add(name);
    }
    validateClaimSource(claim, field);
  });
  return new Set(claims.map((c) => c.name ?? "").filter((name) => name !== ""));
}

function validateClaimSource(claim: v1.PodResourceClaim, at: Field): void {
  const given = SOURCES.filter((source) => claim[source] !== undefined);
  const shown = () => internalForm("PodResourceClaim", claim);
  if (given.length > 1) {
    at.invalid(shown(), "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
  }
  if (given.length === 0) {
    at.invalid(shown(), "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
  }
  for (const source of given) at.child(source).invalidEach(claim[source], isDNS1123Subdomain(claim[source]!));
}
