// Runtime classes: which container runtime of a node runs a pod, and what that costs (KEP-585).
import type { KubeObject } from "../../machinery/types.ts";
import {
  collect,
  type Field,
  nameIsDNSLabel,
  validateImmutable,
  validateLabels,
} from "../../machinery/validation/mod.ts";
import { AGE, NAME, text } from "../columns.ts";
import { podRules } from "../core/pod_spec/later.ts";
import { validateOverhead } from "../core/pod_spec/resources.ts";
import type { RuntimeClass, Scheduling } from "../../facts/generated/types.ts";
import { internalForm } from "../internal_form.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta, checkMetaUpdate } from "../meta.ts";

type ClassObject = KubeObject & RuntimeClass;

const META = { namespaced: false, standardFinalizers: false };

function check(object: ClassObject, root: Field): void {
  checkMeta(object, root, META);
  const { handler = "", overhead, scheduling } = object, at = root.child("handler");
  if (handler === "") at.required();
  else at.invalidEach(handler, nameIsDNSLabel(handler, false));
  if (overhead) {
    const noPod = {
      spec: {},
      options: podRules.module.podOptions(undefined),
      volumes: new Map(),
      claims: new Set<string>(),
    };
    validateOverhead(overhead.podFixed ?? {}, root.child("overhead"), noPod);
  }
  if (scheduling) checkScheduling(scheduling, root.child("scheduling"));
}

function checkScheduling({ nodeSelector, tolerations = [] }: Scheduling, at: Field): void {
  validateLabels(nodeSelector, at.child("nodeSelector"));
  const field = at.child("tolerations"), seen = new Set<string>();
  podRules.module.validateTolerations(tolerations, field, podRules.module.podOptions(undefined));
  tolerations.forEach((toleration, i) => {
    const { key = "", operator = "", value = "", effect = "" } = toleration;
    const id = JSON.stringify([key, operator, value, effect]);
    if (seen.has(id)) field.index(i).duplicate(internalForm("Toleration", toleration));
    seen.add(id);
  });
}

function warnings({ scheduling }: ClassObject): string[] {
  return Object.keys(scheduling?.nodeSelector ?? {}).flatMap((key) => {
    const message = podRules.module.deprecatedNodeLabel(key);
    return message === undefined ? [] : [`scheduling.nodeSelector: ${message}`];
  });
}

export const runtimeClass: KindDefinition<ClassObject> = {
  gvk: { group: "node.k8s.io", version: "v1", kind: "RuntimeClass" },
  resource: "runtimeclasses",
  load: () => podRules.load(),
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  anyFinalizers: true,
  checksMetadata: true,
  validate: (object) => collect((root) => check(object, root)),
  validateUpdate: (object, old) =>
    collect((root) => {
      check(object, root);
      checkMetaUpdate(object, old, root, { standardFinalizers: false });
      validateImmutable({ now: object.handler, before: old.handler }, root.child("handler"));
    }),
  warningsOnCreate: warnings,
  warningsOnUpdate: warnings,
  columns: [NAME, text("Handler", "The runtime's name on the nodes.", (o) => o.handler ?? ""), AGE],
};
