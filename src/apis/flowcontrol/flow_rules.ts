// The rules of a flow schema: whose requests it takes, and for what.
import { type Field, nameIsDNSLabel, nameIsDNSSubdomain } from "../../machinery/validation/mod.ts";
import type {
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from "../../facts/generated/types.ts";

const VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];
const ALL = "*";

export function checkFlowRules(rules: PolicyRulesWithSubjects, at: Field): void {
  const { resourceRules = [], nonResourceRules = [] } = rules, subjects = rules.subjects ?? [];
  if (subjects.length === 0) at.child("subjects").required("subjects must contain at least one value");
  subjects.forEach((subject, i) => checkSubject(subject, at.child("subjects").index(i)));
  if (resourceRules.length === 0 && nonResourceRules.length === 0) {
    at.required("at least one of resourceRules and nonResourceRules has to be non-empty");
  }
  resourceRules.forEach((rule, i) => checkResourceRule(rule, at.child("resourceRules").index(i)));
  nonResourceRules.forEach((rule, i) => checkNonResourceRule(rule, at.child("nonResourceRules").index(i)));
}

/** Kind → the member that says more about subjects of that kind. */
const SUBJECT_MEMBERS = { ServiceAccount: "serviceAccount", User: "user", Group: "group" } as const;
type SubjectKind = keyof typeof SUBJECT_MEMBERS;
/** In the order in which those that do not belong are told. */
const SUBJECT_ORDER: readonly SubjectKind[] = ["ServiceAccount", "User", "Group"];

function checkSubject(subject: Subject, at: Field): void {
  const kind = SUBJECT_ORDER.find((known) => known === subject.kind);
  if (kind === undefined) return at.child("kind").notSupported(subject.kind ?? "", SUBJECT_ORDER);
  const member = SUBJECT_MEMBERS[kind], own = subject[member], field = at.child(member);
  if (!own) field.required(`${member} is required when subject kind is '${kind}'`);
  else if (kind === "ServiceAccount") checkServiceAccount(own, field);
  else if (!own.name) field.child("name").required();
  for (const other of SUBJECT_ORDER) {
    const name = SUBJECT_MEMBERS[other];
    if (other === kind || !subject[name]) continue;
    at.child(name).forbidden(`${name} is forbidden when subject kind is not '${other}'`);
  }
}

function checkServiceAccount({ name = "", namespace = "" }: { name?: string; namespace?: string }, at: Field): void {
  if (name === "") at.child("name").required();
  else if (name !== ALL) at.child("name").invalidEach(name, nameIsDNSSubdomain(name, false));
  if (namespace === "") at.child("namespace").required("must specify namespace for service account");
  else at.child("namespace").invalidEach(namespace, nameIsDNSLabel(namespace, false));
}

/** A list with at least one value, `*` only alone. Says whether its values want a look. */
function checkList(
  given: readonly string[] | null | undefined,
  at: Field,
  { empty, others }: { empty: string; others: string },
): boolean {
  const list = given ?? [];
  if (list.length === 0) at.required(empty);
  else if (!list.includes(ALL)) return true;
  else if (list.length > 1) at.invalid(list, `if '*' is present, must not specify other ${others}`);
  return false;
}

function checkVerbs(given: readonly string[] | null | undefined, at: Field): void {
  const verbs = given ?? [];
  const named = checkList(verbs, at, { empty: "verbs must contain at least one value", others: "verbs" });
  if (named && !verbs.every((verb) => VERBS.includes(verb))) at.notSupported(verbs, VERBS);
}

function checkNonResourceRule(rule: NonResourcePolicyRule, at: Field): void {
  checkVerbs(rule.verbs, at.child("verbs"));
  const urls = rule.nonResourceURLs ?? [];
  const field = at.child("nonResourceURLs");
  const named = checkList(urls, field, {
    empty: "nonResourceURLs must contain at least one value",
    others: "non-resource URLs",
  });
  if (!named) return;
  urls.forEach((url, i) => {
    const problem = urlProblem(url);
    if (problem !== undefined) field.index(i).invalid(url, problem);
  });
}

function urlProblem(url: string): string | undefined {
  if (url === "") return "must not be empty";
  if (url === "/") return undefined;
  if (!url.startsWith("/")) return "must start with slash";
  if (url.includes(" ")) return "must not contain white-space";
  if (url.includes("//")) return "must not contain double slash";
  const star = url.indexOf(ALL);
  if (star >= 0 && (star !== url.length - 1 || url[star - 1] !== "/")) return "wildcard can only do suffix matching";
}

function checkResourceRule(rule: ResourcePolicyRule, at: Field): void {
  const namespaces = rule.namespaces ?? [];
  checkVerbs(rule.verbs, at.child("verbs"));
  checkList(rule.apiGroups, at.child("apiGroups"), {
    empty: "resource rules must supply at least one api group",
    others: "api groups",
  });
  checkList(rule.resources, at.child("resources"), {
    empty: "resource rules must supply at least one resource",
    others: "resources",
  });
  const field = at.child("namespaces");
  if (namespaces.length === 0 && rule.clusterScope) return;
  const named = checkList(namespaces, field, {
    empty: "resource rules that are not cluster scoped must supply at least one namespace",
    others: "namespaces",
  });
  if (!named) return;
  namespaces.forEach((name, i) => {
    const messages = nameIsDNSLabel(name, false);
    field.index(i).invalidEach(
      name,
      messages.map((m) => `each member of this list must be '*' or a DNS-1123 label; ${m}`),
    );
  });
}
