// Lays what an expression gave over an object: an apply configuration or a JSON patch.
import { clone } from "../../../machinery/clone.ts";
import { atomicFields, checkApplied, mergeApplied } from "../../../machinery/apply/mod.ts";
import { EvalError } from "../../../machinery/cel/mod.ts";
import { misplacedTypes, ObjectValue, patchJson, PatchValue } from "../../../machinery/cel/policies/patches.ts";
import { ListValue, type Value } from "../../../machinery/cel/values/value.ts";
import { applyJsonPatch, PatchError } from "../../../machinery/patch/mod.ts";
import type { Json, JsonObject, KubeObject } from "../../../machinery/types.ts";
import type { AdmissionKind } from "../../interface.ts";
import type { CompiledMutation } from "./compiled.ts";

/** A patch that cannot be laid over the object. */
export class MutationError extends Error {}

/** A new object, or the same when nothing is to be done. Throws {@link MutationError}. */
export function patched(
  patchType: CompiledMutation["patchType"],
  value: Value,
  object: KubeObject,
  kind: AdmissionKind,
): KubeObject {
  const result = patchType === "JSONPatch" ? jsonPatched(value, object) : applied(value, object, kind);
  if (result === object) return object;
  const changed = kind.decode(result as Json);
  kind.setDefaults(changed);
  return changed;
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

function checkTypes(value: Value): void {
  const misplaced = misplacedTypes(value);
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
  let document = clone(object) as unknown as Json;
  for (const operation of value.toArray().map(operationOf)) {
    try {
      document = applyJsonPatch(document, [operation]);
    } catch (e) {
      if (!(e instanceof PatchError)) throw e;
      // A test that fails leaves the object as it is.
      if (operation.op === "test") return object;
      throw new MutationError(`JSON Patch: ${explain(operation, e.message)}`);
    }
  }
  return document as unknown as KubeObject;
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

/** Why an operation does not fit, in the words of the library that kube-apiserver patches with. */
function explain({ op, path }: JsonObject, why: string): string {
  const at = `error in ${op} for path: '${path}': ${why}`;
  if (why.startsWith("doc is missing")) {
    return `${op} operation does not apply: ${op === "replace" ? why.replaceAll('"', "") : why}: missing value`;
  }
  if (why.startsWith("Unable to access invalid index")) return `${at}: invalid index referenced`;
  if (why.startsWith("Unable to remove")) return `${at}: missing value`;
  const index = /^value was not a proper array index: '(.*)'$/.exec(why);
  return index === null ? why : `${at}: strconv.Atoi: parsing "${index[1]}": invalid syntax`;
}
