// Whether a CRD in one of the community's groups follows its policy of approvals.
import { type ApiApproval, apiApprovalOf, isCommunityGroup } from "../../apis/apiextensions/api_approval.ts";
import { type Condition, findCondition, isSameCondition, setCondition } from "../../apis/apiextensions/conditions.ts";
import type { CustomResourceDefinition } from "../../apis/apiextensions/types.ts";

const CONDITIONS: Record<ApiApproval, Pick<Condition, "status" | "reason">> = {
  Invalid: { status: "False", reason: "InvalidAnnotation" },
  Missing: { status: "False", reason: "MissingAnnotation" },
  Approved: { status: "True", reason: "ApprovedAnnotation" },
  Bypassed: { status: "False", reason: "UnapprovedAnnotation" },
};

/** False: nothing changed. */
export function checkApiApproval(crd: CustomResourceDefinition): boolean {
  if (!isCommunityGroup(crd.spec?.group ?? "")) return false;
  const { state, message } = apiApprovalOf(crd.metadata.annotations);
  const condition: Condition = { type: "KubernetesAPIApprovalPolicyConformant", ...CONDITIONS[state], message };
  if (isSameCondition(condition, findCondition(crd, condition.type))) return false;
  setCondition(crd, condition);
  return true;
}
