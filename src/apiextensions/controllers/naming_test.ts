import assert from "node:assert/strict";
import type { CustomResourceDefinition } from "../../apis/apiextensions/types.ts";
import type { CustomResourceDefinitionNames } from "../../facts/generated/types.ts";
import { NameRegistry } from "./naming.ts";

function crd(names: CustomResourceDefinitionNames, group = "example.com"): CustomResourceDefinition {
  return {
    kind: "CustomResourceDefinition",
    apiVersion: "apiextensions.k8s.io/v1",
    metadata: { name: `${names.plural}.${group}` },
    spec: { group, names },
    status: {},
  };
}

/** [reason, message] of NamesAccepted. */
function verdict({ status }: CustomResourceDefinition) {
  const condition = status?.conditions?.find((c) => c.type === "NamesAccepted");
  return [condition?.reason, condition?.message];
}

const widgets = { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList", shortNames: ["w"] };

Deno.test("who comes first gets the names, and the next when they are free", () => {
  const registry = new NameRegistry();
  const first = crd(widgets), second = crd({ ...widgets, plural: "gadgets", shortNames: ["w", "g"] });
  for (const one of [first, second]) registry.put(one);
  assert.ok(registry.resolve(first));
  assert.deepEqual(first.status?.acceptedNames, { ...widgets, categories: undefined });
  assert.deepEqual(verdict(first), ["NoConflicts", "no conflicts found"]);
  assert.deepEqual(registry.put(first), [second.metadata.name]);

  assert.ok(registry.resolve(second));
  assert.deepEqual(verdict(second), ["ListKindConflict", '"WidgetList" is already in use']);
  assert.equal(second.status?.acceptedNames?.plural, "gadgets");
  assert.equal(second.status?.conditions?.[1].reason, "NotAccepted");
  registry.put(second);
  assert.equal(registry.resolve(second), false, "nothing new");

  assert.deepEqual(registry.delete(first.metadata.name!), [second.metadata.name]);
  assert.ok(registry.resolve(second));
  assert.deepEqual(verdict(second), ["NoConflicts", "no conflicts found"]);
  assert.equal(second.status?.conditions?.[1].reason, "Installing");
});

Deno.test("several short names in use are told together; other groups do not matter", () => {
  const registry = new NameRegistry();
  const first = crd({ ...widgets, shortNames: ["a", "b"] });
  registry.put(first);
  registry.resolve(first);
  registry.put(first);
  const names = {
    plural: "gadgets",
    singular: "gadget",
    kind: "Gadget",
    listKind: "GadgetList",
    shortNames: ["a", "b"],
  };
  const second = crd(names), elsewhere = crd(names, "example.org");
  registry.resolve(second);
  assert.deepEqual(verdict(second), ["ShortNamesConflict", '["a" is already in use, "b" is already in use]']);
  registry.resolve(elsewhere);
  assert.deepEqual(verdict(elsewhere), ["NoConflicts", "no conflicts found"]);
});
