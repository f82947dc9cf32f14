// How plugins look other objects up: the newest state, out of memory once a resource has been asked for.
import type { KubeObject } from "../../machinery/types.ts";
import type { BuiltinResources } from "../../registry/builtin.ts";
import type { RequestContext } from "../../registry/context.ts";
import { hasReason } from "../../machinery/errors.ts";
import type { Item } from "../../storage/interface.ts";

/** Items never change, so neither does what is in them: each is parsed once, however many requests ask for it. */
const parsed = new WeakMap<Item, KubeObject>();

function sharedObject(item: Item): KubeObject {
  let object = parsed.get(item);
  if (object === undefined) parsed.set(item, object = item.object());
  return object;
}

/** Objects that come from here are shared: whoever wants to change one clones it. */
export class ObjectLookup {
  /** @param context what the server looks up for itself */
  constructor(readonly resources: BuiltinResources, readonly context: RequestContext) {}

  /** Undefined when there is none. */
  async get(group: string, resource: string, name: string, namespace = ""): Promise<KubeObject | undefined> {
    const store = this.resources.store(group, resource);
    try {
      const result = await store.get({ ...this.context, namespace }, name, {});
      return "item" in result ? sharedObject(result.item) : result.object;
    } catch (e) {
      if (hasReason(e, "NotFound")) return undefined;
      throw e;
    }
  }

  async list(group: string, resource: string, namespace = ""): Promise<KubeObject[]> {
    const { items } = await this.resources.store(group, resource).list({ ...this.context, namespace }, {});
    return items.map(sharedObject);
  }
}
