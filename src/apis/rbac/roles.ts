// What roles and cluster roles have in common.
import type { KubeObject } from "../../machinery/types.ts";
import { type Field, nameIsPathSegment } from "../../machinery/validation/mod.ts";
import { NAME } from "../columns.ts";
import type { Role } from "../../facts/generated/types.ts";
import { checkMeta } from "../meta.ts";
import type { Column } from "../kind.ts";
import { validatePolicyRule } from "./rules.ts";

const CREATED_AT: Column<KubeObject> = {
  name: "Created At",
  type: "date",
  description: "When the object was created.",
  cell: (object) => object.metadata.creationTimestamp ?? null,
};

export const ROLE_COMMON = {
  allowCreateOnUpdate: true,
  checksMetadata: true,
  validateName: nameIsPathSegment,
  columns: [NAME, CREATED_AT],
};

export function validateRules(role: KubeObject & Role, root: Field, namespaced: boolean): void {
  checkMeta(role, root, { namespaced, validateName: nameIsPathSegment });
  (role.rules ?? []).forEach((rule, i) => validatePolicyRule(rule, root.child("rules").index(i), namespaced));
}
