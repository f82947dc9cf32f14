// How plugins look other objects up: the newest state, out of memory where it is there.
import { hasReason } from "../../machinery/errors.ts";
import type { KubeObject } from "../../machinery/types.ts";
import type { BuiltinResources } from "../../registry/builtin.ts";
import type { RequestContext } from "../../registry/context.ts";

export class ObjectLookup {
  /** @param context what the server looks up for itself */
  constructor(readonly resources: BuiltinResources, readonly context: RequestContext) {}

  /** Undefined when there is none. */
  async get(group: string, resource: string, name: string, namespace = ""): Promise<KubeObject | undefined> {
    const store = this.resources.store(group, resource);
    try {
      const result = await store.get({ ...this.context, namespace }, name, {});
      return "item" in result ? result.item.object() : result.object;
    } catch (e) {
      if (hasReason(e, "NotFound")) return undefined;
      throw e;
    }
  }

  async list(group: string, resource: string, namespace = ""): Promise<KubeObject[]> {
    const { items } = await this.resources.store(group, resource).list({ ...this.context, namespace }, {});
    return items.map((item) => item.object());
  }
}
