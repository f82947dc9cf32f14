// CustomResourceDefinitions: kinds that a user adds to the API.
import type { CustomResourceDefinitionSpec } from "../../facts/generated/types.ts";
import { LaterModule } from "../../later.ts";
import type { KindDefinition } from "../kind.ts";
import { APIEXTENSIONS_GROUP, type CustomResourceDefinition, recordStoredVersion } from "./types.ts";

const WEBHOOK_PORT = 443;

const rules = new LaterModule(() => import("./rules.ts"));

function setSpecDefaults(spec: CustomResourceDefinitionSpec): void {
  const names = spec.names ??= {};
  names.singular ||= (names.kind ?? "").toLowerCase() || undefined;
  if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: "None" };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service) service.port ??= WEBHOOK_PORT;
}

export const customResourceDefinition: KindDefinition<CustomResourceDefinition> = {
  gvk: { group: APIEXTENSIONS_GROUP, version: "v1", kind: "CustomResourceDefinition" },
  resource: "customresourcedefinitions",
  async load(crd) {
    await rules.load();
    await rules.module.loadCompilers(crd);
  },
  generation: true,
  allowUnconditionalUpdate: false,
  anyFinalizers: true,
  setDefaults(crd) {
    setSpecDefaults(crd.spec ??= {});
    if (!crd.status?.storedVersions?.length) recordStoredVersion(crd);
  },
  prepareForCreate(crd) {
    crd.status = {};
    rules.module.prepare(crd);
  },
  prepareForUpdate: (crd) => rules.module.prepare(crd),
  checksMetadata: true,
  validate: (crd) => rules.module.validate(crd),
  warningsOnCreate: (crd) => rules.module.warnings(crd),
  validateUpdate: (crd, old) => rules.module.validateUpdate(crd, old),
  warningsOnUpdate: (crd, old) => rules.module.warnings(crd, old),
  subresources: { status: { validateUpdate: (crd) => rules.module.validateStatus(crd) } },
};
