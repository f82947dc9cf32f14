// The resources of the tests of storage.
import type { ResourceOptions } from "../../src/storage/mod.ts";

export const PREFIX = "/registry/widgets/";

export const WIDGETS: ResourceOptions = resource("widgets");

/** Those whose durability may be relaxed. */
export const GADGETS: ResourceOptions = resource("gadgets");

function resource(name: string): ResourceOptions {
  return {
    prefix: `/registry/${name}/`,
    resource: { group: "", resource: name },
    attributesOf: () => ({ labels: {}, fields: {} }),
  };
}
