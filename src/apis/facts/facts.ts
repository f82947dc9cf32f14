// The facts of Kubernetes v1.36.3 as the generator reads them.

/** A schema of the published OpenAPI v3. */
export interface Schema {
  type?: string;
  format?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  items?: Schema;
  default?: unknown;
  enum?: string[];
  allOf?: { $ref: string }[];
  $ref?: string;
  "x-kubernetes-group-version-kind"?: { group: string; version: string; kind: string }[];
  "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  "x-kubernetes-list-map-keys"?: string[];
  "x-kubernetes-map-type"?: "atomic" | "granular";
  "x-kubernetes-patch-strategy"?: string;
  "x-kubernetes-patch-merge-key"?: string;
}

/** A field of a Go type, in the order of the struct. */
export interface Field {
  name: string;
  kind: "string" | "struct" | "slice" | "int" | "bool" | "map" | "bytes" | "float" | "other";
  omitempty?: boolean;
  omitzero?: boolean;
  pointer?: boolean;
}

function read<T>(name: string): T {
  return JSON.parse(Deno.readTextFileSync(new URL(name, import.meta.url)));
}

export const schemas = read<Record<string, Schema>>("schemas.json");
export const fields = read<Record<string, Field[] | null>>("fields.json");
export const protobuf = read<Record<string, Record<string, [number, string]>>>("protobuf.json");

/** `io.k8s.api.core.v1.Pod` → `k8s.io.api.core.v1.Pod`. */
export function goName(name: string): string {
  return name.replace(/^io\.k8s\./, "k8s.io.");
}

/** The order of a type's fields as they are written. */
export function fieldsOf(name: string): Field[] {
  const known = fields[goName(name)];
  if (known) return known;
  return Object.keys(schemas[name].properties ?? {}).map((n) => ({ name: n, kind: "other" as const }));
}

/** Numbers of a type's fields in protobuf. */
export function numbersOf(name: string): Record<string, [number, string]> {
  const go = goName(name);
  return protobuf[go] ?? protobuf[go.replaceAll("-", "_")] ?? {};
}

/** The type that a `$ref` (possibly within an `allOf`) names. */
export function refOf(schema: Schema): string | undefined {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  return ref?.replace("#/components/schemas/", "");
}
