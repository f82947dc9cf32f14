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

/** A field of a Go type. */
export interface Field {
  name: string;
  /** As Go writes it, without a leading `*`. */
  type: string;
  pointer: boolean;
  /** What `omitempty` and `omitzero` say. */
  omit: "empty" | "zero" | "never";
  /** Its number in protobuf, behind those of the messages that it is embedded in. */
  numbers: number[];
  /** The names of the structs that it is embedded in. */
  embeddedIn: string[];
}

/** How Go declares the types. */
interface Go {
  /** Named types that are not structs, and what they are. */
  named: Record<string, string>;
  types: Record<string, {
    name: string;
    fields: Record<string, [type: string, numbers: number[], omit: Field["omit"], embeddedIn?: string[]]>;
  }>;
}

function read<T>(name: string): T {
  return JSON.parse(Deno.readTextFileSync(new URL(name, import.meta.url)));
}

export const schemas = read<Record<string, Schema>>("schemas.json");
export const go = read<Go>("go.json");

/** A type's entry by the name of its schema; nothing for types that Go writes in its own way. */
function declarationOf(name: string) {
  return go.types[name.replace(/^io\.k8s\./, "k8s.io.")];
}

/** What Go calls a type, with the last part of its package: `v1.Pod`. */
export function goNameOf(name: string): string {
  return declarationOf(name)?.name ?? name.split(".").slice(-2).join(".");
}

/** The fields of a type in the order in which they are written. */
export function fieldsOf(name: string): Field[] {
  const declared = declarationOf(name);
  if (declared === undefined) {
    const required = schemas[name]?.required ?? [];
    return Object.keys(schemas[name]?.properties ?? {}).map((field) => (
      {
        name: field,
        type: "",
        pointer: false,
        omit: required.includes(field) ? "never" : "empty",
        numbers: [],
        embeddedIn: [],
      }
    ));
  }
  return Object.entries(declared.fields).map(([field, [type, numbers, omit, embeddedIn = []]]) => (
    { name: field, type: type.replace(/^\*/, ""), pointer: type.startsWith("*"), omit, numbers, embeddedIn }
  ));
}

/** The type that a `$ref` (possibly within an `allOf`) names. */
export function refOf(schema: Schema): string | undefined {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  return ref?.replace("#/components/schemas/", "");
}
