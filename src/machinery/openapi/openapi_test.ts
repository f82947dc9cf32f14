import assert from "node:assert/strict";
import type { JsonObject } from "../types.ts";
import { builtinDocumentsV3, openapiV2, openapiV3 } from "./mod.ts";
import { type CustomDefinition, customDocumentV3 } from "./custom.ts";
import { EMBEDDED, loadDescriptions, pack } from "./descriptions.ts";
import { readDeclaration } from "./package.ts";
import type { TypeDescription } from "./schemas.ts";
import { createDocuments, type PublishedDefinition } from "./source.ts";
import { downgrade } from "./v2.ts";

const DESCRIPTIONS = { IoK8sApiCoreV1Thing: { text: "A thing.", fields: { name: "First line.\n\nSecond." } } };
// As a bundle carries them, so that no test goes to the npm package.
(globalThis as Record<string, unknown>)[EMBEDDED] = await pack(DESCRIPTIONS);

// deno-lint-ignore no-explicit-any -- documents are looked into by their paths
type Document = any;

Deno.test("there is a document for every group version, every group and every path beside them", () => {
  const names = builtinDocumentsV3();
  assert.equal(names.length, 47);
  for (const name of ["api/v1", "apis/apps", "apis/apps/v1", "version", "openid/v1/jwks"]) {
    assert.ok(names.includes(name));
  }
});

Deno.test("a v3 document has operations, and only the schemas that they lead to", async () => {
  const document: Document = await openapiV3("apis/apps/v1");
  const path = document.paths["/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale"];
  assert.equal(path.patch.operationId, "patchAppsV1NamespacedDeploymentScale");
  assert.deepEqual(path.get["x-kubernetes-group-version-kind"], { group: "autoscaling", version: "v1", kind: "Scale" });
  assert.deepEqual(path.parameters.map((p: JsonObject) => p.name), ["name", "namespace", "pretty"]);
  const { schemas } = document.components;
  assert.ok(schemas["io.k8s.api.core.v1.PodSpec"]);
  assert.equal(schemas["io.k8s.api.core.v1.Node"], undefined);
  assert.deepEqual(
    schemas["io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"]["x-kubernetes-group-version-kind"].map((
      { group }: { group: string },
    ) => group),
    ["", "apps"],
  );
  assert.equal(await openapiV3("apis/nothing/v1"), undefined);
});

Deno.test("descriptions go to types and fields", async () => {
  const name = "io.k8s.api.core.v1.PodSpec";
  const document: Document = await openapiV3("api/v1", {
    IoK8sApiCoreV1PodSpec: { text: "A pod.", fields: { nodeName: "Where." } },
  });
  const schema = document.components.schemas[name];
  assert.equal(schema.description, "A pod.");
  assert.equal(schema.properties.nodeName.description, "Where.");
  assert.equal(schema.properties.hostname.description, undefined);
});

Deno.test("the v2 document shares parameters and says less of schemas", async () => {
  const document: Document = await openapiV2();
  assert.equal(Object.keys(document.definitions).length, 584);
  assert.equal(Object.keys(document.parameters).length, 47);
  const { get } = document.paths["/api/v1/namespaces/{namespace}/pods"];
  assert.deepEqual(get.parameters[0], { $ref: "#/parameters/allowWatchBookmarks-HC2hJt-J" });
  assert.deepEqual(downgrade({ default: {}, allOf: [{ $ref: "#/components/schemas/a" }] }), {
    $ref: "#/definitions/a",
  });
  assert.deepEqual(document.definitions["io.k8s.apimachinery.pkg.api.resource.Quantity"].type, "string");
});

Deno.test("documents are served with a hash each", async () => {
  const documents = createDocuments();
  const hashes = [documents.v2(), ...documents.v3().values()].map((document) => document.hash());
  assert.equal(new Set(hashes).size, 48);
  const version = documents.v3().get("version")!, bytes = await version.bytes();
  assert.equal(JSON.parse(await version.text()).openapi, "3.0.0");
  assert.equal(new TextDecoder().decode(bytes), await version.text());
  assert.equal((await version.bytes()).buffer, bytes.buffer);
});

Deno.test("descriptions are the comments of declarations", async () => {
  const found: Record<string, TypeDescription> = {};
  readDeclaration(
    `import { X } from "./X.js";
/**
 * A thing.
 */
export interface IThing {
    /**
     * First line.
     *
     * Second.
     */
    "name"?: string;
    "plain": string;
}
/**
 * A thing.
 */
export declare class Thing extends Model<IThing> {
    "name"?: string;
}
export type { IThing as IIoK8sApiCoreV1Thing, Thing as IoK8sApiCoreV1Thing };
`,
    found,
  );
  assert.deepEqual(found, DESCRIPTIONS);
  assert.deepEqual(await loadDescriptions(), DESCRIPTIONS);
});

const WIDGET: CustomDefinition = {
  ...{ group: "stable.example.com", version: "v1", kind: "Widget", listKind: "WidgetList", resource: "widgets" },
  ...{ namespaced: true, status: true, scale: false, selectableFields: [".spec.a"] },
  schema: {
    type: "object",
    properties: {
      spec: {
        type: "object",
        required: ["a", "n"],
        properties: {
          a: { type: "string", default: "x" },
          n: { type: "string", nullable: true },
          port: { "x-kubernetes-int-or-string": true },
          open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          whole: { type: "object", "x-kubernetes-embedded-resource": true },
        },
      },
    },
  },
};

/** How often the schema is read when so many ask for its document at the same time. */
async function readsFor(clients: number): Promise<number> {
  let reads = 0;
  const definition = {
    ...WIDGET,
    fingerprint: "f",
    get schema() {
      reads++;
      return WIDGET.schema;
    },
  };
  const document = createDocuments(() => [definition]).v3().get("apis/stable.example.com/v1")!;
  const copies = await Promise.all(Array.from({ length: clients }, () => document.bytes()));
  assert.equal(new Set(copies.map(({ buffer }) => buffer)).size, 1);
  return reads;
}

Deno.test("a document is made once for all who ask for it at the same time", async () => {
  assert.equal(await readsFor(5), await readsFor(1));
});

Deno.test("custom resources are published in both documents", async () => {
  let definitions: readonly PublishedDefinition[] = [];
  const documents = createDocuments(() => definitions);
  const before = documents.v2().hash();
  assert.equal(documents.v3().has("apis/stable.example.com/v1"), false);
  definitions = [{ ...WIDGET, fingerprint: "a" }];
  assert.notEqual(documents.v2().hash(), before);
  const v3: Document = JSON.parse(await documents.v3().get("apis/stable.example.com/v1")!.text());
  const name = "com.example.stable.v1.Widget", schema = v3.components.schemas[name];
  assert.deepEqual(schema["x-kubernetes-selectable-fields"], [{ fieldPath: "spec.a" }]);
  const { spec } = schema.properties;
  assert.deepEqual(spec.properties.port.anyOf, [{ type: "integer" }, { type: "string" }]);
  assert.deepEqual(spec.properties.whole.required, ["kind", "apiVersion"]);
  const path = v3.paths["/apis/stable.example.com/v1/namespaces/{namespace}/widgets/{name}/status"];
  assert.equal(path.put.operationId, "replaceStableExampleComV1NamespacedWidgetStatus");
  const v2: Document = JSON.parse(await documents.v2().text());
  assert.deepEqual(v2.definitions[name].properties.spec, {
    type: "object",
    required: ["a"],
    properties: {
      a: { type: "string" },
      n: {},
      port: { "x-kubernetes-int-or-string": true },
      open: { "x-kubernetes-preserve-unknown-fields": true },
      whole: v2.definitions[name].properties.spec.properties.whole,
    },
  });
});

Deno.test("what every kind has is described in all of them, custom or not", async () => {
  const typeMeta = { apiVersion: "Which version.", kind: "Which kind." };
  const descriptions = {
    IoK8sApimachineryPkgApisMetaV1DeleteOptions: { fields: typeMeta },
    IoK8sApiCoreV1ConfigMap: { fields: { metadata: "Which object." } },
  };
  const all = { ...typeMeta, metadata: "Which object." };
  const told = (properties: Document, texts: object) => {
    for (const [name, text] of Object.entries(texts)) assert.equal(properties[name].description, text, name);
  };
  const v2: Document = await openapiV2(descriptions, [{ ...WIDGET }]);
  told(v2.definitions["com.example.stable.v1.Widget"].properties, all);
  told(v2.definitions["io.k8s.api.core.v1.Pod"].properties, typeMeta);
  assert.equal(v2.definitions["io.k8s.api.core.v1.ObjectReference"].properties.kind.description, undefined);
  const v3: Document = customDocumentV3([WIDGET], { schemas: {}, descriptions });
  const widget = v3.components.schemas["com.example.stable.v1.Widget"].properties;
  told(widget, all);
  told(widget.spec.properties.whole.properties, all);
});
