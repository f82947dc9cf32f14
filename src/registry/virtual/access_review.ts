// Access reviews: may somebody do something? Nothing is kept; the answer is the object itself with its status filled in.
import type { AuthorizationAttributes, Authorizer } from "../../authorization/interface.ts";
import { badRequestError, invalidError } from "../../machinery/errors.ts";
import type { FieldError } from "../../machinery/field_error.ts";
import { collect, type Field, validateLabelSelectorRequirement } from "../../machinery/validation/mod.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { UserInfo } from "../../authentication/interface.ts";
import type { RequestContext } from "../../apis/context.ts";
import type { CreateOptions, ResourceStorage, Result } from "../rest.ts";
import { type ReviewSelector, selectorText } from "./review_selector.ts";

const GROUP = "authorization.k8s.io";

interface ResourceAttributes {
  namespace?: string;
  verb?: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  name?: string;
  fieldSelector?: ReviewSelector | null;
  labelSelector?: ReviewSelector | null;
}

interface ReviewSpec {
  resourceAttributes?: ResourceAttributes | null;
  nonResourceAttributes?: { path?: string; verb?: string } | null;
  user?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
  uid?: string;
}

type Review = KubeObject & { spec?: ReviewSpec };

/** Of anybody, anywhere. */
export function subjectAccessReviews(authorizer: Authorizer): ResourceStorage {
  return reviews("SubjectAccessReview", authorizer, { validate: validateSubjectReview });
}

/** Of anybody, in the namespace of the path. */
export function localSubjectAccessReviews(authorizer: Authorizer): ResourceStorage {
  return reviews("LocalSubjectAccessReview", authorizer, { validate: validateLocalReview });
}

/** Of the one who asks. */
export function selfSubjectAccessReviews(authorizer: Authorizer): ResourceStorage {
  return reviews("SelfSubjectAccessReview", authorizer, { validate: validateSelfReview, self: true });
}

interface ReviewOptions {
  validate(review: Review, root: Field): void;
  self?: boolean;
}

function reviews(kind: string, authorizer: Authorizer, { validate, self }: ReviewOptions): ResourceStorage {
  return {
    kind: { group: GROUP, version: "v1", kind },
    async create(context: RequestContext, _name: string, object: KubeObject, options: CreateOptions): Promise<Result> {
      const review = object as Review;
      const errors = collect((root) => validate(review, root));
      if (errors.length > 0) throw invalidReview(errors);
      if (kind.startsWith("Local") && context.namespace !== review.metadata.namespace) {
        throw badRequestError(`spec.resourceAttributes.namespace must match namespace: ${context.namespace}`);
      }
      await options.validate?.(object);
      const spec = review.spec ?? {};
      const { attributes, problems } = attributesOf(spec, self ? context.user : subjectOf(spec));
      const { decision, reason, error } = await authorizer.authorize(attributes);
      const evaluation = [...error === undefined ? [] : [error], ...problems].join("; ");
      review.status = {
        allowed: decision === "allow",
        ...decision === "deny" && { denied: true },
        ...reason !== "" && { reason },
        ...evaluation !== "" && { evaluationError: evaluation },
      };
      return { object: review };
    },
  };
}

/** The real server leaves the kind out of these. */
function invalidReview(errors: readonly FieldError[]) {
  const error = invalidError({ group: GROUP, kind: "" }, "", errors);
  delete error.status.details!.kind;
  return error;
}

function subjectOf({ user = "", uid = "", groups, extra }: ReviewSpec): UserInfo {
  return { name: user, uid, groups: groups ?? [], extra: extra ?? {} };
}

/** What is asked; `problems` tells of selectors that could not be understood. */
function attributesOf(
  { resourceAttributes, nonResourceAttributes }: ReviewSpec,
  user: UserInfo,
): { attributes: AuthorizationAttributes; problems: string[] } {
  const { namespace = "", verb = "", group = "", version, resource = "", subresource = "", name = "" } =
    resourceAttributes ?? {};
  const problems: string[] = [];
  const common = { user, namespace, apiGroup: group, resource, subresource, name };
  if (!resourceAttributes) {
    const { path = "", verb = "" } = nonResourceAttributes ?? {};
    return { attributes: { ...common, verb, path, apiVersion: "", isResourceRequest: false }, problems };
  }
  const selectors: { fieldSelector?: string; labelSelector?: string } = {};
  for (const field of ["fieldSelector", "labelSelector"] as const) {
    const { text, complete } = selectorText(resourceAttributes[field], field);
    if (text !== "") selectors[field] = text;
    if (complete) continue;
    const how = text === "" ? "ignored" : "partially ignored";
    problems.push(`spec.resourceAttributes.${field} ${how} due to parse error`);
  }
  const apiVersion = version ? version : "*";
  return { attributes: { ...common, ...selectors, verb, path: "", apiVersion, isResourceRequest: true }, problems };
}

/** The attributes as the API shows them in messages. */
function shown(attributes: ReviewSpec["nonResourceAttributes"]) {
  return attributes ? { Path: attributes.path ?? "", Verb: attributes.verb ?? "" } : null;
}

function validateSpec(
  { resourceAttributes, nonResourceAttributes, user, groups }: ReviewSpec,
  at: Field,
  self: boolean,
) {
  if (resourceAttributes && nonResourceAttributes) {
    at.child("nonResourceAttributes").invalid(
      shown(nonResourceAttributes),
      "cannot be specified in combination with resourceAttributes",
    );
  }
  if (!resourceAttributes && !nonResourceAttributes) {
    at.child("resourceAttributes").invalid(
      null,
      "exactly one of nonResourceAttributes or resourceAttributes must be specified",
    );
  }
  if (!self && !user && (groups ?? []).length === 0) {
    at.child("user").invalid("", "at least one of user or group must be specified");
  }
  const attributes = at.child("resourceAttributes");
  validateSelector(resourceAttributes?.fieldSelector, attributes.child("fieldSelector"), validateFieldRequirement);
  validateSelector(
    resourceAttributes?.labelSelector,
    attributes.child("labelSelector"),
    (requirement, field) => validateLabelSelectorRequirement(requirement, field, { allowUnknownOperator: true }),
  );
}

type Requirement = NonNullable<ReviewSelector["requirements"]>[number];

function validateSelector(
  selector: ReviewSelector | null | undefined,
  at: Field,
  validate: (requirement: Requirement, field: Field) => void,
): void {
  if (!selector) return;
  const { rawSelector, requirements = [] } = selector;
  if (rawSelector && requirements.length > 0) {
    at.child("rawSelector").invalid(rawSelector, "may not specified at the same time as requirements");
  }
  if (!rawSelector && requirements.length === 0) {
    at.child("requirements").required(`when ${at.text} is specified, requirements or rawSelector is required`);
  }
  requirements.forEach((requirement, i) => validate(requirement, at.child("requirements").index(i)));
}

function validateFieldRequirement({ key, operator, values = [] }: Requirement, at: Field): void {
  if (!key) at.child("key").required("must be specified");
  if ((operator === "In" || operator === "NotIn") && values.length === 0) {
    at.child("values").required("must be specified when `operator` is 'In' or 'NotIn'");
  }
  if ((operator === "Exists" || operator === "DoesNotExist") && values.length > 0) {
    at.child("values").forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  }
}

/** Members that may be there all the same. */
const TRACKED = ["managedFields"];

function validateEmptyMetadata({ metadata }: Review, root: Field, detail: string, besides: readonly string[]): void {
  const set = Object.entries(metadata).some(([name, value]) =>
    value !== undefined && value !== null && value !== "" && !besides.includes(name)
  );
  if (set) root.child("metadata").invalid(metadata, detail);
}

function validateSubjectReview(review: Review, root: Field): void {
  validateSpec(review.spec ?? {}, root.child("spec"), false);
  validateEmptyMetadata(review, root, "must be empty", TRACKED);
}

function validateSelfReview(review: Review, root: Field): void {
  validateSpec(review.spec ?? {}, root.child("spec"), true);
  validateEmptyMetadata(review, root, "must be empty", TRACKED);
}

function validateLocalReview(review: Review, root: Field): void {
  const { spec = {}, metadata } = review;
  validateSpec(spec, root.child("spec"), false);
  validateEmptyMetadata(review, root, "must be empty except for namespace", [...TRACKED, "namespace"]);
  const namespace = spec.resourceAttributes?.namespace ?? "";
  if (spec.resourceAttributes && namespace !== (metadata.namespace ?? "")) {
    root.child("spec", "resourceAttributes").child("namespace").invalid(namespace, "must match metadata.namespace");
  }
  if (spec.nonResourceAttributes) {
    root.child("spec", "nonResourceAttributes").invalid(
      shown(spec.nonResourceAttributes),
      "disallowed on this kind of request",
    );
  }
}
