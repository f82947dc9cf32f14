// Whether a webhook or a policy is about a request: by namespace, by labels, by rules, and through which version.
import { internalError, notFoundError } from "../../machinery/errors.ts";
import { type LabelSelectorObject, labelSelectorOf } from "../../machinery/selectors/mod.ts";
import type { GroupVersionKind, GroupVersionResource, KubeObject } from "../../machinery/types.ts";
import type { AdmissionAttributes } from "../interface.ts";
import type { PluginContext } from "../plugins/context.ts";
import { type AdmissionRule, matchesRule } from "./rules.ts";

/** What both kinds of configurations have in common. */
export interface MatchCriteria {
  namespaceSelector?: LabelSelectorObject;
  objectSelector?: LabelSelectorObject;
  rules: readonly AdmissionRule[];
  /** Requests that are left out although a rule is about them. */
  excludeRules?: readonly AdmissionRule[];
  /** `Equivalent`: also through other versions than the rules name. */
  matchPolicy?: string;
}

/** As what the request matches. */
export interface Match {
  resource: GroupVersionResource;
  kind: GroupVersionKind;
}

export type MatchContext = Pick<PluginContext, "lookup" | "equivalentsOf">;

/** The configurations themselves are not matched: nobody locks himself out. */
const EXEMPT_KINDS = new Set([
  "ValidatingWebhookConfiguration",
  "MutatingWebhookConfiguration",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
]);

export function isExempt({ kind }: AdmissionAttributes): boolean {
  return kind.group === "admissionregistration.k8s.io" && EXEMPT_KINDS.has(kind.kind);
}

function isEmpty(selector: LabelSelectorObject | undefined): boolean {
  return Object.keys(selector?.matchLabels ?? {}).length === 0 && (selector?.matchExpressions ?? []).length === 0;
}

function matchesLabels(selector: LabelSelectorObject, labels: Readonly<Record<string, string>> = {}): boolean {
  try {
    return labelSelectorOf(selector)?.matches(labels) ?? false;
  } catch (e) {
    throw internalError((e as Error).message);
  }
}

/** The namespace that a selector looks at; a namespace that is being written is what the request makes of it. */
async function namespaceOf(attributes: AdmissionAttributes, { lookup }: MatchContext): Promise<KubeObject> {
  const { resource, subresource, operation, object, namespace } = attributes;
  const writes = operation === "CREATE" || operation === "UPDATE";
  if (resource.resource === "namespaces" && subresource === "" && writes) return object!;
  const found = await lookup.get("", "namespaces", namespace);
  if (found === undefined) throw notFoundError({ group: "", resource: "namespaces" }, namespace);
  return found;
}

async function matchesNamespace(
  { namespaceSelector }: MatchCriteria,
  attributes: AdmissionAttributes,
  context: MatchContext,
): Promise<boolean> {
  if (isEmpty(namespaceSelector)) return true;
  if (attributes.namespace === "" && attributes.resource.resource !== "namespaces") return true;
  return matchesLabels(namespaceSelector!, (await namespaceOf(attributes, context)).metadata.labels);
}

function matchesObject({ objectSelector }: MatchCriteria, { object, oldObject }: AdmissionAttributes): boolean {
  if (isEmpty(objectSelector)) return true;
  return [object, oldObject].some((one) => one !== undefined && matchesLabels(objectSelector!, one.metadata?.labels));
}

/** The request's own resource when a rule is about it, else the first equivalent one that an earlier rule is about. */
function matchRules(
  rules: readonly AdmissionRule[],
  { matchPolicy }: MatchCriteria,
  attributes: AdmissionAttributes,
  { equivalentsOf }: MatchContext,
): Match | undefined {
  const { resource, kind, subresource } = attributes;
  if (rules.some((rule) => matchesRule(rule, attributes, resource))) return { resource, kind };
  if (matchPolicy === "Exact" || rules.length === 0) return undefined;
  const others = equivalentsOf(resource, subresource);
  for (const rule of rules) {
    const other = others.find((equivalent) => matchesRule(rule, attributes, equivalent.resource));
    if (other !== undefined) return other;
  }
}

/** Undefined when it is not about the request. Throws a StatusError when its namespace cannot be found out. */
export async function matchRequest(
  criteria: MatchCriteria,
  attributes: AdmissionAttributes,
  context: MatchContext,
): Promise<Match | undefined> {
  // The rules first: they are what leaves most requests out.
  const match = matchRules(criteria.rules, criteria, attributes, context);
  if (match === undefined || !matchesObject(criteria, attributes)) return undefined;
  const { excludeRules = [] } = criteria;
  if (matchRules(excludeRules, criteria, attributes, context) !== undefined) return undefined;
  return await matchesNamespace(criteria, attributes, context) ? match : undefined;
}
