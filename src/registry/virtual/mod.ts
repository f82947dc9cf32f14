// Resources without objects: what is created is answered and forgotten.
import type { Authorizer, RuleResolver } from "../../authorization/interface.ts";
import type { ResourceStorage } from "../rest.ts";
import { localSubjectAccessReviews, selfSubjectAccessReviews, subjectAccessReviews } from "./access_review.ts";
import { selfSubjectRulesReviews } from "./rules_review.ts";
import { selfSubjectReviews } from "./self_subject_review.ts";
import { type TokenReviewOptions, tokenReviews } from "./token_review.ts";

export interface VirtualResourceOptions extends TokenReviewOptions {
  authorizer: Authorizer;
  rules: RuleResolver;
}

/** `resource.group` → its storage. */
export function virtualResources(options: VirtualResourceOptions): Record<string, ResourceStorage> {
  const { authorizer, rules } = options;
  return {
    "tokenreviews.authentication.k8s.io": tokenReviews(options),
    "selfsubjectreviews.authentication.k8s.io": selfSubjectReviews(),
    "subjectaccessreviews.authorization.k8s.io": subjectAccessReviews(authorizer),
    "localsubjectaccessreviews.authorization.k8s.io": localSubjectAccessReviews(authorizer),
    "selfsubjectaccessreviews.authorization.k8s.io": selfSubjectAccessReviews(authorizer),
    "selfsubjectrulesreviews.authorization.k8s.io": selfSubjectRulesReviews(rules),
  };
}
