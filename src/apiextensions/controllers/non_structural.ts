// Tells of CRDs of former times whose schemas are not structural: their objects keep every unknown field.
import {
  type Condition,
  findCondition,
  isSameCondition,
  removeCondition,
  setCondition,
} from "../../apis/apiextensions/conditions.ts";
import { rootSchema } from "../../apis/apiextensions/schema/json_schema.ts";
import { structuralConflict, validateStructural } from "../../apis/apiextensions/schema/structural.ts";
import type { CustomResourceDefinition } from "../../apis/apiextensions/types.ts";
import { aggregate } from "../../machinery/field_error.ts";
import { loadRe2 } from "../../machinery/re2.ts";
import { collect } from "../../machinery/validation/mod.ts";

const TYPE = "NonStructuralSchema";

/** False: nothing changed. */
export async function checkStructure(crd: CustomResourceDefinition): Promise<boolean> {
  const before = findCondition(crd, TYPE);
  // Without it a schema has always had to be structural.
  if (!crd.spec?.preserveUnknownFields && before === undefined) return false;
  await loadRe2();
  const condition = conditionOf(crd);
  if (isSameCondition(condition, before)) return false;
  if (condition === undefined) removeCondition(crd, TYPE);
  else setCondition(crd, condition);
  return true;
}

function conditionOf({ spec = {} }: CustomResourceDefinition): Condition | undefined {
  let unreadable: Condition | undefined;
  const errors = collect((root) => {
    const at = root.child("spec");
    if (spec.preserveUnknownFields) at.child("preserveUnknownFields").invalid(true, "must be false");
    spec.versions?.forEach(({ name, schema: validation }, i) => {
      const schema = rootSchema(validation);
      if (schema === undefined) return;
      const conflict = structuralConflict(schema);
      const message = `failed to check validation schema for version ${name}: ${conflict}`;
      if (conflict === undefined) {
        validateStructural(schema, at.child("versions").index(i).child("schema", "openAPIV3Schema"));
      } else unreadable ??= { type: TYPE, status: "Unknown", reason: "StructuralError", message };
    });
  });
  if (unreadable !== undefined || errors.length === 0) return unreadable;
  return { type: TYPE, status: "True", reason: "Violations", message: aggregate(errors) };
}
