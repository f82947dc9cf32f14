// What an authorizer is asked, as a SubjectAccessReview (authorization.k8s.io/v1) asks it.
import { type LabelOperator, parseFieldSelector, parseLabelSelector } from "../machinery/selectors/mod.ts";
import type { AuthorizationAttributes } from "./interface.ts";

interface SelectorRequirement {
  key: string;
  operator: string;
  values?: readonly string[];
}

export interface ReviewedResource {
  namespace?: string;
  verb?: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  name?: string;
  fieldSelector?: { requirements: SelectorRequirement[] };
  labelSelector?: { requirements: SelectorRequirement[] };
}

/** Its members are in the order in which the API writes them, those that are empty left out. */
export interface AccessReviewSpec {
  resourceAttributes?: ReviewedResource;
  nonResourceAttributes?: { path?: string; verb?: string };
  user?: string;
  groups?: readonly string[];
  extra?: Readonly<Record<string, readonly string[]>>;
  uid?: string;
}

export function accessReviewSpec(attributes: AuthorizationAttributes): AccessReviewSpec {
  const { user, verb, path } = attributes;
  const about: AccessReviewSpec = attributes.isResourceRequest
    ? { resourceAttributes: resourceOf(attributes) }
    : { nonResourceAttributes: withoutEmpty({ path, verb }) };
  return {
    ...about,
    ...withoutEmpty({ user: user.name }),
    ...user.groups.length > 0 && { groups: user.groups },
    ...Object.keys(user.extra).length > 0 && { extra: user.extra },
    ...withoutEmpty({ uid: user.uid }),
  };
}

function withoutEmpty<T extends Record<string, string>>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== "")) as Partial<T>;
}

function resourceOf(attributes: AuthorizationAttributes): ReviewedResource {
  const { namespace, verb, apiGroup, apiVersion, resource, subresource, name } = attributes;
  const fields = fieldRequirements(attributes.fieldSelector), labels = labelRequirements(attributes.labelSelector);
  return {
    ...withoutEmpty({ namespace, verb, group: apiGroup, version: apiVersion, resource, subresource, name }),
    ...fields.length > 0 && { fieldSelector: { requirements: fields } },
    ...labels.length > 0 && { labelSelector: { requirements: labels } },
  };
}

/** A selector that cannot be understood asks for everything: less would be told than is wanted. */
function fieldRequirements(text = ""): SelectorRequirement[] {
  try {
    return parseFieldSelector(text).requirements.map(({ field, operator, value }) => ({
      key: field,
      operator: operator === "=" ? "In" : "NotIn",
      values: [value],
    }));
  } catch {
    return [];
  }
}

/** Those that have no name here are left out: requirements only narrow down. */
const OPERATORS: Readonly<Partial<Record<LabelOperator, string>>> = {
  "=": "In",
  "==": "In",
  in: "In",
  "!=": "NotIn",
  notin: "NotIn",
  exists: "Exists",
  "!": "DoesNotExist",
};

function labelRequirements(text = ""): SelectorRequirement[] {
  try {
    return parseLabelSelector(text).requirements.flatMap(({ key, operator, values }) => {
      const name = OPERATORS[operator];
      if (name === undefined) return [];
      return [{ key, operator: name, ...values.length > 0 && { values } }];
    });
  } catch {
    return [];
  }
}
