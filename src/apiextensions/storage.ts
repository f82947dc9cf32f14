// The storage of custom resources as one of their versions sees it: below it all objects are in the storage version (old
// ones in that of their time), above it they are in this one, with today's fields and defaults.
import { clone } from "../machinery/clone.ts";
import { unknownError } from "../machinery/errors.ts";
import type { KubeObject } from "../machinery/types.ts";
import type {
  GetOptions,
  Interface,
  Item,
  ListOptions,
  ListResult,
  Preconditions,
  Predicate,
  UpdateResult,
  Watcher,
  WatchEvent,
  WatchOptions,
} from "../storage/interface.ts";
import { StoredItem } from "../storage/item.ts";
import { listPage } from "../storage/list_options.ts";
import { layoutOf } from "../storage/text.ts";

/** How objects of a version come from storage and get there. */
export interface Viewpoint {
  /** Objects written in this version are stored as they are. */
  readonly isStorageVersion: boolean;
  /** What was written may come back with more: defaults of a status that was not for the client to set. */
  readonly completesOnRead: boolean;
  /** Objects as they are stored, in this version. They may be changed. */
  fromStored(objects: readonly KubeObject[]): KubeObject[] | Promise<KubeObject[]>;
  toStored(object: KubeObject): KubeObject | Promise<KubeObject>;
  /** Conversion takes a while: a webhook is asked. */
  readonly convertsLate: boolean;
  /** JSON with kind, apiVersion and metadata first. */
  encode(object: KubeObject): string;
  /** The selectable fields of an object of this version; undefined when it has none. */
  readonly fieldsOf?: (object: KubeObject) => Record<string, string>;
}

type Validate = (current: KubeObject, item: Item) => void | Promise<void>;

export class VersionedStorage implements Interface {
  readonly #base: Interface;
  readonly #viewpoint: Viewpoint;
  readonly #closed = new AbortController();
  /** What has been looked at, as it is here. */
  readonly #views = new WeakMap<Item, Item>();
  readonly #fields = new WeakMap<Item, Readonly<Record<string, string>>>();

  constructor(base: Interface, viewpoint: Viewpoint) {
    this.#base = base;
    this.#viewpoint = viewpoint;
  }

  /** Ends every watch: clients have to look again at what has become of the version. */
  close(): void {
    this.#closed.abort();
  }

  async create(key: string, object: KubeObject, options?: { ttl?: number }): Promise<Item> {
    const stored = this.#viewpoint.toStored(object);
    return await this.#written(await this.#base.create(key, await stored, options));
  }

  async get(key: string, options?: GetOptions): Promise<Item> {
    return await this.#view(await this.#base.get(key, options));
  }

  getCached(key: string): Item | null | undefined {
    const item = this.#base.getCached?.(key);
    return item && this.#views.get(item) || item && undefined;
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ListResult> {
    const { predicate } = options;
    if (this.#selectsLate(predicate)) return await this.#listFiltered(prefix, options, predicate!);
    const list = await this.#base.list(prefix, { ...options, predicate: this.#below(predicate) });
    return { ...list, items: await this.#viewAll(list.items) };
  }

  async watch(prefix: string, options: WatchOptions): Promise<Watcher> {
    const { predicate } = options, late = this.#selectsLate(predicate);
    const signal = AbortSignal.any([options.signal, this.#closed.signal]);
    const watcher = await this.#base.watch(prefix, {
      ...options,
      signal,
      predicate: late ? undefined : this.#below(predicate),
    });
    const see = (events: readonly WatchEvent[]) => this.#viewEvents(events);
    return new ViewedWatcher(watcher, late ? selecting(see, (item) => this.#matches(item, predicate!)) : see);
  }

  async delete(
    key: string,
    options: { preconditions?: Preconditions; validate?: Validate; suggestion?: Item } = {},
  ): Promise<Item> {
    const { validate, ...rest } = options;
    const item = await this.#base.delete(key, {
      ...rest,
      validate: validate && (async (_current, item) => {
        const view = await this.#view(item);
        await validate(view.object(), view);
      }),
    });
    return await this.#view(item);
  }

  async guaranteedUpdate(
    key: string,
    update: (current: KubeObject, item: Item | undefined) => UpdateResult | Promise<UpdateResult>,
    options?: { ignoreNotFound?: boolean; preconditions?: Preconditions; suggestion?: Item },
  ): Promise<Item> {
    const item = await this.#base.guaranteedUpdate(key, async (current, item) => {
      const view = item && await this.#view(item);
      const { object, ttl } = await update(view?.object() ?? current, view);
      return { object: await this.#viewpoint.toStored(object), ttl };
    }, options);
    return await this.#written(item);
  }

  /** What storing and reading an object would make of it. */
  async comeBack(object: KubeObject): Promise<KubeObject> {
    const stored = await this.#viewpoint.toStored(clone(object));
    return (await this.#viewpoint.fromStored([stored]))[0];
  }

  count(prefix: string): Promise<number> {
    return this.#base.count(prefix);
  }

  currentRevision(): Promise<number> {
    return this.#base.currentRevision();
  }

  /** What was written in the storage version need not be looked at again. */
  #written(item: Item): Item | Promise<Item> {
    const { isStorageVersion, completesOnRead } = this.#viewpoint;
    if (isStorageVersion && !completesOnRead && !this.#views.has(item)) this.#views.set(item, item);
    return this.#view(item);
  }

  #view(item: Item): Item | Promise<Item> {
    const known = this.#views.get(item);
    if (known !== undefined) return known;
    const objects = this.#viewpoint.fromStored([item.object()]);
    return objects instanceof Promise
      ? objects.then(([o]) => this.#remember(item, o))
      : this.#remember(item, objects[0]);
  }

  #remember(item: Item, object: KubeObject): Item {
    delete object.metadata.resourceVersion;
    const stored = this.#viewpoint.encode(object), layout = layoutOf(stored);
    if (layout === undefined) throw unknownError("a converted object needs kind, apiVersion and metadata");
    const attributes = { labels: object.metadata.labels ?? {}, fields: item.fields };
    const made = StoredItem.fromStored(item.key, item.revision, stored, layout, attributes);
    const view = made.text === item.text ? item : made;
    this.#views.set(item, view);
    return view;
  }

  async #viewAll(items: readonly Item[]): Promise<readonly Item[]> {
    const views = items.map((item) => this.#views.get(item));
    const missing = items.filter((_, i) => views[i] === undefined);
    if (missing.length === 0) return views as Item[];
    // All at once: a webhook is asked but one time.
    const objects = await this.#viewpoint.fromStored(missing.map((item) => item.object()));
    const made = missing.map((item, i) => this.#remember(item, objects[i]));
    return views.map((view) => view ?? made.shift()!);
  }

  async #viewEvents(events: readonly WatchEvent[]): Promise<readonly WatchEvent[]> {
    const items = events.flatMap((event) => "item" in event ? [event.item] : []);
    const views = new Map((await this.#viewAll(items)).map((view, i) => [items[i], view]));
    return events.map((event) => {
      const view = "item" in event ? views.get(event.item)! : undefined;
      return view === undefined || !("item" in event) || view === event.item ? event : { type: event.type, item: view };
    });
  }

  /** Whether what is asked for can only be told once objects have been converted, which takes a webhook. */
  #selectsLate(predicate: Predicate | undefined): boolean {
    const { convertsLate, fieldsOf } = this.#viewpoint;
    return predicate !== undefined && !predicate.everything && fieldsOf !== undefined && convertsLate;
  }

  /** The same predicate for items as they are stored. */
  #below(predicate: Predicate | undefined): Predicate | undefined {
    if (predicate === undefined || predicate.everything || this.#viewpoint.fieldsOf === undefined) return predicate;
    return {
      everything: false,
      requiresField: (field) => field.startsWith("metadata.") ? predicate.requiresField(field) : undefined,
      matches: (item) => this.#matches(this.#view(item as Item) as Item, predicate),
    };
  }

  #matches(view: Item, predicate: Predicate): boolean {
    let fields = this.#fields.get(view);
    if (fields === undefined) {
      fields = { ...view.fields, ...this.#viewpoint.fieldsOf!(view.object()) };
      this.#fields.set(view, fields);
    }
    return predicate.matches({ labels: view.labels, fields });
  }

  async #listFiltered(prefix: string, options: ListOptions, predicate: Predicate): Promise<ListResult> {
    const { limit, ...rest } = options;
    const list = await this.#base.list(prefix, { ...rest, predicate: undefined });
    const items = (await this.#viewAll(list.items)).filter((item) => this.#matches(item, predicate));
    const page = limit && options.resourceVersion !== "0" ? items.slice(0, limit) : items;
    return listPage(page, { prefix, revision: list.revision, more: page.length < items.length });
  }
}

type See = (events: readonly WatchEvent[]) => Promise<readonly WatchEvent[]>;

/** Events of objects that are selected once they are seen: one that does not fit any more is gone. */
function selecting(see: See, matches: (item: Item) => boolean): See {
  const shown = new Set<string>();
  return async (events) => {
    const out: WatchEvent[] = [];
    for (const event of await see(events)) {
      if (!("item" in event)) {
        out.push(event);
        continue;
      }
      const { item, type } = event, was = shown.has(item.key);
      if (type !== "DELETED" && matches(item)) {
        shown.add(item.key);
        out.push({ type: was ? "MODIFIED" : "ADDED", item });
      } else if (was || type !== "ADDED" && matches(item)) {
        shown.delete(item.key);
        out.push({ type: "DELETED", item });
      }
    }
    return out;
  };
}

/** A watch whose events are looked at on their way. What cannot be shown ends it. */
class ViewedWatcher implements Watcher {
  readonly #watcher: Watcher;
  readonly #see: See;

  constructor(watcher: Watcher, see: See) {
    this.#watcher = watcher;
    this.#see = see;
  }

  stop(): void {
    this.#watcher.stop();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<readonly WatchEvent[], undefined> {
    for await (const events of this.#watcher) {
      let seen: readonly WatchEvent[];
      try {
        seen = await this.#see(events);
      } catch (error) {
        yield [{ type: "ERROR", error: error as Error }];
        break;
      }
      if (seen.length > 0) yield seen;
    }
    this.#watcher.stop();
    return undefined;
  }
}
