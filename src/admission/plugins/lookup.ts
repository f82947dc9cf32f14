// How plugins look other objects up: the newest state, out of memory where it is there.
import type { KubeObject } from "../../machinery/types.ts";
import type { BuiltinResources } from "../../registry/builtin.ts";
import type { RequestContext } from "../../registry/context.ts";
import { getIfThere } from "../../registry/rest.ts";

export class ObjectLookup {
  /** @param context what the server looks up for itself */
  constructor(readonly resources: BuiltinResources, readonly context: RequestContext) {}

  /** Undefined when there is none. */
  async get(group: string, resource: string, name: string, namespace = ""): Promise<KubeObject | undefined> {
    return await getIfThere(this.resources.store(group, resource), { ...this.context, namespace }, name);
  }

  async list(group: string, resource: string, namespace = ""): Promise<KubeObject[]> {
    const { items } = await this.resources.store(group, resource).list({ ...this.context, namespace }, {});
    return items.map((item) => item.object());
  }
}
