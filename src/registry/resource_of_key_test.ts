import assert from "node:assert/strict";
import { resourceOfKey } from "./resource_of_key.ts";

Deno.test("keys belong to built-in resources by their prefixes, and to custom ones otherwise", () => {
  const cases: [key: string, group: string, resource: string][] = [
    ["/registry/pods/ns/a", "", "pods"],
    ["/registry/minions/n1", "", "nodes"],
    ["/registry/services/specs/ns/a", "", "services"],
    ["/registry/services/endpoints/ns/a", "", "endpoints"],
    ["/registry/deployments/ns/a", "apps", "deployments"],
    ["/registry/apiregistration.k8s.io/apiservices/v1.", "apiregistration.k8s.io", "apiservices"],
    ["/registry/example.com/widgets/ns/a", "example.com", "widgets"],
  ];
  for (const [key, group, resource] of cases) assert.deepEqual(resourceOfKey(key), { group, resource }, key);
});
