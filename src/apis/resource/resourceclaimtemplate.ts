// Resource claim templates: claims that are made for each pod (KEP-4381).
import type { KubeObject } from "../../machinery/types.ts";
import { collect, type Field, validateImmutable } from "../../machinery/validation/mod.ts";
import { AGE, NAME } from "../columns.ts";
import type { ResourceClaimTemplate } from "../../facts/generated/types.ts";
import { LaterModule } from "../../later.ts";
import { internalForm } from "../internal_form.ts";
import { loadLanguage } from "../expressions.ts";
import type { KindDefinition } from "../kind.ts";
import { checkMeta, checkMetaUpdate, checkTemplateMeta } from "../meta.ts";
import { setClaimDefaults } from "./claim_defaults.ts";

const rules = new LaterModule(() => import("./claim_spec.ts"));

type TemplateObject = KubeObject & ResourceClaimTemplate;

function check(template: TemplateObject, root: Field): void {
  const { metadata, spec = {} } = template.spec ?? {}, at = root.child("spec");
  checkMeta(template, root, { namespaced: true });
  checkTemplateMeta(metadata, at.child("metadata"));
  rules.module.checkClaimSpec(spec, at.child("spec"));
}

export const resourceClaimTemplate: KindDefinition<TemplateObject> = {
  gvk: { group: "resource.k8s.io", version: "v1", kind: "ResourceClaimTemplate" },
  resource: "resourceclaimtemplates",
  async load({ spec }) {
    await rules.load();
    if (rules.module.hasExpressions(spec?.spec)) await loadLanguage();
  },
  returnsDeletedObject: true,
  setDefaults: ({ spec }) => setClaimDefaults(spec?.spec),
  checksMetadata: true,
  validate: (template) => collect((root) => check(template, root)),
  validateUpdate: (template, old) =>
    collect((root) => {
      check(template, root);
      checkMetaUpdate(template, old, root);
      const [now, before] = [template, old].map(({ spec }) => internalForm("ResourceClaimTemplateSpec", spec));
      validateImmutable({ now, before }, root.child("spec"));
    }),
  columns: [NAME, AGE],
};
