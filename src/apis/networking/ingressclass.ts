// Ingress classes: which controller serves ingresses.
import type { KubeObject } from "../../machinery/types.ts";
import {
  byteLength,
  collect,
  type Field,
  nameIsDNSLabel,
  validateDomainPrefixedPath,
  validateImmutable,
} from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import type { IngressClass, IngressClassParametersReference } from "../../facts/generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta } from "../meta.ts";
import { checkReference } from "./ingress_validation.ts";

type ClassObject = KubeObject & IngressClass;

const MAX_CONTROLLER = 250;
const SCOPES = ["Cluster", "Namespace"];
const DEFAULT_CLASS = "ingressclass.kubernetes.io/is-default-class";

function check({ spec = {} }: ClassObject, root: Field): void {
  const { controller = "", parameters } = spec, at = root.child("spec");
  if (byteLength(controller) > MAX_CONTROLLER) at.child("controller").tooLong(MAX_CONTROLLER);
  validateDomainPrefixedPath(controller, at.child("controller"));
  if (parameters) checkParameters(parameters, at.child("parameters"));
}

function checkParameters(parameters: IngressClassParametersReference, at: Field): void {
  const { namespace } = parameters, scope = parameters.scope ?? "", field = at.child("namespace");
  checkReference(parameters, at);
  if (!SCOPES.includes(scope)) at.child("scope").notSupported(scope, SCOPES);
  else if (scope === "Namespace") {
    if (namespace === undefined) field.required("`parameters.scope` is set to 'Namespace'");
    else field.invalidEach(namespace, nameIsDNSLabel(namespace, false));
  } else if (namespace !== undefined) field.forbidden("`parameters.scope` is set to 'Cluster'");
}

function parametersText({ spec }: ClassObject): string {
  const parameters = spec?.parameters;
  if (!parameters) return "<none>";
  const { kind = "", apiGroup, name = "" } = parameters;
  return `${kind}${apiGroup === undefined ? "" : `.${apiGroup}`}/${name}`;
}

export const ingressClass: KindDefinition<ClassObject> = {
  gvk: { group: "networking.k8s.io", version: "v1", kind: "IngressClass" },
  resource: "ingressclasses",
  generation: true,
  setDefaults({ spec }) {
    if (spec?.parameters) spec.parameters.scope ??= "Cluster";
  },
  validate: (object) => collect((root) => check(object, root)),
  validateUpdate: (object, old) =>
    collect((root) => {
      const now = object.spec?.controller ?? "", before = old.spec?.controller ?? "";
      validateImmutable({ now, before }, root.child("spec", "controller"));
      checkMeta(object, root, { namespaced: false });
      check(object, root);
    }),
  columns: [
    {
      ...NAME,
      cell: ({ metadata: { name = "", annotations } }) =>
        annotations?.[DEFAULT_CLASS] === "true" ? `${name} (default)` : name,
    },
    text("Controller", "Who serves ingresses of this class.", (o) => o.spec?.controller ?? ""),
    text("Parameters", "Where its parameters are.", parametersText),
    AGE,
  ],
};
