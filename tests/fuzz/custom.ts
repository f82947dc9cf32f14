// The custom resources that are fuzzed: those of the comparison of patches.
import { structuralRoot } from "../../src/machinery/schema/structural.ts";
import type { StructType } from "../../src/machinery/schema/model.ts";
import type { JsonObject } from "../../src/machinery/types.ts";
import { DEFINITIONS } from "../peers/patch_subjects.ts";

interface Definition {
  spec: { names: { kind: string }; versions: { schema: { openAPIV3Schema: JsonObject } }[] };
}

/** By kind; both versions of one have the same schema. */
export const CUSTOM_TYPES: ReadonlyMap<string, StructType> = new Map(
  (DEFINITIONS as unknown as readonly Definition[]).map(({ spec }) => [
    spec.names.kind,
    structuralRoot(spec.versions[0].schema.openAPIV3Schema, ""),
  ]),
);
