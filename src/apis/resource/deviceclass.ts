// Device classes: which devices a claim may ask for by one name (KEP-4381).
import type { KubeObject } from "../../machinery/types.ts";
import { collect, type Field, nameIsDNSSubdomain } from "../../machinery/validation/mod.ts";
import { AGE, NAME } from "../columns.ts";
import { isExtendedResource } from "../core/resource_names.ts";
import type { DeviceClass } from "../../facts/generated/types.ts";
import { LaterModule } from "../../later.ts";
import { loadLanguage } from "../expressions.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta, checkMetaUpdate } from "../meta.ts";
import { checkList } from "./lists.ts";

const rules = new LaterModule(() => import("./claim_spec.ts"));

type ClassObject = KubeObject & DeviceClass;

/** A subdomain; its length counts in bytes, as the declarative rules of the real server have it. */
function nameProblems(name: string, prefix: boolean): string[] {
  return nameIsDNSSubdomain(name, prefix).map((message) => message.replace("253 characters", "253 bytes"));
}

function checkSpec({ spec = {} }: ClassObject, at: Field): void {
  const { extendedResourceName: extended } = spec, { checkConfig, checkSelectors, MAX_CONFIGS } = rules.module;
  checkSelectors(spec.selectors, at.child("selectors"));
  checkList(spec.config, at.child("config"), { max: MAX_CONFIGS, check: checkConfig });
  if (extended !== undefined && !isExtendedResource(extended)) {
    at.child("extendedResourceName").invalid(extended, "must be a valid extended resource name");
  }
}

export const deviceClass: KindDefinition<ClassObject> = {
  gvk: { group: "resource.k8s.io", version: "v1", kind: "DeviceClass" },
  resource: "deviceclasses",
  async load({ spec }) {
    await rules.load();
    if (spec?.selectors?.length) await loadLanguage();
  },
  generation: true,
  returnsDeletedObject: true,
  checksMetadata: true,
  validate: (object) =>
    collect((root) => {
      checkMeta(object, root, { namespaced: false, validateName: nameProblems });
      checkSpec(object, root.child("spec"));
    }),
  validateUpdate: (object, old) =>
    collect((root) => {
      checkMeta(object, root, { namespaced: false, validateName: nameProblems });
      checkMetaUpdate(object, old, root);
      checkSpec(object, root.child("spec"));
    }),
  columns: [NAME, AGE],
};
