import assert from "node:assert/strict";
import { forbiddenError } from "../machinery/errors.ts";
import { createAdmissionChain } from "./chain.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "./interface.ts";
import { requestOf } from "./testing.ts";

function attributes(operation: AdmissionAttributes["operation"]): AdmissionAttributes {
  return { ...requestOf({ object: { metadata: { labels: {} } } }), operation };
}

function labeller(name: string, later: boolean): AdmissionPlugin {
  return {
    name,
    handles: (operation) => operation === "CREATE",
    admit(a) {
      const write = () => void (a.object!.metadata.labels!.seen = (a.object!.metadata.labels!.seen ?? "") + name);
      return later ? Promise.resolve().then(write) : write();
    },
  };
}

Deno.test("mutating plugins run in order, waiting for each other", async () => {
  const chain = createAdmissionChain([labeller("a", false), labeller("b", true), labeller("c", false)]);
  const create = attributes("CREATE");
  await chain.admit(create);
  assert.equal(create.object!.metadata.labels!.seen, "abc");
  const update = attributes("UPDATE");
  assert.equal(chain.admit(update), undefined);
  assert.deepEqual(update.object!.metadata.labels, {});
  assert.equal(chain.handles("UPDATE"), false);
});

Deno.test("a plugin is left alone with requests that it does not look at, and counted all the same", () => {
  const seen: string[] = [], counted: string[] = [];
  const plugin = (name: string, looksAt: boolean): AdmissionPlugin => ({
    name,
    handles: () => true,
    looksAt: () => looksAt,
    validate: () => void seen.push(name),
  });
  const chain = createAdmissionChain([plugin("a", true), plugin("b", false), plugin("c", true)], {
    plugin: (name) => () => counted.push(name),
    step: () => () => {},
  });
  assert.equal(chain.validate(attributes("CREATE")), undefined);
  assert.deepEqual(seen, ["a", "c"]);
  assert.deepEqual(counted, ["a", "b", "c"]);
});

Deno.test("a refusal ends the chain and is observed", async () => {
  const seen: unknown[] = [];
  const refusing: AdmissionPlugin = {
    name: "No",
    handles: () => true,
    validate: () => {
      throw forbiddenError({ group: "", resource: "pods" }, "p", "no");
    },
  };
  const chain = createAdmissionChain([refusing, { ...refusing, name: "Never" }], {
    plugin: (name, { operation, type, rejected }) => () => seen.push([name, operation, type, rejected]),
    step: ({ operation, type, rejected }) => () => seen.push([operation, type, rejected]),
  });
  await assert.rejects(async () => await chain.validate(attributes("DELETE")), /pods "p" is forbidden: no/);
  assert.deepEqual(seen, [["No", "DELETE", "validate", true], ["DELETE", "validate", true]]);
});

Deno.test("the chain runs once more when a plugin that calls out asks for it, and then no more", async () => {
  const seen: boolean[] = [];
  const calling: AdmissionPlugin = {
    name: "Calls",
    handles: () => true,
    admit: ({ reinvocation }) => {
      seen.push(reinvocation.isReinvoke);
      reinvocation.shouldReinvoke = true;
    },
  };
  const create = attributes("CREATE");
  await createAdmissionChain([labeller("a", true), calling]).admit(create);
  assert.deepEqual(seen, [false, true]);
  assert.equal(create.object!.metadata.labels!.seen, "aa");
});
