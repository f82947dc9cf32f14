// Ranges that cluster addresses of services come from (KEP-1880).
import type { KubeObject } from "../../machinery/types.ts";
import { collect, type Field, IMMUTABLE, parseCIDR, validateCIDR } from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { ServiceCIDR } from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import type { KindDefinition } from "../kind.ts";

type RangeObject = KubeObject & ServiceCIDR;

const MAX_RANGES = 2;

function cidrsOf({ spec }: RangeObject): readonly string[] {
  return spec?.cidrs ?? [];
}

/** One range of each family at most. */
function check(object: RangeObject, at: Field): void {
  const cidrs = cidrsOf(object);
  if (cidrs.length === 0) return at.required("at least one CIDR required");
  if (cidrs.length > MAX_RANGES) {
    return at.invalid(internalForm("ServiceCIDRSpec", object.spec), "may only hold up to 2 values");
  }
  cidrs.forEach((cidr, i) => validateCIDR(cidr, at.index(i)));
  if (cidrs.length < 2) return;
  const [first, second] = cidrs.map((cidr) => parseCIDR(cidr)?.family);
  if (first !== undefined && first === second) {
    at.invalid(
      cidrs,
      "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64",
    );
  }
}

/** The only change is a second range, of the other family. */
function checkChange(object: RangeObject, old: RangeObject, at: Field): void {
  const now = cidrsOf(object), before = cidrsOf(old), grows = before.length === 1 && now.length === 2;
  if (!grows && now.length !== before.length) return at.invalid(object.spec?.cidrs ?? null, IMMUTABLE);
  before.forEach((cidr, i) => {
    if (cidr !== now[i]) at.index(i).invalid(now[i], IMMUTABLE);
  });
  if (grows) check(object, at);
}

export const serviceCIDR: KindDefinition<RangeObject> = {
  gvk: { group: "networking.k8s.io", version: "v1", kind: "ServiceCIDR" },
  resource: "servicecidrs",
  validate: (object) => collect((root) => check(object, root.child("spec", "cidrs"))),
  validateUpdate: (object, old) => collect((root) => checkChange(object, old, root.child("spec", "cidrs"))),
  columns: [NAME, text("CIDRs", "Ranges.", (object) => cidrsOf(object).join(",")), AGE],
  statusResetFields: [["metadata"], ["spec"]],
};
