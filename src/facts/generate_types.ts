// TypeScript interfaces of every built-in type.
import { type Field, fieldsOf, refOf, type Schema, schemas } from "./facts.ts";

const ALIASES: Record<string, string> = {
  "io.k8s.apimachinery.pkg.api.resource.Quantity": "string",
  "io.k8s.apimachinery.pkg.apis.meta.v1.Time": "string",
  "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": "string",
  "io.k8s.apimachinery.pkg.util.intstr.IntOrString": "number | string",
  "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1": "JsonObject",
  "io.k8s.apimachinery.pkg.runtime.RawExtension": "JsonObject",
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON": "Json",
  "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": "ObjectMeta",
  "io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference": "OwnerReference",
  "io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry": "ManagedFieldsEntry",
  "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta": "ListMeta",
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray": "Json",
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool": "Json",
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray": "Json",
};

/** Where two groups or versions share a name, the one that comes first here keeps it. */
const PLAIN_FIRST = [".meta.v1.", ".core.v1.", ".autoscaling.v2.", ".apps.v1.", ".batch.v1.", ".networking.v1."];

function namesOfTypes(): Map<string, string> {
  const rank = (name: string) => {
    const i = PLAIN_FIRST.findIndex((part) => name.includes(part));
    return i < 0 ? PLAIN_FIRST.length : i;
  };
  const names = new Map<string, string>(), taken = new Set(Object.values(ALIASES));
  for (const full of Object.keys(schemas).sort((a, b) => rank(a) - rank(b))) {
    if (ALIASES[full] !== undefined) continue;
    const parts = full.split(".");
    let name = parts.at(-1)!;
    if (taken.has(name)) name = [parts.at(-3)!, parts.at(-2)!].map(capital).join("") + name;
    taken.add(name);
    names.set(full, name);
  }
  return names;
}

function capital(word: string): string {
  return word[0].toUpperCase() + word.slice(1);
}

function typeText(schema: Schema, names: Map<string, string>): string {
  const ref = refOf(schema);
  if (ref !== undefined) return ALIASES[ref] ?? names.get(ref)!;
  switch (schema.type) {
    case "array": {
      const element = typeText(schema.items!, names);
      return element.includes("|") ? `(${element})[]` : `${element}[]`;
    }
    case "object":
      return schema.additionalProperties
        ? `Record<string, ${typeText(schema.additionalProperties, names)}>`
        : "JsonObject";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "string":
      return "string";
    default:
      return "Json";
  }
}

const NULL_SCALARS = ["Time", "MicroTime", "RawExtension", "FieldsV1", "JSON"];

/** What is written even when nothing is given, and then as null: pointers, lists, maps, times without omitempty. */
function isNullWhenMissing({ pointer, omit }: Field, property: Schema): boolean {
  if (omit !== "never") return false;
  const ref = refOf(property);
  if (ref !== undefined) return pointer || NULL_SCALARS.includes(ref.split(".").at(-1)!);
  return pointer || property.type === "array" || property.type === "object" || property.format === "byte";
}

export function generateTypes(): string {
  const names = namesOfTypes();
  let text = `import type { Json, JsonObject, ListMeta, ObjectMeta } from "../../machinery/types.ts";\n\n`;
  for (const [full, name] of names) {
    const schema = schemas[full];
    const kind = schema["x-kubernetes-group-version-kind"]?.length === 1 && schema.properties?.metadata !== undefined;
    text += `/** ${full} */\nexport interface ${name} {\n`;
    for (const declared of fieldsOf(full)) {
      const field = declared.name;
      const property = schema.properties?.[field];
      if (property === undefined) continue;
      const always = kind && ["kind", "apiVersion", "metadata"].includes(field);
      const key = /^[A-Za-z_][A-Za-z0-9_]*$/.test(field) ? field : JSON.stringify(field);
      const orNull = !always && isNullWhenMissing(declared, property) ? " | null" : "";
      text += `  ${key}${always ? "" : "?"}: ${typeText(property, names)}${orNull};\n`;
    }
    text += "}\n\n";
  }
  return text;
}
