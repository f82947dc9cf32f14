// CustomResourceDefinitions: kinds that a user adds to the API.
import type { CustomResourceDefinitionSpec } from "../generated/types.ts";
import type { KindDefinition } from "../kind.ts";
import { APIEXTENSIONS_GROUP, type CustomResourceDefinition, storageVersion } from "./types.ts";

const WEBHOOK_PORT = 443;

function setSpecDefaults(spec: CustomResourceDefinitionSpec): void {
  const names = spec.names ??= {};
  names.singular ||= (names.kind ?? "").toLowerCase() || undefined;
  if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: "None" };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service) service.port ??= WEBHOOK_PORT;
}

/** Objects may be stored in every version that has ever been the storage version. */
function recordStoredVersion(crd: CustomResourceDefinition): void {
  const version = storageVersion(crd);
  if (version === undefined) return;
  crd.status ??= {};
  const stored = crd.status.storedVersions ?? [];
  if (!stored.includes(version)) crd.status.storedVersions = [...stored, version];
}

export const customResourceDefinition: KindDefinition<CustomResourceDefinition> = {
  gvk: { group: APIEXTENSIONS_GROUP, version: "v1", kind: "CustomResourceDefinition" },
  resource: "customresourcedefinitions",
  generation: true,
  allowUnconditionalUpdate: false,
  setDefaults(crd) {
    setSpecDefaults(crd.spec ??= {});
    if (!crd.status?.storedVersions?.length) recordStoredVersion(crd);
  },
  prepareForCreate(crd) {
    crd.status = {};
    recordStoredVersion(crd);
  },
  prepareForUpdate: recordStoredVersion,
};
