// The compact schema model: what `src/machinery/schema/builtin.ts` reads.
import { type Field, fieldsOf, go, goNameOf, refOf, type Schema, schemas } from "./facts.ts";

/** Types that are written as a scalar, by name. */
const SCALARS: Record<string, string> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": "quantity",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Time": "time",
  "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": "microTime",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Duration": "duration",
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": "intOrString",
  "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1": "fieldsV1",
  "io.k8s.apimachinery.pkg.runtime.RawExtension": "rawExtension",
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON": "json",
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray": "schemaOrArray",
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool": "schemaOrBool",
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray": "schemaOrStringArray",
};

const FORMATS: Record<string, string> = {
  "string/byte": "bytes",
  "string/date-time": "time",
  "integer/int32": "int32",
  "integer/int64": "int64",
  integer: "int64",
  "number/double": "double",
  number: "double",
  string: "string",
  boolean: "boolean",
};

/** A scalar's name, `@type`, `{l: element, t?: list type, k?: map keys}` or `{m: value, a?: 1}`. */
type Expression = string | { l: Expression; t?: string; k?: string[] } | { m: Expression; a?: 1 };

function expression(schema: Schema): Expression {
  const ref = refOf(schema);
  if (ref !== undefined) return SCALARS[ref] ?? `@${ref}`;
  if (schema.type === "array") {
    const list: Expression = { l: expression(schema.items!) };
    if (schema["x-kubernetes-list-type"] !== undefined) list.t = schema["x-kubernetes-list-type"];
    if (schema["x-kubernetes-list-map-keys"] !== undefined) list.k = schema["x-kubernetes-list-map-keys"];
    return list;
  }
  if (schema.type === "object") {
    const map: Expression = { m: schema.additionalProperties ? expression(schema.additionalProperties) : "json" };
    if (schema["x-kubernetes-map-type"] === "atomic") map.a = 1;
    return map;
  }
  return FORMATS[schema.format ? `${schema.type}/${schema.format}` : schema.type ?? ""] ?? "json";
}

/** Letters: `r`equired, `p`ointer, and when it is left out: `e`mpty, `z`ero or (none of both) never. */
function flags(field: Field, required: boolean): string {
  // A struct is never empty: omitempty says nothing of it.
  const omit = field.omit === "empty" && !field.pointer && isStruct(field.type) ? "never" : field.omit;
  return (required ? "r" : "") + (field.pointer ? "p" : "") + { empty: "e", zero: "z", never: "" }[omit];
}

function isStruct(type: string): boolean {
  return type.includes(".") && !/^(\[\]|map)/.test(type) && go.named[type] === undefined;
}

/** What Go's decoder would call a type if it had no name of its own. */
function plainGoType(type: Expression): string {
  if (typeof type !== "string") return "l" in type ? `[]${plainGoType(type.l)}` : `map[string]${plainGoType(type.m)}`;
  if (type.startsWith("@")) return goNameOf(type.slice(1));
  return GO_SCALARS[type] ?? type;
}

const GO_SCALARS: Record<string, string> = {
  boolean: "bool",
  double: "float64",
  bytes: "[]uint8",
  quantity: "resource.Quantity",
  time: "v1.Time",
  microTime: "v1.MicroTime",
  duration: "v1.Duration",
  intOrString: "intstr.IntOrString",
  fieldsV1: "v1.FieldsV1",
  rawExtension: "runtime.RawExtension",
  json: "v1.JSON",
  schemaOrArray: "v1.JSONSchemaPropsOrArray",
  schemaOrBool: "v1.JSONSchemaPropsOrBool",
  schemaOrStringArray: "v1.JSONSchemaPropsOrStringArray",
};

/** The model's type of what the schemas do not publish, after Go's. */
function expressionOfGo(type: string): Expression {
  if (type.startsWith("*")) return expressionOfGo(type.slice(1));
  if (type === "[]uint8") return "bytes";
  if (type.startsWith("[]")) return { l: expressionOfGo(type.slice(2)) };
  if (type === "interface {}") return "json";
  const scalar = Object.keys(GO_SCALARS).find((name) => GO_SCALARS[name] === type);
  if (scalar !== undefined) return scalar;
  if (["string", "int32", "int64"].includes(type)) return type;
  if (go.named[type] !== undefined) return expressionOfGo(go.named[type]);
  return `@${META}${type.replace("v1.", "")}`;
}

const META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

/** Types that are sent and stored but in no published schema. */
const UNPUBLISHED = [
  ...["PartialObjectMetadata", "PartialObjectMetadataList", "Table", "TableColumnDefinition", "TableRow"],
  ...["TableRowCondition", "CreateOptions", "UpdateOptions", "PatchOptions", "ListOptions", "GetOptions"],
].map((name) => META + name).concat("io.k8s.api.core.v1.RangeAllocation");

function typeEntry(name: string, schema: Schema) {
  const entry: { f: unknown[]; a?: 1 } = { f: [] };
  if (schema["x-kubernetes-map-type"] === "atomic") entry.a = 1;
  for (const field of fieldsOf(name)) {
    const property = schema.properties?.[field.name];
    const extra: Record<string, unknown> = {};
    const isEmptyStruct = JSON.stringify(property?.default) === "{}";
    if (property?.default !== undefined && !isEmptyStruct) extra.d = property.default;
    if (property?.["x-kubernetes-patch-strategy"]) extra.s = property["x-kubernetes-patch-strategy"].split(",");
    if (property?.["x-kubernetes-patch-merge-key"]) extra.k = property["x-kubernetes-patch-merge-key"];
    const type = property ? expression(property) : expressionOfGo(field.type);
    // Where a type is used its own map type may be another one.
    const mapType = property?.["x-kubernetes-map-type"];
    if (typeof type === "string" && type.startsWith("@") && mapType) extra.a = mapType === "atomic" ? 1 : 0;
    if (field.type !== "" && field.type !== plainGoType(type)) extra.g = field.type;
    if (field.embeddedIn.length > 0) extra.o = field.embeddedIn.map((struct, i) => [struct, field.numbers[i]]);
    const row: unknown[] = [
      field.name,
      type,
      flags(field, schema.required?.includes(field.name) ?? false),
      field.numbers.at(-1) ?? 0,
    ];
    if (Object.keys(extra).length > 0) row.push(extra);
    entry.f.push(row);
  }
  return entry;
}

export function generateModel(): string {
  const types: Record<string, unknown> = {}, kinds: Record<string, string> = {};
  for (const name of UNPUBLISHED) types[name] = typeEntry(name, {});
  for (const [name, schema] of Object.entries(schemas)) {
    if (SCALARS[name] !== undefined) continue;
    types[name] = typeEntry(name, schema);
    const gvks = schema["x-kubernetes-group-version-kind"] ?? [];
    // Options and events of the API itself belong to every group; only true kinds are found by their name.
    if (gvks.length === 1) kinds[`${gvks[0].group}/${gvks[0].version}/${gvks[0].kind}`] = name;
  }
  // Go types named beyond what the model tells, for messages about them.
  const named = Object.fromEntries(Object.entries(go.named).filter(([, type]) => /^(\[\]|map)/.test(type)));
  const text = JSON.stringify({ types, kinds, named });
  return `/** JSON: types by name, and the type of each \`group/version/kind\`; read by src/machinery/schema/builtin.ts. */\nexport const MODEL_TEXT = '${
    text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")
  }';\n`;
}
