// The schema model of custom resources: structural schemas (KEP-1693) read as types, part by part when one is needed.
import type { Json } from "../types.ts";
import { builtinSchema } from "./builtin.ts";
import type { FieldModel, ListType, MapType, ScalarType, StructType, TypeModel } from "./model.ts";
import { additionalOf, itemsOf, type JSONSchema } from "./structural_schema.ts";
import { lookUp } from "../look_up.ts";

const PRESERVE = "x-kubernetes-preserve-unknown-fields";
const EMBEDDED = "x-kubernetes-embedded-resource";
const NONE: readonly never[] = [];

/** A value of any kind whose objects are not described: nothing of these is kept. */
const UNDESCRIBED: ScalarType = { kind: "intOrString" };
const ANYTHING: ScalarType = { kind: "json" };
const SCALARS: Readonly<Record<string, ScalarType>> = {
  string: { kind: "string" },
  integer: { kind: "int64" },
  number: { kind: "double" },
  boolean: { kind: "boolean" },
};

/** A text with a format: server-side apply takes any scalar for it, as it does for times. */
const FORMATTED: ScalarType = { kind: "time" };

const types = new WeakMap<JSONSchema, TypeModel>();

/** The type of the values that a schema describes. */
export function structuralType(schema: JSONSchema): TypeModel {
  let type = types.get(schema);
  if (type === undefined) types.set(schema, type = read(schema));
  return type;
}

/**
 * The type of whole objects: kind, apiVersion and metadata are fields whatever the schema says of them.
 * @param schema undefined: nothing but these is known
 * @param name `GROUP/VERSION.KIND`
 */
export function structuralRoot(schema: JSONSchema | undefined, name: string): StructType {
  return new StructuralStruct(schema ?? { type: "object" }, { name, isRoot: true });
}

function read(schema: JSONSchema): TypeModel {
  if (schema["x-kubernetes-int-or-string"]) return UNDESCRIBED;
  const { type = "", format = "" } = schema;
  if (type === "string" && format !== "" && format !== "byte") return FORMATTED;
  if (type === "array") return new StructuralList(schema);
  if (type !== "object" && !schema[EMBEDDED]) {
    return lookUp(SCALARS, type) ?? (schema[PRESERVE] ? ANYTHING : UNDESCRIBED);
  }
  if (schema.properties !== undefined || schema[EMBEDDED]) return new StructuralStruct(schema, {});
  if (schema.additionalProperties !== undefined) return new StructuralMap(schema);
  return schema[PRESERVE] ? ANYTHING : new StructuralStruct(schema, {});
}

class StructuralStruct implements StructType {
  readonly kind = "struct";
  readonly name: string;
  /** No type of Go: this is how custom types are told from built-in ones. */
  readonly goName = "";
  readonly atomic: boolean;
  readonly preserveUnknown: boolean;
  readonly embedded: boolean;
  readonly #schema: JSONSchema;
  readonly #isWhole: boolean;
  #fields: Map<string, FieldModel> | undefined;

  constructor(schema: JSONSchema, { name = "", isRoot = false }: { name?: string; isRoot?: boolean }) {
    this.#schema = schema;
    this.name = name;
    this.atomic = schema["x-kubernetes-map-type"] === "atomic";
    this.preserveUnknown = schema[PRESERVE] === true;
    this.embedded = schema[EMBEDDED] === true;
    this.#isWhole = isRoot || this.embedded;
  }

  get fields(): ReadonlyMap<string, FieldModel> {
    if (this.#fields !== undefined) return this.#fields;
    const fields = new Map<string, FieldModel>(this.#isWhole ? header() : NONE);
    const required = new Set(this.#schema.required);
    for (const [name, property] of Object.entries(this.#schema.properties ?? {})) {
      if (!fields.has(name)) fields.set(name, new StructuralField(name, property, required.has(name)));
    }
    return this.#fields = fields;
  }

  get additional(): TypeModel | undefined {
    const additional = additionalOf(this.#schema);
    return additional && structuralType(additional);
  }
}

/** The fields of every object, which are those of built-in kinds. */
function header(): [string, FieldModel][] {
  return [...builtinSchema().typeOfKind({ group: "", version: "v1", kind: "ConfigMap" })!.fields].slice(0, 3);
}

class StructuralField implements FieldModel {
  readonly default?: Json;
  readonly nullable: boolean;
  readonly omit = "empty";
  readonly pointer = true;
  readonly number = 0;
  readonly within = NONE;
  readonly patchStrategy = NONE;
  readonly #schema: JSONSchema;

  constructor(readonly name: string, schema: JSONSchema, readonly required: boolean) {
    this.#schema = schema;
    this.default = schema.default;
    this.nullable = schema.nullable === true;
  }

  get type(): TypeModel {
    return structuralType(this.#schema);
  }
}

class StructuralList implements ListType {
  readonly kind = "list";
  readonly listType: ListType["listType"];
  readonly mapKeys: readonly string[];
  readonly #items: JSONSchema | undefined;

  constructor(schema: JSONSchema) {
    this.listType = (schema["x-kubernetes-list-type"] ?? "atomic") as ListType["listType"];
    this.mapKeys = this.listType === "map" ? schema["x-kubernetes-list-map-keys"] ?? NONE : NONE;
    this.#items = itemsOf(schema);
  }

  get element(): TypeModel {
    return this.#items === undefined ? UNDESCRIBED : structuralType(this.#items);
  }
}

class StructuralMap implements MapType {
  readonly kind = "map";
  readonly atomic: boolean;
  readonly dropsNull: boolean;
  readonly #values: JSONSchema | undefined;

  constructor(schema: JSONSchema) {
    this.atomic = schema["x-kubernetes-map-type"] === "atomic";
    this.#values = additionalOf(schema);
    this.dropsNull = this.#values !== undefined && !this.#values.nullable && this.#values.default === undefined;
  }

  get value(): TypeModel {
    return this.#values === undefined ? UNDESCRIBED : structuralType(this.#values);
  }
}
