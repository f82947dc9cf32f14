// The server's own view of a CRD's spec, whose paths its messages name: what all versions have in common stands once,
// above them.
import { deepEqual } from "../../machinery/validation/mod.ts";
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
  SelectableField,
} from "../../facts/generated/types.ts";
import { type JsonSchema, rootSchema } from "./schema/json_schema.ts";

export interface InternalSpec extends Omit<CustomResourceDefinitionSpec, "versions"> {
  versions: CustomResourceDefinitionVersion[];
  /** Whether there is a list of versions, however long. */
  hasVersions: boolean;
  /** That of the first version. */
  version: string;
  validation?: CustomResourceValidation;
  subresources?: CustomResourceSubresources;
  additionalPrinterColumns?: CustomResourceColumnDefinition[];
  selectableFields?: SelectableField[];
}

const SHARED = ["schema", "subresources", "additionalPrinterColumns", "selectableFields"] as const;

/** Nothing of the spec is changed. */
export function internalSpec(spec: CustomResourceDefinitionSpec): InternalSpec {
  const versions = (spec.versions ?? []).map((version) => ({ ...version }));
  const internal: InternalSpec = { ...spec, versions, hasVersions: !!spec.versions, version: versions[0]?.name ?? "" };
  for (const member of SHARED) {
    const [first] = versions;
    if (first === undefined || versions.some((v) => !deepEqual(v[member], first[member]))) continue;
    Object.assign(internal, { [member === "schema" ? "validation" : member]: first[member] });
    for (const version of versions) delete version[member];
  }
  return internal;
}

/** What a version has, by itself or like all. */
export function schemaOfVersion(
  spec: InternalSpec,
  version: CustomResourceDefinitionVersion,
): JsonSchema | undefined {
  return rootSchema(version.schema ?? spec.validation);
}
