// A CRD whose names are accepted is established: its objects are served.
import {
  type Condition,
  findCondition,
  isConditionTrue,
  isSameCondition,
  setCondition,
} from "../../apis/apiextensions/conditions.ts";
import { caBundleProblem } from "../../machinery/validation/mod.ts";
import type { CustomResourceDefinition } from "../../apis/apiextensions/types.ts";

const ESTABLISHED: Condition = {
  type: "Established",
  status: "True",
  reason: "InitialNamesAccepted",
  message: "the initial names have been accepted",
};

const INVALID_BUNDLE: Condition = {
  type: "Established",
  status: "False",
  reason: "InvalidCABundle",
  message: "The conversion webhook CABundle is invalid",
};

/** False: nothing changed. */
export function establish(crd: CustomResourceDefinition): boolean {
  if (!isConditionTrue(crd, "NamesAccepted") || isConditionTrue(crd, "Established")) return false;
  const bundle = crd.spec?.conversion?.webhook?.clientConfig?.caBundle ?? "";
  const condition = caBundleProblem(bundle) === undefined ? ESTABLISHED : INVALID_BUNDLE;
  if (isSameCondition(condition, findCondition(crd, "Established"))) return false;
  setCondition(crd, condition);
  return true;
}
