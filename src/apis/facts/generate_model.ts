// The compact schema model: what `src/machinery/schema/builtin.ts` reads.
import { type Field, fieldsOf, numbersOf, refOf, type Schema, schemas } from "./facts.ts";

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
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray": "json",
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool": "json",
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray": "json",
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
  const omit = field.omitzero ? "z" : field.omitempty && !(field.kind === "struct" && !field.pointer) ? "e" : "";
  return (required ? "r" : "") + (field.pointer ? "p" : "") + omit;
}

function typeEntry(name: string, schema: Schema) {
  const numbers = numbersOf(name);
  const entry: { f: unknown[]; a?: 1 } = { f: [] };
  if (schema["x-kubernetes-map-type"] === "atomic") entry.a = 1;
  for (const field of fieldsOf(name)) {
    const property = schema.properties?.[field.name];
    if (property === undefined) continue;
    const extra: Record<string, unknown> = {};
    const isEmptyStruct = JSON.stringify(property.default) === "{}";
    if (property.default !== undefined && !isEmptyStruct) extra.d = property.default;
    if (property["x-kubernetes-patch-strategy"]) extra.s = property["x-kubernetes-patch-strategy"].split(",");
    if (property["x-kubernetes-patch-merge-key"]) extra.k = property["x-kubernetes-patch-merge-key"];
    const type = expression(property);
    // A ref's own map type may be widened where it is used.
    if (typeof type === "string" && type.startsWith("@") && property["x-kubernetes-map-type"] === "atomic") extra.a = 1;
    const row: unknown[] = [
      field.name,
      type,
      flags(field, schema.required?.includes(field.name) ?? false),
      numbers[field.name]?.[0] ?? 0,
    ];
    if (Object.keys(extra).length > 0) row.push(extra);
    entry.f.push(row);
  }
  return entry;
}

export function generateModel(): string {
  const types: Record<string, unknown> = {}, kinds: Record<string, string> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    if (SCALARS[name] !== undefined) continue;
    types[name] = typeEntry(name, schema);
    const gvks = schema["x-kubernetes-group-version-kind"] ?? [];
    // Options and events of the API itself belong to every group; only true kinds are found by their name.
    if (gvks.length === 1) kinds[`${gvks[0].group}/${gvks[0].version}/${gvks[0].kind}`] = name;
  }
  const text = JSON.stringify({ types, kinds });
  return `/** JSON: types by name, and the type of each \`group/version/kind\`; read by src/machinery/schema/builtin.ts. */\nexport const MODEL_TEXT = ${
    JSON.stringify(text)
  };\n`;
}
