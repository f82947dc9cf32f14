// The API's own view of an object, which some messages show instead of what was sent: kube-apiserver works on internal
// types, whose members are written under their Go names, every one of them, in the order of the Go type.
import type { Json, JsonObject } from "../machinery/types.ts";
import { emptyMember, withMembers } from "../machinery/empty_members.ts";
import { goJson } from "../machinery/go_text.ts";
import { unifiedDiff } from "../machinery/unified_diff.ts";
import internal from "../facts/internal.json" with { type: "json" };

/**
 * Type → `GoName:type` or `GoName:type:jsonName` (where it is not the Go name with a small first letter). Types are
 * `*T` pointers, `[]T`, `{}T` maps, the scalars and names of other types. `json`: shown as it was sent; a member without
 * a Go name is embedded, and without a JSON name its members stand among the others.
 */
const TYPES = internal as Record<string, string[]>;

type Convert = (value: Json | undefined) => Json;

interface Member {
  goName: string;
  jsonName: string;
  convert: Convert;
}

const ZERO: Record<string, Json> = { string: "", int: 0, bool: false, quantity: "0", intOrString: 0 };
const converters = new Map<string, Convert>();

function converterOf(type: string): Convert {
  let known = converters.get(type);
  if (known === undefined) {
    known = makeConverter(type);
    converters.set(type, known);
  }
  return known;
}

function makeConverter(type: string): Convert {
  if (type.startsWith("*")) {
    const inner = type.slice(1);
    return (value) => value === undefined || value === null ? null : converterOf(inner)(value);
  }
  if (type.startsWith("[]")) {
    const element = type.slice(2);
    return (value) => Array.isArray(value) ? value.map((v) => converterOf(element)(v)) : null;
  }
  if (type.startsWith("{}")) {
    const element = type.slice(2);
    return (value) => {
      if (typeof value !== "object" || value === null) return null;
      const keys = Object.keys(value).sort();
      return Object.fromEntries(keys.map((key) => [key, converterOf(element)((value as JsonObject)[key])]));
    };
  }
  if (type in ZERO) return (value) => value ?? ZERO[type];
  if (type === "json" || type === "bytes") return (value) => value ?? null;
  return structConverter(type);
}

function structConverter(type: string): Convert {
  const members: Member[] = TYPES[type].map((text) => {
    const [goName, member, jsonName] = text.split(":");
    return {
      goName,
      jsonName: jsonName ?? goName[0].toLowerCase() + goName.slice(1),
      convert: converterOf(member),
    };
  });
  return (value) => {
    const given = ARRANGE[type]?.(value) ?? (value ?? {}) as JsonObject;
    const out: JsonObject = {};
    for (const { goName, jsonName, convert } of members) {
      if (goName === "") Object.assign(out, jsonName === "" ? convert(given) : given[jsonName]);
      else out[goName] = convert(given[jsonName] ?? emptyMember(given, jsonName));
    }
    return out;
  };
}

/** Types whose members stand elsewhere inside than where they were sent. */
const ARRANGE: Readonly<Record<string, (value: Json | undefined) => JsonObject>> = {
  PodSpec: (value) => hostFieldsInside(value as JsonObject),
  JSONSchemaPropsOrArray: (value) => Array.isArray(value) ? { schemas: value } : { schema: value },
  JSONSchemaPropsOrBool: (value) => typeof value === "boolean" ? { allows: value } : { allows: true, schema: value },
  JSONSchemaPropsOrStringArray: (value) => Array.isArray(value) ? { property: value } : { schema: value },
};

const HOST_FIELDS = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"] as const;

/** Inside, the host's namespaces are part of the security context. */
function hostFieldsInside(spec: JsonObject): JsonObject {
  const securityContext: JsonObject = { ...(spec.securityContext as JsonObject | undefined) };
  for (const field of HOST_FIELDS) securityContext[field] = spec[field];
  return withMembers(spec, { securityContext });
}

/** The internal form of a value: `internalForm("PodSpec", pod.spec)`. Made for messages only. */
export function internalForm(type: string, value: unknown): Json {
  return converterOf(type)(value as Json);
}

/** What changed between two values, as a unified diff of their internal forms. */
export function internalDiff(type: string, before: unknown, after: unknown): string {
  return unifiedDiff(prettyJson(internalForm(type, before)), prettyJson(internalForm(type, after)));
}

function prettyJson(value: Json): string {
  return goJson(value, 1);
}
