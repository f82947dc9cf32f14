// CustomResourceDefinitions of v1beta1: no longer served, but the form in which kube-apiserver stores them.
import type { Json, JsonObject, KubeObject } from "../../machinery/types.ts";
import type { CustomResourceDefinition } from "./types.ts";

/** What stands beside the versions when it is the same for all of them, by its name in a version. */
const SHARED: Readonly<Record<string, string>> = {
  schema: "validation",
  subresources: "subresources",
  additionalPrinterColumns: "additionalPrinterColumns",
  selectableFields: "selectableFields",
};

/** The same definition as v1. */
export function crdFromV1beta1(object: KubeObject): CustomResourceDefinition {
  const { version, versions, validation: _, conversion, preserveUnknownFields = true, ...rest } = object
    .spec as JsonObject;
  for (const name of Object.values(SHARED)) delete rest[name];
  const listed = versions as JsonObject[] | undefined ?? [{ name: version, served: true, storage: true }];
  const spec: JsonObject = { ...rest, versions: listed.map((v) => versionOf(v, object.spec)) };
  if (conversion) spec.conversion = conversionOf(conversion as JsonObject);
  // Left out where it is false, as it has to be in v1.
  if (preserveUnknownFields) spec.preserveUnknownFields = true;
  return { ...object, apiVersion: "apiextensions.k8s.io/v1", spec } as unknown as CustomResourceDefinition;
}

function versionOf(version: JsonObject, spec: JsonObject): JsonObject {
  const own = { ...version };
  for (const [name, shared] of Object.entries(SHARED)) if (spec[shared] !== undefined) own[name] = spec[shared];
  if (Array.isArray(own.additionalPrinterColumns)) {
    own.additionalPrinterColumns = own.additionalPrinterColumns.map(columnOf);
  }
  return own;
}

function columnOf(column: Json): Json {
  const { JSONPath, ...rest } = column as JsonObject;
  return { ...rest, jsonPath: JSONPath };
}

function conversionOf({ strategy, webhookClientConfig, conversionReviewVersions }: JsonObject): JsonObject {
  if (webhookClientConfig === undefined && conversionReviewVersions === undefined) return { strategy };
  const webhook: JsonObject = { conversionReviewVersions: conversionReviewVersions ?? null };
  if (webhookClientConfig !== undefined) webhook.clientConfig = webhookClientConfig;
  return { strategy, webhook };
}
