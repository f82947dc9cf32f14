import assert from "node:assert/strict";
import { fieldOfLabel } from "./field_labels.ts";
import { configMaps, servedKind } from "./testing.ts";

const pods = configMaps({}, {
  resource: "pods",
  kind: servedKind({ group: "", version: "v1", kind: "Pod" }),
  selectableFields: ["metadata.name", "metadata.namespace", "spec.nodeName"],
});

Deno.test("a kind's own fields and their old names are known", () => {
  assert.equal(fieldOfLabel(pods, "spec.nodeName"), "spec.nodeName");
  assert.equal(fieldOfLabel(pods, "spec.host"), "spec.nodeName");
  assert.throws(() => fieldOfLabel(pods, "spec.x"), /^StatusError: field label not supported: spec.x$/);
});

Deno.test("kinds without fields of their own name what they take", () => {
  assert.throws(() => fieldOfLabel(configMaps({}), "data.x"), /"data.x" is not a known field selector: only /);
});

Deno.test("events of either group have their own names for the same fields", () => {
  const fields = ["metadata.name", "involvedObject.kind", "reason", "source", "reportingComponent"];
  const gvk = { group: "events.k8s.io", version: "v1", kind: "Event" };
  const events = configMaps({}, { kind: servedKind(gvk), selectableFields: fields });
  assert.equal(fieldOfLabel(events, "regarding.kind"), "involvedObject.kind");
  assert.equal(fieldOfLabel(events, "reason"), "reason");
  assert.throws(() => fieldOfLabel(events, "involvedObject.kind"));
});
