// The schema model of the built-in types, out of the generated table. The table is parsed when a type is first asked for.
import { MODEL_TEXT } from "../../facts/generated/model.ts";
import type { Json } from "../types.ts";
import type {
  FieldModel,
  ListType,
  MapType,
  ScalarKind,
  ScalarType,
  SchemaRegistry,
  StructType,
  TypeModel,
} from "./model.ts";

/** How the table writes a type: a scalar's name, `@struct`, a list or a map. */
type Expression = string | { l: Expression; t?: ListType["listType"]; k?: string[] } | { m: Expression; a?: 1 };

type FieldRow = [
  name: string,
  type: Expression,
  flags: string,
  number: number,
  extra?: { d?: Json; s?: string[]; k?: string; a?: 0 | 1; g?: string; o?: [string, number][] },
];

interface Table {
  types: Record<string, { f: FieldRow[]; a?: 1 }>;
  kinds: Record<string, string>;
  named: Record<string, string>;
}

const NONE: readonly never[] = [];
const SCALARS = new Map<string, ScalarType>();

let table: Table | undefined;
const structs = new Map<string, StructType>();

/** The registry of every built-in type. */
export function builtinSchema(): SchemaRegistry {
  return registry;
}

const registry: SchemaRegistry = {
  typeByName: structByName,
  typeOfKind({ group, version, kind }) {
    const name = open().kinds[`${group}/${version}/${kind}`];
    return name === undefined ? undefined : structByName(name);
  },
};

/** What Go's name for a list or map type stands for: `v1.ResourceList` → `map[v1.ResourceName]resource.Quantity`. */
export function goTypeBehind(name: string): string {
  return open().named[name] ?? name;
}

function open(): Table {
  return table ??= JSON.parse(MODEL_TEXT) as Table;
}

function structByName(name: string): StructType | undefined {
  const known = structs.get(name);
  if (known !== undefined) return known;
  const entry = open().types[name];
  if (entry === undefined) return undefined;
  const struct = new BuiltinStruct(name, entry.f, entry.a === 1);
  structs.set(name, struct);
  return struct;
}

class BuiltinStruct implements StructType {
  readonly kind = "struct";
  readonly goName: string;
  readonly preserveUnknown = false;
  readonly embedded = false;
  #fields: Map<string, FieldModel> | undefined;

  constructor(readonly name: string, readonly rows: FieldRow[], readonly atomic: boolean) {
    this.goName = name.split(".").slice(-2).join(".");
  }

  get fields(): ReadonlyMap<string, FieldModel> {
    return this.#fields ??= new Map(this.rows.map((row) => [row[0], new BuiltinField(row)]));
  }
}

class BuiltinField implements FieldModel {
  readonly name: string;
  readonly required: boolean;
  readonly default?: Json;
  readonly nullable = false;
  readonly omit: FieldModel["omit"];
  readonly pointer: boolean;
  readonly number: number;
  readonly within: FieldModel["within"];
  readonly goType?: string;
  readonly patchStrategy: readonly string[];
  readonly patchMergeKey?: string;
  readonly #expression: Expression;
  /** Undefined: as the type itself says. */
  readonly #atomic: boolean | undefined;
  #type: TypeModel | undefined;

  constructor([name, expression, flags, number, extra]: FieldRow) {
    this.name = name;
    this.#expression = expression;
    this.required = flags.includes("r");
    this.pointer = flags.includes("p");
    this.omit = flags.includes("z") ? "zero" : flags.includes("e") ? "empty" : "never";
    this.number = number;
    this.within = extra?.o ?? NONE;
    this.goType = extra?.g;
    this.default = extra?.d;
    this.patchStrategy = extra?.s ?? NONE;
    this.patchMergeKey = extra?.k;
    this.#atomic = extra?.a === undefined ? undefined : extra.a === 1;
  }

  get type(): TypeModel {
    return this.#type ??= this.#resolve();
  }

  #resolve(): TypeModel {
    const type = typeOf(this.#expression);
    const atomic = this.#atomic;
    if (atomic === undefined || type.kind !== "struct" || type.atomic === atomic) return type;
    return new BuiltinStruct(type.name, (type as BuiltinStruct).rows, atomic);
  }
}

function typeOf(expression: Expression): TypeModel {
  if (typeof expression === "string") {
    if (expression.startsWith("@")) return structByName(expression.slice(1))!;
    let scalar = SCALARS.get(expression);
    if (scalar === undefined) SCALARS.set(expression, scalar = { kind: expression as ScalarKind });
    return scalar;
  }
  return "l" in expression
    ? new BuiltinList(expression.l, expression)
    : new BuiltinMap(expression.m, expression.a === 1);
}

class BuiltinList implements ListType {
  readonly kind = "list";
  readonly listType: ListType["listType"];
  readonly mapKeys: readonly string[];
  readonly #expression: Expression;
  #element: TypeModel | undefined;

  constructor(element: Expression, { t, k }: { t?: ListType["listType"]; k?: string[] }) {
    this.#expression = element;
    this.listType = t ?? "atomic";
    this.mapKeys = k ?? NONE;
  }

  get element(): TypeModel {
    return this.#element ??= typeOf(this.#expression);
  }
}

class BuiltinMap implements MapType {
  readonly kind = "map";
  readonly #expression: Expression;
  #value: TypeModel | undefined;

  constructor(value: Expression, readonly atomic: boolean) {
    this.#expression = value;
  }

  get value(): TypeModel {
    return this.#value ??= typeOf(this.#expression);
  }
}
