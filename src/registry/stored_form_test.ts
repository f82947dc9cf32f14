import assert from "node:assert/strict";
import { kindDefinition, modelOf } from "../apis/scheme.ts";
import { encodeProtobuf } from "../machinery/protobuf/encode.ts";
import type { GroupVersionKind, JsonObject, KubeObject } from "../machinery/types.ts";
import { storedForm } from "./stored_form.ts";

function formOf(gvk: GroupVersionKind, resource: string, protobuf = false) {
  return storedForm(gvk, kindDefinition(gvk, resource), protobuf);
}

Deno.test("objects go through protobuf and back, and those of the wrong kind are refused", () => {
  const gvk = { group: "", version: "v1", kind: "ConfigMap" };
  const object: KubeObject = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" }, data: { x: "1" } };
  const bytes = formOf(gvk, "configmaps", true).encode!(object);
  const decoded = formOf(gvk, "configmaps").decode(bytes);
  assert.deepEqual([decoded.kind, decoded.apiVersion, decoded.metadata.name, decoded.data], [
    "ConfigMap",
    "v1",
    "a",
    { x: "1" },
  ]);
  assert.equal(formOf(gvk, "configmaps").upgrade(decoded), undefined);
  const secrets = formOf({ ...gvk, kind: "Secret" }, "secrets");
  assert.throws(() => secrets.decode(bytes), /holds a ConfigMap where a Secret belongs/);
  assert.throws(() => secrets.decode(Uint8Array.of(1, 2, 3)), /does not appear to be a protobuf message/);
});

Deno.test("what is stored without its defaults is read with them", () => {
  const gvk = { group: "", version: "v1", kind: "PersistentVolumeClaim" };
  const form = formOf(gvk, "persistentvolumeclaims", true);
  const claim: KubeObject = { kind: gvk.kind, apiVersion: "v1", metadata: { name: "a" }, spec: {}, status: {} };
  const { spec, status } = form.decode(form.encode!(claim));
  assert.equal(spec.volumeMode, "Filesystem");
  assert.equal(status.phase, "Pending");
});

Deno.test("definitions of custom kinds and what is kept as JSON elsewhere stay JSON", () => {
  const crd = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
  assert.equal(formOf(crd, "customresourcedefinitions", true).encode, undefined);
});

Deno.test("an autoscaler of v1 is read as the v2 that is kept", () => {
  const stored = { group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler" };
  const v1: KubeObject = {
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v1",
    metadata: { name: "a" },
    spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d" }, targetCPUUtilizationPercentage: 50 },
  };
  const form = formOf(stored, "horizontalpodautoscalers");
  const decoded = form.decode(encodeProtobuf(modelOf({ ...stored, version: "v1" }), v1));
  const upgraded = form.upgrade(decoded)!;
  assert.equal(upgraded.apiVersion, "autoscaling/v2");
  assert.equal(upgraded.spec.metrics[0].resource.target.averageUtilization, 50);
});

Deno.test("a definition of v1beta1 is read as v1: what all versions share goes to each", () => {
  const stored = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
  const spec = {
    group: "example.test",
    version: "v1",
    names: { plural: "widgets", kind: "Widget" },
    scope: "Namespaced",
    validation: { openAPIV3Schema: { type: "object" } },
    additionalPrinterColumns: [{ name: "Size", type: "integer", JSONPath: ".spec.size" }],
    versions: [{ name: "v1", served: true, storage: true }, { name: "v2", served: true, storage: false }],
    conversion: {
      strategy: "Webhook",
      webhookClientConfig: { url: "https://x" },
      conversionReviewVersions: ["v1"],
    },
    preserveUnknownFields: false,
  };
  const v1beta1 = {
    kind: "CustomResourceDefinition",
    apiVersion: "apiextensions.k8s.io/v1beta1",
    metadata: { name: "widgets.example.test" },
    spec,
  };
  const upgraded = formOf(stored, "customresourcedefinitions").upgrade(v1beta1)!;
  const shared = {
    served: true,
    schema: spec.validation,
    additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
  };
  assert.deepEqual(upgraded.spec as JsonObject, {
    group: "example.test",
    names: spec.names,
    scope: "Namespaced",
    versions: [{ name: "v1", storage: true, ...shared }, { name: "v2", storage: false, ...shared }],
    conversion: {
      strategy: "Webhook",
      webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://x" } },
    },
  });
  assert.equal(upgraded.apiVersion, "apiextensions.k8s.io/v1");
});
