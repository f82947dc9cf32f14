// How plugins look other objects up: the newest state, out of memory once a resource has been asked for.
import type { KubeObject } from "../../machinery/types.ts";
import type { BuiltinResources } from "../../registry/builtin.ts";
import type { RequestContext } from "../../apis/context.ts";
import { collectionPrefix, keyOf } from "../../registry/keys.ts";
import type { Store } from "../../registry/store.ts";
import { isPathSegmentName } from "../../machinery/validation/mod.ts";
import { hasReason } from "../../machinery/errors.ts";
import type { Item } from "../../storage/interface.ts";

/** Objects that come from here are shared: whoever wants to change one clones it. */
export interface ObjectLookup {
  /** Undefined when there is none. Without a promise where memory is sure to be current. */
  get(
    group: string,
    resource: string,
    name: string,
    namespace?: string,
  ): KubeObject | undefined | Promise<KubeObject | undefined>;
  /** In the order of their keys; likewise. */
  list(group: string, resource: string, namespace?: string): KubeObject[] | Promise<KubeObject[]>;
}

/** Goes on with what was looked up: at once when it is there. */
export function withFound<T, R>(found: T | Promise<T>, goOn: (found: T) => R | Promise<R>): R | Promise<R> {
  return found instanceof Promise ? found.then(goOn) : goOn(found);
}

/** Items never change, so neither does what is in them: each is parsed once, however many requests ask for it. */
const parsed = new WeakMap<Item, KubeObject>();

function sharedObject(item: Item): KubeObject {
  let object = parsed.get(item);
  if (object === undefined) parsed.set(item, object = item.object());
  return object;
}

async function read(store: Store, context: RequestContext, name: string): Promise<KubeObject | undefined> {
  try {
    const result = await store.get(context, name, {});
    return "item" in result ? sharedObject(result.item) : result.object;
  } catch (e) {
    if (hasReason(e, "NotFound")) return undefined;
    throw e;
  }
}

/** @param context what the server looks up for itself */
export function registryLookup(resources: BuiltinResources, context: RequestContext): ObjectLookup {
  return {
    get(group, resource, name, namespace = "") {
      const store = resources.store(group, resource);
      // Names are looked up before they are validated.
      if (isPathSegmentName(name).length > 0 || name === "") return undefined;
      const item = store.config.storage.storage.getCached?.(keyOf(store.config, { namespace }, name));
      if (item !== undefined) return item === null ? undefined : sharedObject(item);
      return read(store, { ...context, namespace }, name);
    },
    list(group, resource, namespace = "") {
      const store = resources.store(group, resource);
      const items = store.config.storage.storage.listCached?.(collectionPrefix(store.config, { namespace }));
      if (items !== undefined) return items.map(sharedObject);
      return store.list({ ...context, namespace }, {}).then(({ items }) => items.map(sharedObject));
    },
  };
}
