// Where a custom resource has the numbers of its scale.
import type { CustomResourceSubresourceScale } from "../facts/generated/types.ts";
import { type FieldError, invalid, Path } from "../machinery/field_error.ts";
import { goFormat } from "../machinery/go_text.ts";
import { isObject, type Json, type JsonObject, type KubeObject } from "../machinery/types.ts";
import { lookUp } from "../machinery/look_up.ts";

const MAX_INT32 = 2 ** 31 - 1;

/** A value of another type than a scale needs; the message is the API's. */
export class AccessorError extends Error {}

/** `.spec.replicas` → spec, replicas. */
export function pathOf(text: string): string[] {
  return text.replace(/^\./, "").split(".");
}

/** Throws {@link AccessorError}. */
function nested(object: KubeObject, path: readonly string[], wanted: "int64" | "string"): Json | undefined {
  let value: Json | undefined = object as unknown as Json;
  for (const [i, name] of path.entries()) {
    if (value === undefined || value === null) return undefined;
    if (!isObject(value)) throw mistyped(path.slice(0, i + 1), value, MAP);
    value = lookUp(value, name);
  }
  if (value === undefined) return undefined;
  if (typeof value === "bigint" && wanted === "int64") return Number(value);
  if (wanted === "int64" ? Number.isInteger(value) : typeof value === "string") return value;
  throw mistyped(path, value, wanted);
}

const MAP = "map[string]interface{}";
const GO_TYPES: Readonly<Record<string, string>> = { string: "string", boolean: "bool" };

function mistyped(path: readonly string[], value: Json, wanted: string): AccessorError {
  const type = value === null
    ? "<nil>"
    : Array.isArray(value)
    ? "[]interface {}"
    : typeof value === "bigint"
    ? "int64"
    : typeof value === "number"
    ? Number.isInteger(value) ? "int64" : "float64"
    : GO_TYPES[typeof value] ?? "map[string]interface {}";
  return new AccessorError(
    `.${path.join(".")} accessor error: ${goFormat(value)} is of the type ${type}, expected ${wanted}`,
  );
}

/** The numbers of a scale as they are in an object. */
export class ScaleFields {
  readonly specPath: readonly string[];
  readonly #statusPath: readonly string[];
  readonly #selectorPath: readonly string[] | undefined;

  constructor(readonly paths: CustomResourceSubresourceScale) {
    this.specPath = pathOf(paths.specReplicasPath ?? "");
    this.#statusPath = pathOf(paths.statusReplicasPath ?? "");
    this.#selectorPath = paths.labelSelectorPath ? pathOf(paths.labelSelectorPath) : undefined;
  }

  /** Undefined when nothing is said of it. Throws {@link AccessorError}. */
  wanted(object: KubeObject): number | undefined {
    return nested(object, this.specPath, "int64") as number | undefined;
  }

  /** Throws {@link AccessorError}. */
  present(object: KubeObject): number {
    return (nested(object, this.#statusPath, "int64") ?? 0) as number;
  }

  /** Throws {@link AccessorError}. */
  selector(object: KubeObject): string {
    return this.#selectorPath === undefined ? "" : (nested(object, this.#selectorPath, "string") ?? "") as string;
  }

  /** Throws {@link AccessorError} when something else is in the way. */
  setWanted(object: KubeObject, replicas: number): void {
    let at = object as unknown as JsonObject;
    for (const [i, name] of this.specPath.slice(0, -1).entries()) {
      const next = lookUp(at, name) ?? (at[name] = {});
      if (!isObject(next)) throw mistyped(this.specPath.slice(0, i + 1), next, MAP);
      at = next;
    }
    at[this.specPath.at(-1)!] = replicas;
  }

  validateSpec(object: KubeObject): FieldError[] {
    return replicaErrors(this.paths.specReplicasPath ?? "", () => this.wanted(object) ?? 0);
  }

  validateStatus(object: KubeObject): FieldError[] {
    const errors = replicaErrors(this.paths.statusReplicasPath ?? "", () => this.present(object));
    try {
      this.selector(object);
    } catch (error) {
      if (!(error instanceof AccessorError)) throw error;
      errors.push(invalid(new Path(this.paths.labelSelectorPath!), "", error.message));
    }
    return errors;
  }
}

function replicaErrors(field: string, read: () => number): FieldError[] {
  const at = new Path(field);
  try {
    const replicas = read();
    if (replicas < 0) return [invalid(at, replicas, "should be a non-negative integer")];
    if (replicas > MAX_INT32) return [invalid(at, replicas, `should be less than or equal to ${MAX_INT32}`)];
    return [];
  } catch (error) {
    if (!(error instanceof AccessorError)) throw error;
    return [invalid(at, 0, error.message)];
  }
}
