import assert from "node:assert/strict";
import {
  admissionEnvironment,
  CompileError,
  compileExpression,
  deviceCost,
  deviceEnvironment,
  fullTypeName,
} from "./mod.ts";

const LIMIT = 1_000_000;

/** The type of an expression, or the first line of what is wrong with it. */
function typeIn(environment: ReturnType<typeof deviceEnvironment>, source: string): string {
  try {
    return fullTypeName(compileExpression(source, environment).type);
  } catch (e) {
    if (e instanceof CompileError) return e.message.split("\n")[0];
    throw e;
  }
}

Deno.test("expressions about requests know what a request has", () => {
  const environment = admissionEnvironment({ params: false, authorizer: true });
  const types: Record<string, string> = {
    "request.userInfo.groups": "list(string)",
    "request.namespace": "string",
    "request.requestKind": "kubernetes.GroupVersionKind",
    "object.metadata": "dyn",
    "namespaceObject.metadata.labels['a']": "string",
    "namespaceObject.metadata.creationTimestamp": "google.protobuf.Timestamp",
    "authorizer.requestResource.check('get').allowed()": "bool",
    "request.nope": "ERROR: <input>:1:8: undefined field 'nope'",
    "params.a": "ERROR: <input>:1:1: undeclared reference to 'params' (in container '')",
  };
  for (const [source, type] of Object.entries(types)) assert.equal(typeIn(environment, source), type, source);
  assert.equal(typeIn(admissionEnvironment({ params: true, authorizer: false }), "params.a"), "dyn");
});

Deno.test("selectors of devices may bind names but not loop over attributes", () => {
  const types: Record<string, string> = {
    "cel.bind(d, device.attributes['a'], d.x == 1 && d.y)": "bool",
    "device.attributes['a'].b": "any",
    "device.capacity['a'].b": "kubernetes.Quantity",
    "cel.bind(1, 2, 3)": "ERROR: <input>:1:10: cel.bind() variable names must be simple identifiers",
    "device.attributes['a'].b.all(x, x)":
      "ERROR: <input>:1:23: expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)",
  };
  for (const [source, type] of Object.entries(types)) assert.equal(typeIn(deviceEnvironment(), source), type, source);
  const bind = typeIn(admissionEnvironment({ params: false, authorizer: false }), "cel.bind(x, 1, x)");
  assert.match(bind, /undeclared reference to 'cel'/);
});

Deno.test("the cost of a selector follows from the largest sizes of a device", () => {
  const cost = (source: string) => deviceCost(compileExpression(source, deviceEnvironment()).checked);
  assert.ok(cost("device.driver.matches('a+b+')") < LIMIT);
  const loops = (depth: number): string =>
    depth === 0 ? "true" : `device.attributes.all(a${depth}, ${loops(depth - 1)})`;
  assert.ok(cost(loops(3)) < LIMIT);
  assert.ok(cost(loops(4)) > LIMIT);
});
