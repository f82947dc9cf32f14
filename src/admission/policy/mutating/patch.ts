// Lays what an expression gave over an object: an apply configuration or a JSON patch.
import { clone } from "../../../machinery/clone.ts";
import { atomicFields, checkApplied, mergeApplied } from "../../../machinery/apply/mod.ts";
import { decode, DecodeError } from "../../../machinery/codec/decode.ts";
import { internalError } from "../../../machinery/errors.ts";
import { EvalError } from "../../../machinery/cel/mod.ts";
import { misplacedTypes, ObjectValue, patchJson, PatchValue } from "../../../machinery/cel/policies/patches.ts";
import { ListValue, type Value } from "../../../machinery/cel/values/value.ts";
import { applyJsonPatch, PatchError } from "../../../machinery/patch/mod.ts";
import type { Json, JsonObject, KubeObject } from "../../../machinery/types.ts";
import type { AdmissionKind } from "../../interface.ts";
import type { CompiledMutation } from "./compiled.ts";

/** A patch that cannot be laid over the object. */
export class MutationError extends Error {}

/** A new object, or the same when nothing is to be done. Throws {@link MutationError}, InternalError. */
export function patched(
  patchType: CompiledMutation["patchType"],
  value: Value,
  object: KubeObject,
  kind: AdmissionKind,
): KubeObject {
  const result = patchType === "JSONPatch" ? jsonPatched(value, object) : applied(value, object, kind);
  if (result === object) return object;
  const changed = decoded(result, kind, patchType === "JSONPatch" && !kind.custom);
  kind.setDefaults(changed);
  return changed;
}

/** Throws InternalError when the object is none of its kind any more. */
function decoded(object: KubeObject, { type }: AdmissionKind, strict: boolean): KubeObject {
  try {
    const { object: result, strictErrors } = decode(type, object as unknown as Json, { strict });
    if (strictErrors.length > 0) throw new DecodeError(`strict decoding error: ${strictErrors.join(", ")}`);
    return result;
  } catch (e) {
    throw e instanceof DecodeError ? internalError(e.message) : e;
  }
}

function applied(value: Value, object: KubeObject, { type }: AdmissionKind): KubeObject {
  if (!(value instanceof ObjectValue)) {
    throw new MutationError("unsupported return type from ApplyConfiguration expression");
  }
  checkTypes(value);
  const patch = asJson(value) as JsonObject;
  patch.kind = object.kind;
  patch.apiVersion = object.apiVersion;
  const problems = checkApplied(type, patch);
  if (problems.length > 0) {
    throw new MutationError(
      `error applying patch: failed to convert patch object to typed object: ${problems.join("\n")}`,
    );
  }
  const atomics = atomicFields(type, patch);
  if (atomics.length > 0) {
    throw new MutationError(
      "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: " +
        atomics.join(", "),
    );
  }
  return mergeApplied(type, object as unknown as JsonObject, patch) as unknown as KubeObject;
}

function checkTypes(value: ObjectValue): void {
  const misplaced = misplacedTypes(value, [value.type.name]);
  if (misplaced.length > 0) throw new MutationError(`type mismatch: ${misplaced.join("\n")}`);
}

function asJson(value: Value): Json {
  try {
    return patchJson(value);
  } catch (e) {
    if (!(e instanceof EvalError)) throw e;
    throw new MutationError(
      `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${e.message}`,
    );
  }
}

function jsonPatched(value: Value, object: KubeObject): KubeObject {
  if (!(value instanceof ListValue)) {
    throw new MutationError("type mismatch: JSONPatchType.expression should evaluate to array");
  }
  try {
    const document = clone(object) as unknown as Json;
    return applyJsonPatch(document, value.toArray().map(operationOf)) as unknown as KubeObject;
  } catch (e) {
    if (!(e instanceof PatchError)) throw e;
    // A test that fails leaves the object as it is.
    if (e.message.endsWith(": test failed")) return object;
    throw new MutationError(`JSON Patch: ${e.message}`);
  }
}

function operationOf(value: Value): JsonObject {
  if (!(value instanceof PatchValue)) {
    throw new MutationError("type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch");
  }
  const operation: JsonObject = { op: "", path: "" };
  for (const [name, member] of value.fields) {
    if (name === "value" && member instanceof ObjectValue) checkTypes(member);
    if (name !== "from" || member !== "") operation[name] = asJson(member);
  }
  return operation;
}
