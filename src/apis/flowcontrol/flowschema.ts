// Flow schemas: which requests belong to which priority level (KEP-1040).
import type { KubeObject } from "../../machinery/types.ts";
import { collect, deepEqual, type Field, nameIsDNSSubdomain } from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { FlowSchema, FlowSchemaSpec } from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta } from "../meta.ts";
import { validateFlowConditions } from "./conditions.ts";
import { checkFlowRules } from "./flow_rules.ts";
import { EXEMPT, MANDATORY_FLOW_SCHEMAS } from "./mandatory.ts";
import { lookUp } from "../../machinery/look_up.ts";

type SchemaObject = KubeObject & FlowSchema;

const DEFAULT_PRECEDENCE = 1000;
const MAX_PRECEDENCE = 10_000;
const DISTINGUISHERS = ["ByNamespace", "ByUser"];

function check(object: SchemaObject, root: Field): void {
  const { spec = {}, metadata: { name = "" } } = object, at = root.child("spec");
  checkMeta(object, root, { namespaced: false });
  checkSpec(spec, name, at);
  const mandatory = lookUp(MANDATORY_FLOW_SCHEMAS, name);
  if (mandatory !== undefined && !deepEqual(spec, mandatory)) {
    at.invalid(internalForm("FlowSchemaSpec", spec), `spec of '${name}' must equal the fixed value`);
  }
  validateFlowConditions(object.status?.conditions, root.child("status", "conditions"));
}

function checkSpec(spec: FlowSchemaSpec, name: string, at: Field): void {
  const { matchingPrecedence: precedence = 0, distinguisherMethod: method } = spec;
  const field = at.child("matchingPrecedence");
  if (precedence <= 0) field.invalid(precedence, "must be a positive value");
  if (precedence > MAX_PRECEDENCE) field.invalid(precedence, `must not be greater than ${MAX_PRECEDENCE}`);
  if (precedence === 1 && name !== EXEMPT) {
    field.invalid(precedence, "only the schema named 'exempt' may have matchingPrecedence 1");
  }
  if (method && !DISTINGUISHERS.includes(method.type ?? "")) {
    const shown = internalForm("FlowDistinguisherMethod", method);
    at.child("distinguisherMethod", "type").notSupported(shown, DISTINGUISHERS);
  }
  const level = spec.priorityLevelConfiguration?.name ?? "", reference = at.child("priorityLevelConfiguration", "name");
  if (level === "") reference.required("must reference a priority level");
  else reference.invalidEach(level, nameIsDNSSubdomain(level, false));
  (spec.rules ?? []).forEach((rule, i) => checkFlowRules(rule, at.child("rules").index(i)));
}

function validate(object: SchemaObject) {
  return collect((root) => check(object, root));
}

export const flowSchema: KindDefinition<SchemaObject> = {
  gvk: { group: "flowcontrol.apiserver.k8s.io", version: "v1", kind: "FlowSchema" },
  resource: "flowschemas",
  generation: true,
  checksMetadata: true,
  setDefaults({ spec }) {
    if (spec) spec.matchingPrecedence ||= DEFAULT_PRECEDENCE;
  },
  validate,
  validateUpdate: validate,
  columns: [
    NAME,
    text("PriorityLevel", "The level of its requests.", (o) => o.spec?.priorityLevelConfiguration?.name ?? ""),
    text("MatchingPrecedence", "Lower ones match first.", (o) => o.spec?.matchingPrecedence ?? 0),
    text("DistinguisherMethod", "How flows are told apart.", (o) => o.spec?.distinguisherMethod?.type ?? "<none>"),
    AGE,
    text(
      "MissingPL",
      "Whether the level does not exist.",
      (o) => o.status?.conditions?.find((c) => c.type === "Dangling")?.status ?? "?",
    ),
  ],
  statusResetFields: [["metadata"], ["spec"]],
  subresources: {
    status: {
      checksMetadata: true,
      validateUpdate: ({ status }) =>
        collect((root) => validateFlowConditions(status?.conditions, root.child("status", "conditions"))),
    },
  },
};
