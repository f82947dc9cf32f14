// The parameters of policies: of which kind they are, and which of them a binding means.
import {
  type Field,
  isDNS1035Label,
  isDNS1123Subdomain,
  isPathSegmentName,
  isUnset,
  validateLabelSelector,
} from "../../machinery/validation/mod.ts";
import type { LabelSelector, ParamKind, ParamRef } from "../../facts/generated/types.ts";

const NOT_FOUND_ACTIONS = ["Deny", "Allow"];
const BOTH = "name and selector are mutually exclusive";

export function checkParamKind({ apiVersion = "", kind = "" }: ParamKind, at: Field): void {
  if (apiVersion === "") at.child("apiVersion").required();
  else checkApiVersion(apiVersion, at.child("apiVersion"));
  if (kind === "") return at.child("kind").required();
  const messages = isDNS1035Label(kind.toLowerCase());
  if (messages.length > 0) {
    at.child("kind").invalid(kind, `may have mixed case, but should otherwise match: ${messages.join(",")}`);
  }
}

function checkApiVersion(apiVersion: string, at: Field): void {
  const parts = apiVersion === "/" ? [""] : apiVersion.split("/");
  if (parts.length > 2) return at.invalid(apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  const [version, group = ""] = parts.toReversed();
  if (group !== "") {
    const messages = isDNS1123Subdomain(group);
    if (messages.length > 0) at.invalid(group, messages.join(","));
  }
  if (version === "") return at.invalid(apiVersion, "version must be specified");
  const messages = isDNS1035Label(version);
  if (messages.length > 0) at.invalid(version, messages.join(","));
}

export function checkParamRef(ref: ParamRef | undefined, at: Field): void {
  if (!ref) return;
  const { name = "", selector, parameterNotFoundAction: action } = ref;
  if (name !== "") {
    at.child("name").invalidEach(name, isPathSegmentName(name));
    if (selector) at.child("name").forbidden(BOTH);
  }
  if (selector) {
    validateLabelSelector(selector, at.child("selector"));
    if (name !== "") at.child("selector").forbidden(BOTH);
  }
  if (name === "" && !selector) at.required("one of name or selector must be specified");
  const actionField = at.child("parameterNotFoundAction");
  if (isUnset(action) || action === "") actionField.required();
  else if (!NOT_FOUND_ACTIONS.includes(action)) actionField.notSupportedInOrder(action, NOT_FOUND_ACTIONS);
}

/** The cell of a policy. */
export function paramKindCell(kind: ParamKind | undefined): string {
  return kind ? `${kind.apiVersion}/${kind.kind}` : "<unset>";
}

/** The cell of a binding. */
export function paramRefCell(ref: ParamRef | undefined): string {
  if (ref?.name) return `${ref.namespace || "*"}/${ref.name}`;
  return ref?.selector ? selectorText(ref.selector) : "<unset>";
}

/** A selector as Go prints the message that it is in protobuf. */
function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.keys(matchLabels).sort().map((key) => `${key}: ${matchLabels[key]},`);
  const requirements = matchExpressions.map(({ key, operator, values = [] }) =>
    `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join("")}},` +
    `MatchExpressions:[]LabelSelectorRequirement{${requirements.join("")}},}`;
}
