// What the expressions of a usual CustomResourceDefinition and a usual admission policy cost, next to parsing the object.
import { compiledPolicy } from "../../src/admission/policy/validating/compiled.ts";
import { decide } from "../../src/admission/policy/validating/decide.ts";
import { RuleValidator } from "../../src/machinery/cel/schema/rule_validator.ts";
import type { JSONSchema } from "../../src/machinery/schema/structural_schema.ts";
import type { Json, JsonObject } from "../../src/machinery/types.ts";

const TEXT: JSONSchema = { type: "string", maxLength: 64 };
/** Like that of a gateway's route: rules on the whole, on elements, on texts, on the change. */
const SCHEMA: JSONSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      required: ["rules"],
      properties: {
        hostname: {
          ...TEXT,
          "x-kubernetes-validations": [{ rule: "self.matches('^[a-z0-9.-]+$')" }],
        },
        minReplicas: { type: "integer" },
        maxReplicas: { type: "integer" },
        rules: {
          type: "array",
          maxItems: 16,
          items: {
            type: "object",
            properties: {
              path: TEXT,
              backends: {
                type: "array",
                maxItems: 8,
                items: { type: "object", properties: { name: TEXT, weight: { type: "integer" } } },
              },
            },
            "x-kubernetes-validations": [{ rule: "self.path.startsWith('/') && !self.path.contains('//')" }],
          },
          "x-kubernetes-validations": [
            { rule: "self.all(r, r.backends.size() > 0 && r.backends.all(b, b.weight >= 0))" },
            { rule: "self.filter(r, r.path == '/').size() <= 1", message: "one default" },
          ],
        },
      },
      "x-kubernetes-validations": [
        { rule: "self.minReplicas <= self.maxReplicas" },
        { rule: "!has(oldSelf.hostname) || self.hostname == oldSelf.hostname", message: "hostname is immutable" },
      ],
    },
  },
};

const rules = Array.from({ length: 4 }, (_, i) => ({
  path: `/service-${i}`,
  backends: [{ name: `service-${i}-a`, weight: 90 }, { name: `service-${i}-b`, weight: 10 }],
}));
const ROUTE: Json = {
  apiVersion: "example.com/v1",
  kind: "Route",
  metadata: { name: "web", namespace: "default", labels: { app: "web" }, resourceVersion: "1", uid: "u" },
  spec: { hostname: "web.example.com", minReplicas: 1, maxReplicas: 3, rules },
};
const routeText = JSON.stringify(ROUTE), validator = new RuleValidator(SCHEMA);

Deno.bench("JSON.parse of the route", { group: "rules", baseline: true }, () => void JSON.parse(routeText));
Deno.bench("its rules on create", { group: "rules" }, () => void validator.validate(ROUTE));
Deno.bench("its rules on update", { group: "rules" }, () => void validator.validate(ROUTE, { old: ROUTE }));

const pod = JSON.parse(Deno.readTextFileSync(new URL("../testdata/pod.json", import.meta.url))) as JsonObject;
const podText = JSON.stringify(pod);
const policy = compiledPolicy({
  variables: [{ name: "containers", expression: "object.spec.containers + object.spec.?initContainers.orValue([])" }],
  matchConditions: [{ name: "no-system", expression: "!request.userInfo.username.startsWith('system:')" }],
  validations: [
    { expression: "variables.containers.all(c, !c.?securityContext.privileged.orValue(false))" },
    { expression: "variables.containers.all(c, c.image.matches('^[a-z0-9./:@-]+$'))" },
    { expression: "!object.spec.?hostNetwork.orValue(false)", message: "host network" },
    { expression: "has(object.metadata.labels) || request.operation == 'UPDATE'" },
  ],
});
const input = {
  object: pod,
  oldObject: undefined,
  params: undefined,
  request: { operation: "CREATE", userInfo: { username: "admin" } },
  namespaceObject: undefined,
};

Deno.bench("JSON.parse of the pod", { group: "policy", baseline: true }, () => void JSON.parse(podText));
Deno.bench("a policy with four validations", { group: "policy" }, () => void decide(policy, input, true));
