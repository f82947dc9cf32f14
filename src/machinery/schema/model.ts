// The schema model: one description of every type, built-in or from a CustomResourceDefinition, that drives strict
// decoding, encoding order, protobuf, strategic merge, server-side apply, pruning, defaulting and the published OpenAPI.
import type { Json } from "../types.ts";

/** Values that have no members. The names say how they are written in JSON and checked on decode. */
export type ScalarKind =
  | "string"
  | "boolean"
  | "int32"
  | "int64"
  | "double"
  /** base64 in JSON */
  | "bytes"
  /** `100m`, kept as canonical text */
  | "quantity"
  /** RFC 3339 in seconds */
  | "time"
  /** RFC 3339 with six digits of fraction */
  | "microTime"
  /** Go's duration text, `1m0s` */
  | "duration"
  /** a number or a string */
  | "intOrString"
  /** a map of field sets, kept as it is */
  | "fieldsV1"
  /** any JSON; an object in it is a whole API object (runtime.RawExtension) */
  | "rawExtension"
  /** any JSON (apiextensions' JSON, x-kubernetes-preserve-unknown-fields without properties) */
  | "json"
  /** a JSONSchemaProps, or: a list of them, true or false, a list of strings */
  | "schemaOrArray"
  | "schemaOrBool"
  | "schemaOrStringArray";

export interface ScalarType {
  kind: ScalarKind;
  /** Allowed values, where the published schema has them. Not enforced on decode. */
  enum?: readonly string[];
}

export interface ListType {
  kind: "list";
  /** Elements' type; a getter, since types may contain themselves. */
  readonly element: TypeModel;
  /** How server-side apply merges it; `atomic` when nothing is said. */
  listType: "atomic" | "set" | "map";
  /** For `map`: the fields that name an element. */
  mapKeys: readonly string[];
}

export interface MapType {
  kind: "map";
  readonly value: TypeModel;
  /** Server-side apply replaces an atomic map as a whole. */
  atomic: boolean;
  /** A null is as no value (custom resources whose values are not nullable). */
  readonly dropsNull?: boolean;
}

export interface StructType {
  kind: "struct";
  /** The type's name: `io.k8s.api.core.v1.PodSpec`; for a custom resource `GROUP/VERSION.KIND` and a path. */
  name: string;
  /** What Go's decoder calls it in its messages: `v1.PodSpec`... empty for custom resources. */
  goName: string;
  /** In the order in which they are written. */
  readonly fields: ReadonlyMap<string, FieldModel>;
  /** Server-side apply replaces an atomic struct as a whole. */
  atomic: boolean;
  /** Unknown members are kept (custom resources with x-kubernetes-preserve-unknown-fields). */
  preserveUnknown: boolean;
  /** Unknown members take this type (a struct with additionalProperties beside properties). */
  readonly additional?: TypeModel;
  /** An embedded whole object: apiVersion, kind and metadata are required and kept. */
  embedded: boolean;
}

export type TypeModel = ScalarType | ListType | MapType | StructType;

export interface FieldModel {
  name: string;
  /** A getter, so that a type is built when it is first needed. */
  readonly type: TypeModel;
  /** Must be present (published `required`); checked by validation, not by decode. */
  required: boolean;
  /** Its default in the published schema: drives map keys with a default (`protocol: TCP`) and defaulting. */
  default?: Json;
  /** `null` is a value of its own (custom resources). */
  nullable: boolean;
  /**
   * When an empty value is left out. `empty`: false, 0, "", nil and empty lists and maps (Go omitempty; for a pointer
   * only nil). `zero`: a struct without members set (omitzero). `never`: written always, a nil list, map or pointer as
   * null, a scalar as its zero value.
   */
  omit: "empty" | "zero" | "never";
  /** Go holds a pointer: `0`, `false` and `""` are kept when given. */
  pointer: boolean;
  /** Its number in protobuf; 0 when it has none. */
  number: number;
  /**
   * The structs of Go that hold the field, where JSON has it inline, outermost first: protobuf nests it in messages of
   * these numbers, and the decoder names them in its messages.
   */
  within: readonly (readonly [struct: string, number: number])[];
  /** What Go's decoder calls its type, where the type has a name of its own: `v1.PodPhase`, `[]v1.ExtraValue`. */
  goType?: string;
  /** `x-kubernetes-patch-strategy`, split: merge, replace, retainKeys. */
  patchStrategy: readonly string[];
  patchMergeKey?: string;
}

/** Looks up types by the name of the published schema or by group, version and kind. */
export interface SchemaRegistry {
  /** `io.k8s.api.core.v1.Pod`; undefined when there is none. */
  typeByName(name: string): StructType | undefined;
  /** The type of a kind, TypeMeta included (its first two fields are `kind` and `apiVersion`). */
  typeOfKind(gvk: { group: string; version: string; kind: string }): StructType | undefined;
}
