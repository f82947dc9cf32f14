import assert from "node:assert/strict";
import { noteEmptyMembers } from "../../machinery/empty_members.ts";
import { formatFieldError } from "../../machinery/field_error.ts";
import { loadRe2 } from "../../machinery/re2.ts";
import type {
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
} from "../../facts/generated/types.ts";
import { setCondition } from "./conditions.ts";
import { kindDefinition } from "../scheme.ts";
import { customResourceDefinition } from "./customresourcedefinition.ts";
import { prepare, warnings } from "./rules.ts";
import { collect } from "../../machinery/validation/mod.ts";
import type { JsonSchema } from "./schema/json_schema.ts";
import { validateKeywords } from "./schema/keywords.ts";
import { loadRuleCompiler } from "./schema/rule_checker.ts";
import type { RuleChecker } from "./schema/rules.ts";
import type { CustomResourceDefinition } from "./types.ts";
import { validateDefinition, validateDefinitionUpdate } from "./validation.ts";

await Promise.all([loadRe2(), loadRuleCompiler()]);

function version(schema: JSONSchemaProps, rest: CustomResourceDefinitionVersion = {}): CustomResourceDefinitionVersion {
  return { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, ...rest };
}

function crd(spec: CustomResourceDefinitionSpec = {}): CustomResourceDefinition {
  const definition: CustomResourceDefinition = {
    kind: "CustomResourceDefinition",
    apiVersion: "apiextensions.k8s.io/v1",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [version({ type: "object" })],
      ...spec,
    },
  };
  customResourceDefinition.setDefaults!(definition);
  return definition;
}

function problems(definition: CustomResourceDefinition): string[] {
  return validateDefinition(definition).map(formatFieldError);
}

/** What is wrong with `spec` of objects, without the path to it. */
function schemaProblems(spec: JSONSchemaProps): string[] {
  const at = "spec.validation.openAPIV3Schema.properties[spec]";
  const definition = crd({ versions: [version({ type: "object", properties: { spec } })] });
  return problems(definition).map((text) => text.replace(at, "spec"));
}

const f = (schema: JSONSchemaProps): JSONSchemaProps => ({ type: "object", properties: { f: schema } });

Deno.test("what all versions have in common is told of above them, the rest version by version", () => {
  const bad: JSONSchemaProps = { type: "object", properties: { a: {} } };
  const path = (versions: CustomResourceDefinitionVersion[]) =>
    validateDefinition(crd({ versions })).map((e) => e.field);
  const same = [version(bad), version(bad, { name: "v2", storage: false })];
  assert.deepEqual(path(same), ["spec.validation.openAPIV3Schema.properties[a].type"]);
  const different = [version(bad), version({ type: "object" }, { name: "v2", storage: false })];
  assert.deepEqual(path(different), ["spec.versions[0].schema.openAPIV3Schema.properties[a].type"]);
});

Deno.test("versions are told as the server keeps them", () => {
  const versions = [version({ type: "object" }, { storage: false })];
  assert.match(
    problems(crd({ versions }))[0],
    /^spec\.versions: Invalid value: \[\{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null\}\]: must have exactly one/,
  );
});

Deno.test("formats that mean nothing to the server are warned of when they come", () => {
  const old = crd({ versions: [version(f({ type: "string", format: "old" }))] });
  const now = crd({
    versions: [
      version({
        type: "object",
        properties: { a: f({ type: "string", format: "old" }), b: { type: "integer", format: "date" } },
      }),
    ],
  });
  assert.deepEqual(warnings(old), ['unrecognized format "old"']);
  assert.deepEqual(warnings(now, old), ['unrecognized format "date"']);
});

Deno.test("its own finalizer has no domain, and it can be written all the same", () => {
  assert.ok(kindDefinition(customResourceDefinition.gvk, customResourceDefinition.resource).anyFinalizers);
});

Deno.test("schemas are structural", () => {
  assert.deepEqual(schemaProblems(f({ type: "string" })), []);
  assert.deepEqual(schemaProblems(f({ type: "array" })), [
    "spec.properties[f].items: Required value: must be specified",
  ]);
  assert.deepEqual(schemaProblems({ ...f({ type: "string" }), anyOf: [{ properties: { g: { type: "string" } } }] }), [
    "spec.anyOf[0].properties[g].type: Forbidden: must be empty to be structural",
  ]);
  assert.deepEqual(
    schemaProblems(f({ "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] })),
    [],
  );
  assert.deepEqual(schemaProblems(f({ type: "string", pattern: "(?=a)" })), [
    'spec.properties[f].pattern: Invalid value: "(?=a)": must be a valid regular expression, but isn\'t: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
  ]);
});

Deno.test("dependencies are refused even when there are none in them", () => {
  const schema: JSONSchemaProps = { type: "object" };
  noteEmptyMembers(schema, new Map([["dependencies", {}]]));
  assert.deepEqual(schemaProblems(schema), ["spec.dependencies: Forbidden: dependencies is not supported"]);
});

Deno.test("even a default of false is forbidden under junctors", () => {
  assert.deepEqual(schemaProblems({ type: "object", allOf: [{ default: false, additionalProperties: false }] }), [
    "spec.allOf[0].default: Forbidden: must be undefined to be structural",
  ]);
});

Deno.test("restrictions at the root speak of fields that are there", () => {
  const versions = [version({ type: "object", oneOf: [{ properties: { spec: {} } }] })];
  assert.deepEqual(problems(crd({ versions })), [
    "spec.validation.openAPIV3Schema.properties[spec]: Required value: because it is defined in spec.validation.openAPIV3Schema.oneOf[0].properties[spec]",
  ]);
});

Deno.test("lists whose elements have keys", () => {
  const list = (rest: JSONSchemaProps, items: JSONSchemaProps = {}): JSONSchemaProps =>
    f({
      type: "array",
      items: { type: "object", properties: { k: { type: "string" } }, required: ["k"], ...items } as never,
      "x-kubernetes-list-type": "map",
      ...rest,
    });
  assert.deepEqual(schemaProblems(list({ "x-kubernetes-list-map-keys": ["k"] })), []);
  assert.deepEqual(schemaProblems(list({})), [
    "spec.properties[f].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map",
  ]);
  assert.deepEqual(schemaProblems(list({ "x-kubernetes-list-map-keys": ["k", "k", "z"] })), [
    'spec.properties[f].x-kubernetes-list-map-keys: Invalid value: ["k","k","z"]: must not contain duplicate entries',
    'spec.properties[f].x-kubernetes-list-map-keys: Invalid value: ["k","k","z"]: entries must all be names of item properties',
  ]);
  assert.deepEqual(schemaProblems(list({ "x-kubernetes-list-map-keys": ["k"] }, { required: [], nullable: true })), [
    "spec.properties[f].items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map",
    "spec.properties[f].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
  ]);
});

Deno.test("defaults are valid and have nothing unknown in them", () => {
  assert.deepEqual(
    schemaProblems(f({ type: "object", properties: { a: { type: "integer", default: 1 } }, default: {} })),
    [],
  );
  assert.deepEqual(schemaProblems(f({ type: "integer", default: "x" })), [
    'spec.properties[f].default: Invalid value: "string":  in body must be of type integer: "string"',
  ]);
  assert.deepEqual(schemaProblems(f({ type: "object", properties: { a: { type: "string" } }, default: { b: 1 } })), [
    'spec.properties[f].default: Invalid value: {"b":1}: must not have unknown fields',
  ]);
  const embedded: JSONSchemaProps = {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
    properties: { metadata: { type: "object", default: { labels: { a: "-" } } } },
  };
  assert.match(
    schemaProblems(f(embedded))[0],
    /^spec\.properties\[f\]\.properties\[metadata\]\.default: Invalid value: \{"labels":\{"a":"-"\}\}: must result in valid metadata: metadata\.labels: /,
  );
});

Deno.test("values in schemas are kept in the order of their names, as versions are created and changed", () => {
  const definition = crd({ versions: [version(f({ type: "object", default: { b: [{ d: 1, c: 2 }], a: 1 } }))] });
  const text = '"default":{"a":1,"b":[{"c":2,"d":1}]}';
  prepare(definition);
  assert.ok(JSON.stringify(definition).includes(text));
});

Deno.test("of a default whose metadata is none, nothing else is told", () => {
  const embedded: JSONSchemaProps = {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
    default: { metadata: "x" },
  };
  assert.deepEqual(schemaProblems(f(embedded)), [
    'spec.properties[f].default.metadata: Invalid value: "x": json: cannot unmarshal string into Go value of type v1.ObjectMeta',
  ]);
});

Deno.test("defaults under x-kubernetes-int-or-string may be anything that would be kept", () => {
  assert.deepEqual(schemaProblems(f({ "x-kubernetes-int-or-string": true, default: true })), []);
  const versions = [version({ type: "object", "x-kubernetes-int-or-string": true, default: -1 })];
  assert.deepEqual(problems(crd({ versions })), [
    'spec.validation.openAPIV3Schema.default: Invalid value: "integer":  in body must be of type object: "integer"',
  ]);
});

Deno.test("defaults follow the rules, in new objects and in old ones", () => {
  const of = (rule: string, more: object = {}): JSONSchemaProps =>
    f({ type: "string", maxLength: 5, default: "b", "x-kubernetes-validations": [{ rule, ...more }] });
  const wrong = (rule: string) => `spec.properties[f].default: Invalid value: "b": failed rule: ${rule}`;
  assert.deepEqual(schemaProblems(of("self == 'b'")), []);
  assert.deepEqual(schemaProblems(of("self == 'a'")), [wrong("self == 'a'")]);
  assert.deepEqual(schemaProblems(of("self != oldSelf")), [wrong("self != oldSelf")]);
  const rule = "oldSelf.hasValue() || self == 'a'";
  assert.deepEqual(schemaProblems(of(rule, { optionalOldSelf: true })), [wrong(rule)]);
});

Deno.test("rules see no old value in elements of lists that have no keys", () => {
  const rule: JSONSchemaProps = { type: "string", "x-kubernetes-validations": [{ rule: "self == oldSelf" }] };
  const map: JSONSchemaProps = { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: rule } };
  const list: JSONSchemaProps = { type: "array", items: { type: "array", items: rule } as never };
  const found: (string | undefined)[] = [];
  const rules: RuleChecker = {
    check: ({ uncorrelatable }) => found.push(uncorrelatable),
    checkDefault() {},
    finish() {},
  };
  const schema = { type: "object", properties: { map, list } } as JsonSchema;
  const options = { requireKnownTypes: true, requireAtomicSets: true, requireSoundMapKeys: true, rules };
  assert.deepEqual(collect((root) => validateKeywords(schema, root.child("schema"), options)), []);
  assert.deepEqual(found, [undefined, "schema.properties[list]"]);
});

Deno.test("selectable fields are scalars that the schema has", () => {
  const selectable = (...paths: string[]) =>
    problems(crd({
      versions: [version({
        type: "object",
        properties: { spec: f({ type: "string" }), list: { type: "array", items: { type: "string" } as never } },
      }, { selectableFields: paths.map((jsonPath) => ({ jsonPath })) })],
    })).map((text) => text.replace("spec.selectableFields", ""));
  assert.deepEqual(selectable(".spec.f"), []);
  assert.deepEqual(selectable(".spec.g"), [
    '[0].jsonPath: Invalid value: ".spec.g": is an invalid path: does not refer to a valid field',
  ]);
  assert.deepEqual(selectable(".spec.f", ".spec.f"), ['[1].jsonPath: Duplicate value: ".spec.f"']);
  assert.match(selectable(".list")[0], /must point to a field of type string/);
  assert.match(selectable("spec")[0], /is an invalid path: expected \[ or \. but got: spec$/);
});

Deno.test("an established CRD keeps scope and kind; what it had wrong it may keep", () => {
  const old = crd({ versions: [version({ type: "object", properties: { a: { type: "strange" } } })] });
  setCondition(old, { type: "Established", status: "True", reason: "", message: "" });
  const now = structuredClone(old);
  now.spec!.scope = "Cluster";
  now.spec!.versions![0].deprecated = true;
  assert.deepEqual(validateDefinitionUpdate(now, old).map(formatFieldError), [
    'spec.scope: Invalid value: "Cluster": field is immutable',
  ]);
  now.spec!.versions!.push(version({ type: "object" }, { name: "v2", storage: false }));
  now.spec!.versions!.shift();
  now.spec!.versions![0].storage = true;
  assert.match(
    validateDefinitionUpdate(now, old).map(formatFieldError).join("\n"),
    /status\.storedVersions\[0\]: Invalid value: "v1": missing/,
  );
});
