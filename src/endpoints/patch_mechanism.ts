// Parses a patch of any media type and applies it to an object's JSON.
import { requestEntityTooLargeError } from "../machinery/errors.ts";
import { goFormat, jsonKind } from "../machinery/go_text.ts";
import {
  applyJsonPatch,
  JSON_PATCH_MEMBERS,
  mergedText,
  mergePatch,
  operatedText,
  PatchError,
  strategicMergePatch,
} from "../machinery/patch/mod.ts";
import type { StructType } from "../machinery/schema/model.ts";
import type { Json, JsonObject } from "../machinery/types.ts";
import { JSON_PATCH, STRATEGIC_MERGE_PATCH } from "./patch_type.ts";
import { repeatedMembers } from "../machinery/codec/decode.ts";
import { BodySyntaxError, parseJsonBody } from "./serialize.ts";

const MAX_JSON_PATCH_OPERATIONS = 10_000;

export interface PatchRequest {
  /** The media type. */
  type: string;
  body: Uint8Array;
  /** Unknown and duplicate members of the patch are problems. */
  strict: boolean;
  schema: StructType;
}

export interface Patched {
  value: JsonObject;
  /** What strict decoding complains of in the patch. */
  problems: string[];
  /** The patch itself when messages show it instead of its result. */
  patch?: JsonObject;
  /** What messages show. */
  shown(): string;
}

/**
 * @param current JSON of the object in the served version; it may be changed
 * @throws PatchError
 */
export function patchObject(request: PatchRequest, current: JsonObject): Patched {
  switch (request.type) {
    case JSON_PATCH:
      return patchByOperations(request, current);
    case STRATEGIC_MERGE_PATCH: {
      const { value, duplicates } = parse(request, "");
      const patch = objectOf(value, "");
      const patched = strategicMergePatch(request.schema, current, patch);
      return { value: patched, problems: problemsOf(request, duplicates), patch, shown: () => goFormat(patch) };
    }
    default: {
      const { value, duplicates } = parse(request, DECODING);
      if (value === null) throw new PatchError("malformed", "Invalid JSON Patch");
      const merged = mergePatch(current, objectOf(value, DECODING));
      // Merging takes the patch apart.
      const shown = () => mergedText(merged, parse(request, DECODING).value);
      return { value: merged, problems: problemsOf(request, duplicates), shown };
    }
  }
}

const DECODING = "error decoding patch: ";

function parse({ body }: PatchRequest, prefix: string): { value: Json; duplicates: readonly string[] } {
  try {
    const { value, source } = parseJsonBody(body);
    return { value, duplicates: repeatedMembers(source) };
  } catch (error) {
    if (error instanceof BodySyntaxError) throw new PatchError("malformed", prefix + error.message);
    throw error;
  }
}

function problemsOf({ strict }: PatchRequest, duplicates: readonly string[]): string[] {
  return strict ? [...duplicates] : [];
}

function objectOf(value: Json, prefix: string): JsonObject {
  if (value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value;
  throw mistyped(value, "map[string]interface {}", prefix);
}

function mistyped(value: Json, goType: string, prefix: string): PatchError {
  return new PatchError(
    "malformed",
    `${prefix}json: cannot unmarshal ${jsonKind(value)} into Go value of type ${goType}`,
  );
}

function patchByOperations(request: PatchRequest, current: JsonObject): Patched {
  const { value, duplicates } = parse(request, DECODING);
  const operations = operationsOf(value);
  if (operations.length > MAX_JSON_PATCH_OPERATIONS) throw tooManyOperations(operations.length);
  const problems = problemsOf(request, duplicates).map((problem) => `json patch ${problem}`);
  if (request.strict) problems.push(...unknownMembers(operations));
  const patched = applyJsonPatch(current, operations);
  if (typeof patched === "object" && patched !== null && !Array.isArray(patched)) {
    return { value: patched, problems, shown: () => operatedText(patched, operations) };
  }
  throw new PatchError("inapplicable", "the patched document is no object");
}

function operationsOf(value: Json): JsonObject[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw mistyped(value, "[]handlers.jsonPatchOp", DECODING);
  return value.map((operation) => {
    if (operation === null) return {};
    if (typeof operation === "object" && !Array.isArray(operation)) return operation;
    throw mistyped(operation, "handlers.jsonPatchOp", DECODING);
  });
}

function unknownMembers(operations: readonly JsonObject[]): string[] {
  return operations.flatMap((operation, index) =>
    Object.keys(operation).filter((name) => !JSON_PATCH_MEMBERS.includes(name))
      .map((name) => `json patch unknown field "[${index}].${name}"`)
  );
}

function tooManyOperations(count: number): Error {
  return requestEntityTooLargeError(
    `The allowed maximum operations in a JSON patch is ${MAX_JSON_PATCH_OPERATIONS}, got ${count}`,
  );
}
